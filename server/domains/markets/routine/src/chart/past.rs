//! The course of the price over a span of time up to now.

use rehearsal::routine::{Call, View, is_filler, is_span, units, words};
use serde_json::{Value, json};

use super::{READ_CANDLES, Subject, call, once};
use crate::texts::{
    self,
    past::{self, ShownPrices},
};

/// A span of time up to now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Past {
    hours: u64,
    /// The words for it.
    span: &'static str,
    asked: Asked,
}

/// The part of the course that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Course,
    /// The opening of this span.
    Opening(&'static str),
    Highest,
    Lowest,
    Trend,
}

/// A span, with the hours in it and the timeframe whose candles are that long.
const SPANS: [(&str, u64, &str); 4] = [
    ("hour", 1, "H1"),
    ("day", 24, "D1"),
    ("week", 7 * 24, "W1"),
    ("month", 30 * 24, "MN"),
];

/// Words for what the price did.
const HAPPENED: [&str; 3] = ["happened", "changed", "moved"];

/// Words for the extremes and the direction of a course.
const HIGHEST: [&str; 4] = ["highest", "high", "peak", "top"];
const LOWEST: [&str; 3] = ["lowest", "low", "bottom"];
const TREND: [&str; 6] = [
    "trend",
    "trending",
    "rising",
    "falling",
    "climbing",
    "direction",
];

/// Charts by the length of their candles, with the span that shows a trend on them.
const CHARTS: [(&str, &str); 4] = [
    ("hourly", "day"),
    ("daily", "month"),
    ("weekly", "month"),
    ("monthly", "month"),
];

/// Timeframes with the hours of a candle.
const FRAMES: [(&str, u64); 3] = [("H1", 1), ("H4", 4), ("D1", 24)];

/// A change of less than this share of the range is no direction.
const FLAT: f64 = 0.2;

/// Most candles that a span is read in.
const MOST: u64 = 60;

impl Past {
    /// Reads it off the words; none unless they name a symbol, or nothing but the span beside a chart.
    pub(super) fn read(view: &View<'_>) -> Option<Self> {
        let said = words(&view.question);
        let any = |signs: &[&str]| said.iter().any(|word| signs.contains(&word.as_str()));
        let span = said.iter().find_map(|word| {
            let word = match word.as_str() {
                "today" => "day",
                "h" => "hour",
                word => word.strip_suffix('s').unwrap_or(word),
            };
            SPANS.iter().find(|(name, ..)| *name == word)
        });
        let asked = [
            (&HIGHEST[..], Asked::Highest),
            (&LOWEST[..], Asked::Lowest),
            (&TREND[..], Asked::Trend),
        ];
        let asked = asked
            .into_iter()
            .find(|(signs, _)| any(signs))
            .map(|(_, asked)| asked);
        let of_chart = said.iter().find_map(|word| {
            let (_, span) = CHARTS.iter().find(|(name, _)| name == word)?;
            SPANS.iter().find(|(name, ..)| name == span)
        });
        let month = || (asked == Some(Asked::Trend)).then_some(&SPANS[3]);
        let span = span.or(of_chart).or_else(month);
        let attached = view.attached.iter().any(|(kind, _)| kind == "chart");
        // "What happened?" beside a chart is what the price did of late.
        let is_day = any(&["24h"]) || attached && any(&HAPPENED);
        let (name, hours, _) = *span.or_else(|| is_day.then_some(&SPANS[1]))?;
        if any(&["next", "will", "tomorrow"]) {
            return None;
        }
        let number = said.iter().find_map(|word| word.parse::<u64>().ok());
        let number = number.filter(|number| (1..=1_000).contains(number));
        let opening = any(&["open", "opened", "opening"]).then_some(name);
        let symbol =
            Subject::named(view).is_some() || asked.is_some() && Subject::means_currency(view);
        let is_bare = said.iter().all(|word| {
            let is_known = ["h", "chart", "market"].contains(&word.as_str());
            let is_known = is_known || HAPPENED.contains(&word.as_str());
            let of_course = asked.is_some()
                && ["price", "prices", "up", "down", "sideways"].contains(&word.as_str());
            let is_known = is_known
                || of_course
                || CHARTS.iter().any(|(name, _)| name == word)
                || [&HIGHEST[..], &LOWEST[..], &TREND[..]]
                    .iter()
                    .any(|signs| signs.contains(&word.as_str()));
            is_known || is_filler(word) || is_span(word) || word.parse::<u64>().is_ok()
        });
        let shows = any(&["show", "last", "past"]) && !any(&["mark", "draw"]);
        let is_meant =
            symbol && (opening.is_some() || shows || asked.is_some()) || attached && is_bare;
        let asked = match (opening, asked) {
            (Some(span), _) => Asked::Opening(span),
            (None, Some(asked)) => asked,
            (None, None) => Asked::Course,
        };
        is_meant.then_some(Self {
            hours: hours * number.unwrap_or(1),
            span: name,
            asked,
        })
    }

