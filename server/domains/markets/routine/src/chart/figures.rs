//! Figures that the words name, placed on what the candles show.

use rehearsal::routine::{View, is_filler, original, words};
use serde_json::{Value, json};

use super::{
    candles::{Candle, Chart, Swing},
    draw::Plan,
    release,
};
use crate::texts::plans;

/// A figure beside levels and fibonacci.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Figure {
    /// From the highest candle of the last day on, or from the candle of the newest release.
    Ray { release: bool },
    /// Through the last two lows, or highs.
    Trendline { highs: bool },
    /// From the last close to the nearest level ahead.
    Arrow,
    /// The highest and the lowest of the last week.
    Range,
    /// Around the swings of the strongest level.
    Zone { highs: bool },
    /// Around the newest high, or low.
    Circle { highs: bool },
    /// Around the newest candle that left a level behind and came back.
    FalseBreak,
    /// A text at the last low, or high, or at the release of this name.
    Marker { text: String, at: Option<bool> },
}

/// The release that a figure waits for: the newest one of this name, or of any.
pub(super) type ReleaseName<'a> = Option<&'a str>;

impl Figure {
    /// Reads it off the words.
    pub(super) fn read(question: &str) -> Option<Self> {
        let said = words(question);
        let any = |signs: &[&str]| said.iter().any(|word| signs.contains(&word.as_str()));
        let highs = any(&["high", "highs", "supply", "fall"]);
        let lows = any(&["low", "lows", "demand", "rise"]);
        Some(
            if any(&["ray"]) || any(&["from"]) && any(&["there"]) && (highs || lows) {
                Self::Ray {
                    release: any(&["release", "news"]),
                }
            } else if any(&["trendline", "trendlines"]) {
                Self::Trendline { highs }
            } else if any(&["arrow"]) {
                Self::Arrow
            } else if any(&["zone", "box", "rectangle"]) {
                Self::Zone { highs }
            } else if any(&["range"]) {
                Self::Range
            } else if any(&["false"]) && any(&["break", "breakout"]) {
                Self::FalseBreak
            } else if any(&["circle"]) || any(&["point"]) && any(&["at"]) {
                Self::Circle { highs: !lows }
            } else if any(&["marker"]) || any(&["write"]) || any(&["mark"]) && any(&["on"]) {
                Self::Marker {
                    text: text(question)?,
                    at: (highs || lows).then_some(highs),
                }
            } else {
                return None;
            },
        )
    }

    /// The release that it is placed at.
    pub(super) fn release(&self) -> Option<ReleaseName<'_>> {
        match self {
            Self::Ray { release: true } => Some(None),
            Self::Marker { text, at: None } => Some(Some(text)),
            _ => None,
        }
    }

    /// The drawing; none where the candles do not show its places.
    pub(super) fn plan(&self, chart: &Chart, view: &View<'_>) -> Option<Plan> {
        let day = chart.since(24);
        let release = self.release().and_then(|name| {
            let (name, time) = release::newest(view, name)?;
            Some((name, chart.at(&time)?))
        });
        match self {
            Self::Ray { release: wanted } => {
                let (top, what) = match (wanted, &release) {
                    (true, release) => {
                        let (name, candle) = release.as_ref()?;
                        (*candle, plans::high_of_candle(name))
                    }
                    (false, _) => (
                        day.iter().max_by(|a, b| a.high.total_cmp(&b.high))?,
                        plans::HIGHEST_OF_DAY.to_owned(),
                    ),
                };
                Some(Plan::figure(
                    "draw_horizontal_ray",
                    "horizontal_ray",
                    json!({ "start": top.time, "price": top.high }),
                    plans::high(&chart.show(top.high)),
                    plans::at(&what, &top.time),
                    vec![(top.time.clone(), top.high)],
                ))
            }
            Self::Trendline { highs } => {
                let (from, to) = last_two(chart, *highs)?;
                let what = plans::last_two(*highs);
                Some(line(chart, &from, &to, "segment", &what))
            }
            Self::Arrow => {
                let levels = [true, false]
                    .into_iter()
                    .flat_map(|side| chart.levels(side));
                let last = &chart.last;
                let nearest = levels.min_by(|a, b| {
                    let far = |price: f64| (price - last.close).abs();
                    far(a.price).total_cmp(&far(b.price))
                })?;
                let from = chart.candles.iter().rev().nth(5)?;
                let from = Swing {
                    time: from.time.clone(),
                    price: from.close,
                    is_high: false,
                };
                let to = Swing {
                    time: last.time.clone(),
                    price: nearest.price,
                    is_high: true,
                };
                Some(line(chart, &from, &to, "arrow", plans::NEAREST_LEVEL))
            }
            Self::Range => {
                let week = chart.since(7 * 24);
                let high = week.iter().map(|candle| candle.high).reduce(f64::max)?;
                let low = week.iter().map(|candle| candle.low).reduce(f64::min)?;
                boxed(chart, week.first()?, high, week.last()?, low, plans::RANGE)
            }
            Self::Zone { highs } => {
                let level = chart.levels(!highs).into_iter().next()?;
                let prices = || level.swings.iter().map(|swing| swing.price);
                let half = chart.mean_range() / 2.0;
                let high = prices().fold(f64::NEG_INFINITY, f64::max) + half;
                let low = prices().fold(f64::INFINITY, f64::min) - half;
                let first = level.swings.first()?;
                let from = chart
                    .candles
                    .iter()
                    .find(|candle| candle.time == first.time)?;
                let title = if *highs { plans::SUPPLY } else { plans::DEMAND };
                boxed(
                    chart,
                    from,
                    chart.round(high),
                    &chart.last,
                    chart.round(low),
                    title,
                )
            }
            Self::Circle { highs } => {
                let swing = newest(chart, *highs)?;
                let at = chart
                    .candles
                    .iter()
                    .position(|candle| candle.time == swing.time)?;
                let edge = chart.candles.get(at + 3).unwrap_or(&chart.last);
                let what = plans::newest(*highs);
                Some(circle(chart, &swing.time, swing.price, &edge.time, &what))
            }
            Self::FalseBreak => {
                let (at, level, edge) = false_break(chart)?;
                let candle = chart.candles.get(at)?;
                let end = chart.candles.get(at + 3).unwrap_or(&chart.last);
                let what = plans::false_break(&chart.show(level));
                Some(circle(chart, &candle.time, edge, &end.time, &what))
            }
            Self::Marker { text, at } => {
                let place = match at {
                    Some(highs) => newest(chart, *highs)?,
                    None => {
                        let (_, candle) = release?;
                        Swing {
                            time: candle.time.clone(),
                            price: candle.close,
                            is_high: true,
                        }
                    }
                };
                Some(Plan::figure(
                    "draw_marker",
                    "marker",
                    json!({ "at": { "time": place.time, "price": place.price }, "text": text }),
                    text.clone(),
                    plans::asked_for_at(&place.time),
                    vec![(place.time.clone(), place.price)],
                ))
            }
        }
    }
}

