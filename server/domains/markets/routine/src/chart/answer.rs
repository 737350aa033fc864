//! Answers about a chart. Every figure is one of a result, or computed from its rows.

use rehearsal::routine::{Done, View, failure, units};
use serde_json::Value;

use super::{
    READ_PRICE, REMOVE, SCROLL, Subject, UPDATE,
    candles::{Chart, Level},
    chart, draw,
    intent::{Goal, Intent},
    known,
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
            Goal::Price | Goal::Report(_) | Goal::Past(_) => {
                format!("That is **unknown** for {symbol}, sir. {why}")
            }
            _ => format!("I could not read {symbol}, sir. {why}"),
        };
    }
    match &intent.goal {
        Goal::Alert(wish) => wish.told(view),
        Goal::Report(report) => report.told(view, subject),
        Goal::Past(past) => past.told(view, subject),
        Goal::Unclear(word) => format!(
            "“{}” leaves open what exactly is meant, sir, so I have changed nothing. Name what I shall \
             change or remove.",
            units::safe(word)
        ),
        Goal::Price => price(view),
        Goal::Scroll { .. } if made.iter().any(|done| done.is_error) => {
            format!("The chart stays where it is, sir.{}", failures(&made))
        }
        Goal::Scroll { .. } => "The chart is where you asked for it, sir.".to_owned(),
        Goal::Remove if made.is_empty() => {
            "I see no drawing on the chart that fits your words, sir, so I have removed none."
                .to_owned()
        }
        Goal::Remove => removed(&made),
        Goal::Update if made.is_empty() && intent.price.is_some() => {
            "More than one drawing fits your words, sir, or none does. Which one do you mean?"
                .to_owned()
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
        return "I could not read the price, sir.".to_owned();
    };
    let data = &done.data;
    let field = |name: &str| units::value(name, &data[name]);
    let pips = match data["spread_pips"].as_f64() {
        Some(1.0) => "pip",
        _ => "pips",
    };
    let mut text = format!(
        "{} stands at **{}** bid and **{}** ask, sir, with a spread of {} {pips}, as of {}.",
        field("symbol"),
        field("bid"),
        field("ask"),
        field("spread_pips"),
        field("as_of")
    );
    if data["simulated"] == true {
        let why = data["why"]
            .as_str()
            .unwrap_or("The result does not say why.");
        text.push_str(&format!(
            "\n\nThat price is simulated and no quote of a broker. {}",
            units::safe(why)
        ));
    }
    text
}

fn removed(made: &[&Done]) -> String {
    let gone = made.iter().filter(|done| !done.is_error).count();
    let mut text = match gone {
        0 => "Nothing was removed, sir.".to_owned(),
        1 => "One drawing is off the chart, sir. It stays on record.".to_owned(),
        _ => format!("{gone} drawings are off the chart, sir. They stay on record."),
    };
    text.push_str(&failures(made));
    text
}

