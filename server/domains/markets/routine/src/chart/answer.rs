//! Answers about a chart. Every figure is one of a result, or computed from its rows.

use rehearsal::routine::{Done, View, failure, units};
use serde_json::Value;

use super::{
    READ_PRICE, REMOVE, SCROLL, Subject, UPDATE,
    candles::{Chart, Level},
    chart, draw,
    intent::{Goal, Intent},
    known::{self, Known},
};
use crate::texts::{
    self,
    answers::{self, ShownPrice},
    plans,
};

/// The answer.
pub(super) fn text(view: &View<'_>, intent: &Intent, subject: &Subject) -> String {
    let made: Vec<&Done> = view.done.iter().filter(|done| acts(done)).collect();
    if let Some(failed) = view.done.iter().rev().find(|done| done.is_error)
        && made.is_empty()
        && !matches!(intent.goal, Goal::Alert(_))
    {
        let (symbol, why) = (units::safe(&subject.symbol), failure(failed));
        return match intent.goal {
            Goal::Price | Goal::Report(_) | Goal::Past(_) => answers::unknown(&symbol, &why),
            _ => answers::not_read(&symbol, &why),
        };
    }
    match &intent.goal {
        Goal::Alert(wish) => wish.told(view),
        Goal::Report(report) => report.told(view, subject),
        Goal::Past(past) => past.told(view, subject),
        Goal::Unclear(word) => answers::unclear(&units::safe(word)),
        Goal::Price => price(view),
        Goal::Scroll { .. } if made.iter().any(|done| done.is_error) => {
            answers::chart_stays(&failures(&made))
        }
        Goal::Scroll { .. } => answers::CHART_MOVED.to_owned(),
        Goal::Remove if made.is_empty() => answers::NO_DRAWING_TO_REMOVE.to_owned(),
        Goal::Remove => removed(&made),
        Goal::Update if made.is_empty() && intent.price.is_some() => {
            answers::WHICH_DRAWING.to_owned()
        }
        Goal::Look => look(view, intent, subject),
        Goal::Draw | Goal::Update => drawn(view, intent, subject, &made),
    }
}

/// True if a call changed the chart, or was to.
fn acts(done: &Done) -> bool {
    let name = done.name.as_str();
    name.starts_with("draw_") || [UPDATE, REMOVE, SCROLL].contains(&name)
}

fn price(view: &View<'_>) -> String {
    let Some(done) = view.done.iter().rev().find(|done| done.name == READ_PRICE) else {
        return answers::PRICE_NOT_READ.to_owned();
    };
    let data = &done.data;
    let field = |name: &str| units::value(name, &data[name]);
    let mut text = answers::price(&ShownPrice {
        symbol: &field("symbol"),
        bid: &field("bid"),
        ask: &field("ask"),
        spread: &field("spread_pips"),
        is_one_pip: data["spread_pips"].as_f64() == Some(1.0),
        as_of: &field("as_of"),
    });
    if data["simulated"] == true {
        let why = data["why"].as_str().unwrap_or(answers::NO_REASON);
        text.push_str(&answers::simulated_price(&units::safe(why)));
    }
    text
}

fn removed(made: &[&Done]) -> String {
    let gone = made.iter().filter(|done| !done.is_error).count();
    let mut text = answers::removed(gone);
    text.push_str(&failures(made));
    text
}

fn look(view: &View<'_>, intent: &Intent, subject: &Subject) -> String {
    let Some(chart) = chart(view) else {
        return answers::NO_CANDLES_FOR_LEVELS.to_owned();
    };
    let mut text = match first_level(&chart, intent, subject) {
        Some(sentence) => format!("{sentence}\n\n{}:\n", opening(&chart, subject)),
        None => format!("{}:\n", opening(&chart, subject)),
    };
    for (wanted, is_support, name) in [
        (intent.support, true, plans::SUPPORT),
        (intent.resistance, false, plans::RESISTANCE),
    ] {
        let most = if intent.many { 3 } else { 1 };
        let levels = chart.levels(is_support);
        if wanted && levels.is_empty() {
            text.push_str(&answers::no_level(name));
        }
        for level in levels.iter().take(if wanted { most } else { 0 }) {
            text.push_str(&answers::level_line(name, &told(&chart, level)));
        }
    }
    if intent.fibonacci {
        text.push_str(&match chart.last_leg() {
            Some((from, to)) => answers::last_swing(
                [
                    &chart.show(from.price),
                    &units::value("time", &from.time.into()),
                ],
                [
                    &chart.show(to.price),
                    &units::value("time", &to.time.into()),
                ],
            ),
            None => answers::NO_LAST_SWING.to_owned(),
        });
    }
    text.push_str(&simulated(&chart));
    text
}