    /// The timeframe and the number of candles to read.
    fn candles(self) -> (&'static str, u64) {
        if let Asked::Opening(span) = self.asked
            && let Some((_, _, frame)) = SPANS.iter().find(|(name, ..)| *name == span)
        {
            return (frame, 1);
        }
        let fits = |(_, hours): &&(&str, u64)| self.hours / hours <= MOST;
        let (frame, hours) = FRAMES.iter().find(fits).unwrap_or(&FRAMES[2]);
        (frame, (self.hours / hours).max(1))
    }

    /// The next calls; nothing at all where the tool is missing.
    pub(super) fn calls(self, view: &View<'_>, subject: &Subject) -> Option<Vec<Call>> {
        let tool = view.tool(READ_CANDLES)?;
        let (frame, count) = self.candles();
        let most = tool.schema["properties"]["count"]["maximum"].as_u64();
        let input = json!({
            "symbol": subject.symbol,
            "timeframe": frame,
            "count": most.map_or(count, |most| most.min(count)),
        });
        let planned = call(tool, &input);
        Some(once(view, tool, &planned.input))
    }

    /// The answer from the candles.
    pub(super) fn told(self, view: &View<'_>, subject: &Subject) -> String {
        let symbol = units::safe(&subject.symbol);
        let mut done = view.done.iter().rev();
        let Some(done) = done.find(|done| done.name == READ_CANDLES) else {
            return past::not_read(&symbol);
        };
        let (Some(rows), Some(chart)) = (rows(&done.data), super::chart(view)) else {
            return past::none_stored(&symbol);
        };
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return past::none_stored(&symbol);
        };
        let high = rows.iter().map(|row| row.high).fold(f64::MIN, f64::max);
        let low = rows.iter().map(|row| row.low).fold(f64::MAX, f64::min);
        let show = |price: f64| chart.show(price);
        let from = units::value("time", &first.time.clone().into());
        let way = if last.close < first.open {
            "down"
        } else {
            "up"
        };
        let extreme = |is_high: bool| {
            let mut rows = rows.iter();
            let row = rows.find(|row| {
                if is_high {
                    row.high >= high
                } else {
                    row.low <= low
                }
            });
            let at = row.map_or("", |row| row.time.as_str());
            let price = show(if is_high { high } else { low });
            let at = units::value("time", &at.into());
            past::extreme(&symbol, self.span, is_high, &price, &at)
        };
        let (open, close) = (show(first.open), show(last.close));
        let (shown_low, shown_high) = (show(low), show(high));
        let prices = ShownPrices {
            open: &open,
            close: &close,
            low: &shown_low,
            high: &shown_high,
        };
        let mut text = match self.asked {
            Asked::Highest => extreme(true),
            Asked::Lowest => extreme(false),
            Asked::Trend => {
                let change = last.close - first.open;
                let is_flat = change.abs() < FLAT * (high - low);
                let way = if is_flat { "sideways" } else { way };
                past::trend(&symbol, self.span, way, &prices)
            }
            Asked::Opening(span) => past::opened(&symbol, span, way, &prices),
            Asked::Course => past::course(&symbol, &from, way, &prices),
        };
        if matches!(self.asked, Asked::Opening(_)) {
            text.push_str(&past::range_since(&from, &prices));
        }
        if let Some(from) = &chart.simulated_from {
            let from = units::value("time", &from.clone().into());
            text.push_str(&texts::simulated_from(&from));
        }
        text
    }
}

struct Ohlc {
    time: String,
    open: f64,
    high: f64,
    low: f64,
    close: f64,
}

fn rows(data: &Value) -> Option<Vec<Ohlc>> {
    let columns = data["columns"].as_array()?;
    let column = |name: &str| columns.iter().position(|column| column == name);
    let places = [
        column("open")?,
        column("high")?,
        column("low")?,
        column("close")?,
    ];
    let time = column("time")?;
    let rows = data["rows"].as_array()?.iter().map(|row| {
        let [open, high, low, close] = places.map(|at| row[at].as_f64());
        Some(Ohlc {
            time: row[time].as_str()?.to_owned(),
            open: open?,
            high: high?,
            low: low?,
            close: close?,
        })
    });
    rows.collect()
}