fn look(view: &View<'_>, intent: &Intent, subject: &Subject) -> String {
    let Some(chart) = chart(view) else {
        return "I could not read any candles, sir, so I name no levels.".to_owned();
    };
    let mut text = match first_level(&chart, intent, subject) {
        Some(sentence) => format!("{sentence}\n\n{}:\n", opening(&chart, subject)),
        None => format!("{}:\n", opening(&chart, subject)),
    };
    for (wanted, is_support, name) in [
        (intent.support, true, "Support"),
        (intent.resistance, false, "Resistance"),
    ] {
        let most = if intent.many { 3 } else { 1 };
        let levels = chart.levels(is_support);
        if wanted && levels.is_empty() {
            text.push_str(&format!("\n- {name}: none in these candles"));
        }
        for level in levels.iter().take(if wanted { most } else { 0 }) {
            text.push_str(&format!("\n- {name} {}", told(&chart, level)));
        }
    }
    if intent.fibonacci {
        text.push_str(&match chart.last_leg() {
            Some((from, to)) => format!(
                "\n- Last swing from **{}** at {} to **{}** at {}",
                chart.show(from.price),
                units::value("time", &from.time.into()),
                chart.show(to.price),
                units::value("time", &to.time.into())
            ),
            None => "\n- Last swing: none in these candles".to_owned(),
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
    let mut sentences = kinds.iter().filter(|(wanted, ..)| *wanted).filter_map(|(_, is_support, name)| {
        let levels = chart.levels(*is_support);
        let main = levels.first()?;
        let distance = |level: &&Level| (level.price - chart.last.close).abs();
        let nearest = levels.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let times = match main.swings.len() {
            1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        let last = main.swings.last().map_or("", |swing| swing.time.as_str());
        let near = if nearest == main {
            String::new()
        } else {
            format!(" The nearest is **{}**.", chart.show(nearest.price))
        };
        Some(format!(
            "The main {name} of {} is **{}**, sir, where the price turned {times}, the last at {}.{near}",
            units::safe(&subject.symbol),
            chart.show(main.price),
            units::value("time", &last.into())
        ))
    });
    let first = sentences.next()?;
    let rest: Vec<String> = sentences.collect();
    Some([vec![first], rest].concat().join(" "))
}

fn told(chart: &Chart, level: &Level) -> String {
    let last = level.swings.last().map_or("", |swing| swing.time.as_str());
    let swings = match level.swings.len() {
        1 => "one swing".to_owned(),
        count => format!("{count} swings"),
    };
    format!(
        "**{}**: {swings}, the last at {}",
        chart.show(level.price),
        units::value("time", &last.into())
    )
}

fn opening(chart: &Chart, subject: &Subject) -> String {
    format!(
        "From {} {} candles of {} up to {}, the last close being {}",
        chart.candles.len(),
        subject.timeframe,
        subject.symbol,
        units::value("time", &chart.last.time.clone().into()),
        chart.show(chart.last.close)
    )
}

fn simulated(chart: &Chart) -> String {
    match &chart.simulated_from {
        Some(from) => format!(
            "\n\nMind, sir: the candles from {} on are simulated.",
            units::value("time", &from.clone().into())
        ),
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
        (0, _) if !made.is_empty() => "Nothing was drawn, sir.".to_owned(),
        (0, None) => {
            return "I could not read any candles, sir, so I have drawn nothing.".to_owned();
        }
        (0, Some(chart)) => return nothing_new(view, chart, intent, subject),
        (count, chart) => {
            let count = match count {
                1 => "One drawing is".to_owned(),
                count => format!("{count} drawings are"),
            };
            let from = chart.as_ref().map_or_else(String::new, |chart| {
                format!("\n\n{}:", opening(chart, subject))
            });
            let lines = shown.join("\n");
            format!(
                "{count} on the {} chart, sir.{from}\n\n{lines}",
                subject.symbol
            )
        }
    };
    text.push_str(&failures(made));
    if let Some(chart) = &chart {
        text.push_str(&missing(chart, intent));
        text.push_str(&simulated(chart));
    }
    if intent.long || intent.short {
        text.push_str(
            "\n\nAccount, risk and leverage are an example, sir; tell me yours. No order was placed.",
        );
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
        format!("\n\nThese candles show no {}.", none.join(" and no "))
    }
}

fn nothing_new(view: &View<'_>, chart: &Chart, intent: &Intent, subject: &Subject) -> String {
    let plans = draw::plans(view, chart, intent, subject);
    let release = intent.figure.as_ref().and_then(|figure| figure.release());
    if let Some(name) = release.filter(|_| plans.is_empty()) {
        return match name {
            Some(name) => format!(
                "I find no release called “{}” on the chart, sir, so I have marked none.",
                units::safe(name)
            ),
            None => "I find no release on the chart, sir, so I have marked none.".to_owned(),
        };
    }
    if plans.is_empty() {
        let none = missing(chart, intent);
        return format!("I have drawn nothing, sir.{none}{}", simulated(chart));
    }
    let labels: Vec<String> = plans.iter().map(|plan| units::safe(&plan.label)).collect();
    format!(
        "It is all on the chart already, sir, and I do not draw it twice: {}.",
        labels.join(", ")
    )
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
    let points: Vec<String> = one
        .points
        .iter()
        .map(|(time, at)| match time {
            Some(time) => format!(
                "**{}** at {}",
                price(*at),
                units::value("time", &time.clone().into())
            ),
            None => format!("**{}**", price(*at)),
        })
        .collect();
    let mut text = format!("- {name}: {}", points.join(" to "));
    let check = &data["check"];
    if check.is_object() {
        let field = |name: &str| units::value(name, &check[name]);
        let last = match &check["last_touch"] {
            Value::Null => String::new(),
            last => format!(", the last at {}", units::value("time", last)),
        };
        text.push_str(&format!(
            "; touches: {}{last}; {} pips from the last close",
            field("touches"),
            field("distance_pips")
        ));
        let levels = check["levels"].as_array().into_iter().flatten();
        let levels: Vec<String> = levels
            .filter_map(|level| {
                let share = level["level"].as_f64()?;
                let at = price(level["price"].as_f64()?);
                Some(format!("{} % at {at}", (share * 1_000.0).round() / 10.0))
            })
            .collect();
        if !levels.is_empty() {
            text.push_str(&format!(". Levels: {}", levels.join(", ")));
        }
    }
    if data["shown"] == false {
        let why = data["not_shown"]
            .as_str()
            .unwrap_or("Saved, not yet shown.");
        text.push_str(&format!(". {}", units::safe(why)));
    }
    text
}

fn failures(made: &[&Done]) -> String {
    let failed = made.iter().filter(|done| done.is_error);
    let lines: Vec<String> = failed
        .map(|done| {
            format!(
                "- {} was refused: {}",
                units::code(&done.name),
                failure(done)
            )
        })
        .collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("\n\n{}", lines.join("\n"))
    }
}