/// The text of a marker: the words in quotes, else those between the verb and `on`.
fn text(question: &str) -> Option<String> {
    if let Some((_, rest)) = question.split_once('"')
        && let Some((quoted, _)) = rest.split_once('"')
    {
        return Some(quoted.to_owned());
    }
    let said = original(question);
    let words = said
        .iter()
        .skip(1)
        .take_while(|word| !is_filler(&word.to_lowercase()));
    let words: Vec<&str> = words.copied().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The newest candle that reached beyond a level and closed on the side that the one before closed
/// on: its place, the level, and how far it came.
fn false_break(chart: &Chart) -> Option<(usize, f64, f64)> {
    let levels: Vec<f64> = [true, false]
        .into_iter()
        .flat_map(|side| chart.levels(side))
        .map(|level| level.price)
        .collect();
    let broken = |at: usize| {
        let before = chart.candles.get(at.checked_sub(1)?)?;
        let candle = chart.candles.get(at)?;
        levels.iter().find_map(|level| {
            let was_below = before.close < *level && candle.close < *level;
            let was_above = before.close > *level && candle.close > *level;
            match (was_below, was_above) {
                (true, _) if candle.high > *level => Some((at, *level, candle.high)),
                (_, true) if candle.low < *level => Some((at, *level, candle.low)),
                _ => None,
            }
        })
    };
    (1..chart.candles.len()).rev().find_map(broken)
}

fn circle(chart: &Chart, time: &str, price: f64, end: &str, what: &str) -> Plan {
    let edge = chart.round(price - chart.mean_range());
    Plan::figure(
        "draw_circle",
        "circle",
        json!({
            "centre": { "time": time, "price": price },
            "edge": { "time": end, "price": edge },
        }),
        what.to_owned(),
        plans::price_at(what, &chart.show(price), time),
        vec![(time.to_owned(), price)],
    )
}

fn newest(chart: &Chart, highs: bool) -> Option<Swing> {
    let swings = chart.swings();
    swings.into_iter().rfind(|swing| swing.is_high == highs)
}

fn last_two(chart: &Chart, highs: bool) -> Option<(Swing, Swing)> {
    let swings = chart.swings();
    let mut side = swings
        .into_iter()
        .rev()
        .filter(|swing| swing.is_high == highs);
    let to = side.next()?;
    Some((side.next()?, to))
}

fn line(chart: &Chart, from: &Swing, to: &Swing, extent: &str, what: &str) -> Plan {
    let anchor = |swing: &Swing| json!({ "time": swing.time, "price": swing.price });
    Plan::figure(
        "draw_trendline",
        "trendline",
        json!({ "from": anchor(from), "to": anchor(to), "extent": extent }),
        what.to_owned(),
        plans::two_prices(
            what,
            [&chart.show(from.price), &from.time],
            [&chart.show(to.price), &to.time],
        ),
        vec![(from.time.clone(), from.price), (to.time.clone(), to.price)],
    )
}

fn boxed(
    chart: &Chart,
    from: &Candle,
    high: f64,
    to: &Candle,
    low: f64,
    title: &str,
) -> Option<Plan> {
    let shape: Value = json!({
        "from": { "time": from.time, "price": high },
        "to": { "time": to.time, "price": low },
    });
    (from.time != to.time).then(|| {
        Plan::figure(
            "draw_rectangle",
            "rectangle",
            shape,
            title.to_owned(),
            plans::between(title, &chart.show(low), &chart.show(high), &from.time),
            vec![(from.time.clone(), high), (to.time.clone(), low)],
        )
    })
}