/// The main level of the first kind that is asked for, and the nearest where that is another.
fn first_level(chart: &Chart, intent: &Intent, subject: &Subject) -> Option<String> {
    let kinds = [
        (intent.support, true, "support"),
        (intent.resistance, false, "resistance"),
    ];
    let mut sentences =
        kinds
            .iter()
            .filter(|(wanted, ..)| *wanted)
            .filter_map(|(_, is_support, name)| {
                let levels = chart.levels(*is_support);
                let main = levels.first()?;
                let distance = |level: &&Level| (level.price - chart.last.close).abs();
                let nearest = levels
                    .iter()
                    .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
                let last = main.swings.last().map_or("", |swing| swing.time.as_str());
                let near = (nearest != main).then(|| chart.show(nearest.price));
                Some(answers::main_level(
                    name,
                    &units::safe(&subject.symbol),
                    &chart.show(main.price),
                    main.swings.len(),
                    &units::value("time", &last.into()),
                    near.as_deref(),
                ))
            });
    let first = sentences.next()?;
    let rest: Vec<String> = sentences.collect();
    Some([vec![first], rest].concat().join(" "))
}

fn told(chart: &Chart, level: &Level) -> String {
    let last = level.swings.last().map_or("", |swing| swing.time.as_str());
    let last = units::value("time", &last.into());
    answers::level(&chart.show(level.price), level.swings.len(), &last)
}

fn opening(chart: &Chart, subject: &Subject) -> String {
    answers::opening(
        chart.candles.len(),
        &subject.timeframe,
        &subject.symbol,
        &units::value("time", &chart.last.time.clone().into()),
        &chart.show(chart.last.close),
    )
}

fn simulated(chart: &Chart) -> String {
    match &chart.simulated_from {
        Some(from) => texts::simulated_from(&units::value("time", &from.clone().into())),
        None => String::new(),
    }
}

fn drawn(view: &View<'_>, intent: &Intent, subject: &Subject, made: &[&Done]) -> String {
    let chart = chart(view);
    let shown: Vec<String> = made
        .iter()
        .filter(|done| !done.is_error)
        .map(|done| line(done, chart.as_ref()))
        .collect();
    let mut text = match (shown.len(), &chart) {
        (0, _) if !made.is_empty() => answers::NOTHING_DRAWN.to_owned(),
        (0, None) => {
            return answers::NO_CANDLES_TO_DRAW.to_owned();
        }
        (0, Some(chart)) => return nothing_new(view, chart, intent, subject),
        (count, chart) => {
            let from = chart.as_ref().map_or_else(String::new, |chart| {
                format!("\n\n{}:", opening(chart, subject))
            });
            answers::drawn(count, &subject.symbol, &from, &shown.join("\n"))
        }
    };
    text.push_str(&failures(made));
    if let Some(chart) = &chart {
        text.push_str(&missing(chart, intent));
        text.push_str(&simulated(chart));
    }
    if (intent.long || intent.short) && !shown.is_empty() {
        text.push_str(answers::POSITION_IS_IDEA);
    }
    text
}

/// A sentence about what was asked for and is not in the candles.
fn missing(chart: &Chart, intent: &Intent) -> String {
    let none = [
        (intent.support && chart.levels(true).is_empty(), "support"),
        (
            intent.resistance && chart.levels(false).is_empty(),
            "resistance",
        ),
        (intent.fibonacci && chart.last_leg().is_none(), "last swing"),
    ];
    let none: Vec<&str> = none
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, name)| *name)
        .collect();
    if none.is_empty() {
        String::new()
    } else {
        answers::not_in_candles(&none)
    }
}

fn nothing_new(view: &View<'_>, chart: &Chart, intent: &Intent, subject: &Subject) -> String {
    let plans = draw::plans(view, chart, intent, subject);
    let release = intent.figure.as_ref().and_then(|figure| figure.release());
    if let Some(name) = release.filter(|_| plans.is_empty()) {
        return answers::no_release(name.map(units::safe).as_deref());
    }
    if plans.is_empty() {
        let none = missing(chart, intent);
        return answers::nothing_to_draw(&none, &simulated(chart));
    }
    let labels: Vec<String> = plans.iter().map(|plan| units::safe(&plan.label)).collect();
    answers::already_there(&labels)
}

