//! Figures that a model wants drawn: JSON in a fenced block with the word [`PLOT`]. The schema is
//! closed and bounded, as the text may be anything.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::fence::CodeFence;

/// The word after the fence.
pub const PLOT: &str = "plot";

/// The longest block, in bytes.
const MOST_BYTES: usize = 64 * 1024;
const MOST_SERIES: usize = 8;
/// Values of a series.
const MOST_VALUES: usize = 500;
/// Characters of the title, of a name and of a unit.
const MOST_TITLE: usize = 120;
const MOST_NAME: usize = 60;
const MOST_UNIT: usize = 16;
/// The largest number, so that sums and differences stay finite and readable.
const LARGEST: f64 = 1e15;
/// The longest step, in seconds: a year.
const LONGEST_STEP: u64 = 366 * 86_400;

/// A drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    pub kind: PlotKind,
    pub title: String,
    /// Such as `%`, `bytes` or `°C`; empty for plain numbers.
    pub unit: String,
    pub axis: PlotAxis,
    /// One to eight, each as long as the axis, with at least one number among them.
    pub series: Vec<PlotSeries>,
    /// The upper end of the scale, above zero.
    pub max: Option<f64>,
}

/// The form of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotKind {
    Line,
    Bars,
    /// A small line without axes.
    Spark,
    /// One value per series, as a share of `max`.
    Gauge,
}

/// The meaning of the places of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlotAxis {
    /// The first moment in seconds since 1970, and the seconds between two values.
    Time {
        from: i64,
        step: u64,
    },
    Labels(Vec<String>),
    /// Only the order is known.
    Order,
}

/// A series of values.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotSeries {
    pub name: String,
    /// None where there is no number.
    pub values: Vec<Option<f64>>,
}

/// The ends of a series, each with its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlotEnds {
    pub low: (usize, f64),
    pub high: (usize, f64),
    pub last: (usize, f64),
}

impl Plot {
    /// Reads the content of a block. None if it is not exactly such a drawing.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MOST_BYTES {
            return None;
        }
        let Value::Object(mut map) = serde_json::from_str(text).ok()? else {
            return None;
        };
        let kind = match map.remove("kind")?.as_str()? {
            "line" => PlotKind::Line,
            "bars" => PlotKind::Bars,
            "spark" => PlotKind::Spark,
            "gauge" => PlotKind::Gauge,
            _ => return None,
        };
        let title = words(map.remove("title")?, 1, MOST_TITLE)?;
        let unit = match map.remove("unit") {
            Some(unit) => words(unit, 0, MOST_UNIT)?,
            None => String::new(),
        };
        let max = match map.remove("max") {
            Some(max) => Some(number(&max).filter(|max| *max > 0.0)?),
            None => None,
        };
        let Value::Array(list) = map.remove("series")? else {
            return None;
        };
        if list.is_empty() || list.len() > MOST_SERIES {
            return None;
        }
        let series: Vec<_> = list.into_iter().map(series).collect::<Option<_>>()?;
        let length = series.first()?.values.len();
        let axis = axis(&mut map, length)?;
        let plot = Self {
            kind,
            title,
            unit,
            axis,
            series,
            max,
        };
        // Anything else is another schema, whose meaning is unknown.
        (map.is_empty() && plot.is_whole(length)).then_some(plot)
    }

    fn is_whole(&self, length: usize) -> bool {
        let even = self
            .series
            .iter()
            .all(|series| series.values.len() == length);
        let some = self.series.iter().any(|series| series.ends().is_some());
        let fits = match self.kind {
            PlotKind::Gauge => length == 1 && (self.max.is_some() || self.unit == "%"),
            PlotKind::Line | PlotKind::Bars | PlotKind::Spark => true,
        };
        even && some && fits
    }

    /// Returns the scale: its lower and its upper end, which differ.
    pub fn scale(&self) -> (f64, f64) {
        let ends = || self.series.iter().filter_map(PlotSeries::ends);
        let low = ends().map(|ends| ends.low.1).fold(f64::INFINITY, f64::min);
        let high = ends()
            .map(|ends| ends.high.1)
            .fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = match self.kind {
            // The height of a line is read against the others; only its course counts.
            PlotKind::Spark => (low, high),
            _ => {
                let high = self.max.map_or(high, |max| max.max(high));
                (low.min(0.0), high.max(0.0))
            }
        };
        if high > low {
            (low, high)
        } else {
            (low, low + 1.0)
        }
    }

    /// Formats a value with its unit.
    pub fn value(&self, value: f64) -> String {
        match self.unit.as_str() {
            "" => plain(value),
            "%" => format!("{} %", plain((value * 10.0).round() / 10.0)),
            "bytes" | "B" if value >= 0.0 => units::size(value.round() as u64),
            "bytes/s" | "B/s" if value >= 0.0 => format!("{}/s", units::size(value.round() as u64)),
            "s" | "seconds" if value >= 60.0 => units::span(value.round() as u64),
            unit => format!("{} {unit}", plain(value)),
        }
    }

    /// Names a place on the axis. `clock` formats seconds since 1970.
    pub fn place(&self, at: usize, clock: &dyn Fn(i64) -> String) -> String {
        match &self.axis {
            PlotAxis::Time { from, step } => {
                let passed = i64::try_from(step.saturating_mul(at as u64)).unwrap_or(i64::MAX);
                clock(from.saturating_add(passed))
            }
            PlotAxis::Labels(labels) => labels.get(at).cloned().unwrap_or_default(),
            PlotAxis::Order => (at + 1).to_string(),
        }
    }

    /// Describes the drawing in one line. `clock` formats seconds since 1970.
    pub fn in_words(&self, clock: &dyn Fn(i64) -> String) -> String {
        let said = self.series.iter().map(|series| self.said(series, clock));
        format!("{}: {}", self.title, said.collect::<Vec<_>>().join("; "))
    }

    fn said(&self, series: &PlotSeries, clock: &dyn Fn(i64) -> String) -> String {
        let name = match self.series.len() {
            1 => String::new(),
            _ => format!("{} ", series.name),
        };
        let Some(ends) = series.ends() else {
            return format!("{name}unknown");
        };
        if series.values.len() == 1 {
            return match self.max {
                Some(max) => format!("{name}{} of {}", self.value(ends.last.1), self.value(max)),
                None => format!("{name}{}", self.value(ends.last.1)),
            };
        }
        let (place, high) = ends.high;
        format!(
            "{name}last {}, lowest {}, highest {} at {}",
            self.value(ends.last.1),
            self.value(ends.low.1),
            self.value(high),
            self.place(place, clock)
        )
    }
}