/// One drawing as its result tells it.
fn line(done: &Done, chart: Option<&Chart>) -> String {
    let data = &done.data;
    let price = |number: f64| match chart {
        Some(chart) => chart.show(number),
        None => number.to_string(),
    };
    let Some(one) = known::drawn(data) else {
        return format!("- {}", units::code(&done.name));
    };
    let name = if one.label.is_empty() {
        units::safe(&one.kind.replace('_', " "))
    } else {
        units::safe(&one.label)
    };
    let mut text = match one.points.as_slice() {
        [(_, entry), (_, stop), (_, target)] if one.kind == "position" => {
            let prices = [*entry, *stop, *target].map(price);
            let ratio = data["figures"]["reward_to_risk"].as_f64();
            answers::position(&name, &prices, ratio)
        }
        // Its label has it already.
        [(None, at)] if name.contains(&price(*at)) => answers::labelled(&name, &price(*at)),
        points => {
            let points = points.iter().map(|(time, at)| {
                let time = time.clone().map(|time| units::value("time", &time.into()));
                answers::point(&price(*at), time.as_deref())
            });
            answers::points(&name, &points.collect::<Vec<_>>())
        }
    };
    let check = &data["check"];
    if check.is_object() {
        // That prices were at an entry says nothing about the plan.
        if one.kind != "position"
            && let Some(count) = check["touches"].as_u64()
        {
            let last = match &check["last_touch"] {
                Value::Null => None,
                last => Some(units::value("time", last)),
            };
            let bars = check["bars"].as_u64();
            let near = match one.kind.as_str() {
                "fibonacci" => answers::ITS_NEAREST_LEVEL,
                _ => answers::IT,
            };
            text.push_str(&answers::touches(near, count, last.as_deref(), bars));
        }
        if let Some(distance) = distance(&one, check, chart) {
            text.push_str(&format!("; {distance}"));
        }
        let levels = check["levels"].as_array().into_iter().flatten();
        let levels: Vec<String> = levels
            .filter_map(|level| {
                let share = level["level"].as_f64()?;
                let at = price(level["price"].as_f64()?);
                let percent = (share * 1_000.0).round() / 10.0;
                Some(answers::share_at(percent, &at))
            })
            .collect();
        if !levels.is_empty() {
            text.push_str(&answers::levels(&levels));
        }
    }
    if data["shown"] == false {
        let why = data["not_shown"].as_str().unwrap_or(answers::NOT_SHOWN);
        text.push_str(&format!(". {}", units::safe(why)));
    }
    text
}

/// The distance of a drawing from the close that the answer begins with, or from the newest price where it names no
/// close. The tool's own figure is of a price that came later, so it never stands beside that close; what slopes
/// and what covers an area is at no one distance from it.
fn distance(one: &Known, check: &Value, chart: Option<&Chart>) -> Option<String> {
    let Some(chart) = chart else {
        let pips = check["distance_pips"].as_f64()?;
        return Some(answers::distance(pips, answers::NEWEST_PRICE));
    };
    match one.kind.as_str() {
        "horizontal_line" | "horizontal_ray" | "marker" | "position" => {
            let (_, price) = one.points.first()?;
            let distance = answers::distance(chart.pips_to(*price)?, answers::THAT_CLOSE);
            Some(if one.kind == "position" {
                answers::distance_of(answers::ITS_ENTRY, &distance)
            } else {
                distance
            })
        }
        "fibonacci" => {
            let levels = check["levels"].as_array()?.iter();
            let pips = levels.filter_map(|level| chart.pips_to(level["price"].as_f64()?));
            let nearest = pips.min_by(|one, other| one.abs().total_cmp(&other.abs()))?;
            let distance = answers::distance(nearest, answers::THAT_CLOSE);
            Some(answers::distance_of(answers::ITS_NEAREST_LEVEL, &distance))
        }
        _ => None,
    }
}

fn failures(made: &[&Done]) -> String {
    let failed = made.iter().filter(|done| done.is_error);
    let lines: Vec<String> = failed
        .map(|done| answers::refused(&units::code(&done.name), &failure(done)))
        .collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("\n\n{}", lines.join("\n"))
    }
}