impl PlotSeries {
    /// Returns its ends; none without a number.
    pub fn ends(&self) -> Option<PlotEnds> {
        let mut ends: Option<PlotEnds> = None;
        for (at, value) in self.values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let here = (at, value);
            let found = ends.get_or_insert(PlotEnds {
                low: here,
                high: here,
                last: here,
            });
            if value < found.low.1 {
                found.low = here;
            }
            if value > found.high.1 {
                found.high = here;
            }
            found.last = here;
        }
        ends
    }
}

/// Replaces drawings at the left margin of a text with one line of text each. `clock` formats seconds
/// since 1970.
pub fn say_plots<'a>(text: &'a str, clock: &dyn Fn(i64) -> String) -> Cow<'a, str> {
    if !text.contains(PLOT) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let fence = CodeFence::opened_by(line);
        out.push_str(line);
        let Some(fence) = fence else { continue };
        let word = line.trim_start_matches(['`', '~']).trim();
        let (start, body) = (out.len() - line.len(), out.len());
        let mut closed = None;
        for line in lines.by_ref() {
            let end = out.len();
            out.push_str(line);
            if fence.is_closed_by(line) {
                closed = Some(end);
                break;
            }
        }
        let drawing = closed
            .filter(|_| word == PLOT)
            .and_then(|end| Plot::parse(&out[body..end]));
        if let Some(plot) = drawing {
            out.truncate(start);
            out.push_str(&format!("Graph: {}\n", plot.in_words(clock)));
        }
    }
    Cow::Owned(out)
}

fn series(value: Value) -> Option<PlotSeries> {
    let Value::Object(mut map) = value else {
        return None;
    };
    let name = words(map.remove("name")?, 1, MOST_NAME)?;
    let Value::Array(values) = map.remove("values")? else {
        return None;
    };
    if values.is_empty() || values.len() > MOST_VALUES || !map.is_empty() {
        return None;
    }
    let read = |value: &Value| match value {
        Value::Null => Some(None),
        value => number(value).map(Some),
    };
    let values = values.iter().map(read).collect::<Option<_>>()?;
    Some(PlotSeries { name, values })
}

fn axis(map: &mut Map<String, Value>, length: usize) -> Option<PlotAxis> {
    match (map.remove("from"), map.remove("step"), map.remove("labels")) {
        (Some(from), Some(step), None) => {
            let from = units::civil::seconds(from.as_str()?)?;
            let step = step
                .as_u64()
                .filter(|step| (1..=LONGEST_STEP).contains(step))?;
            Some(PlotAxis::Time { from, step })
        }
        (None, None, Some(Value::Array(labels))) => {
            let labels = labels.into_iter().map(|label| words(label, 0, MOST_NAME));
            let labels: Vec<_> = labels.collect::<Option<_>>()?;
            (labels.len() == length).then_some(PlotAxis::Labels(labels))
        }
        (None, None, None) => Some(PlotAxis::Order),
        _ => None,
    }
}

/// Takes a text of one line.
fn words(value: Value, least: usize, most: usize) -> Option<String> {
    let Value::String(text) = value else {
        return None;
    };
    let length = text.trim().chars().count();
    let fits = (least..=most).contains(&length) && !text.contains(char::is_control);
    fits.then(|| text.trim().to_owned())
}

fn number(value: &Value) -> Option<f64> {
    let number = value.as_f64()?;
    (number.is_finite() && number.abs() <= LARGEST).then_some(number)
}

/// Formats a number with two digits after the point at most.
fn plain(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

#[cfg(test)]
mod tests;
