//! Addresses of charts: symbol, timeframe, drawing.

use std::cmp::Ordering;

use markets_wire::{Symbol, Timeframe};
use serde_json::Value;

use super::texts;
use crate::route::Page;

/// The board and the stage of this panel: the toolset of this name has them.
pub(super) const BOARD: &str = "markets";

/// The address of the first chart, and of the page that draws all of them.
pub(super) const CHART: &str = "/chart";

/// Returns whether the page offers a symbol in a timeframe.
pub(super) fn is_offered(symbol: Symbol, timeframe: Timeframe) -> bool {
    symbol.instrument().timeframes.contains(&timeframe)
}

/// Returns whether a timeframe has a button of its own; the others are in a menu.
pub(super) fn is_usual(timeframe: Timeframe) -> bool {
    use Timeframe::{D1, H1, H4};
    matches!(timeframe, H1 | H4 | D1)
}

/// Returns the name of a timeframe for people.
pub(super) fn label(timeframe: Timeframe) -> &'static str {
    match timeframe {
        Timeframe::M1 => texts::ONE_MINUTE,
        Timeframe::M5 => texts::FIVE_MINUTES,
        Timeframe::M15 => texts::QUARTER_HOUR,
        Timeframe::M30 => texts::HALF_HOUR,
        Timeframe::H1 => texts::ONE_HOUR,
        Timeframe::H4 => texts::FOUR_HOURS,
        Timeframe::D1 => texts::ONE_DAY,
        Timeframe::W1 => texts::ONE_WEEK,
        Timeframe::MN => texts::ONE_MONTH,
    }
}

/// A chart, perhaps with a drawing to select on it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct ChartAt {
    pub(crate) symbol: Symbol,
    pub(crate) timeframe: Timeframe,
    pub(crate) drawing: Option<String>,
}

/// The candles of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Market {
    pub(super) symbol: Symbol,
    pub(super) timeframe: Timeframe,
}

impl Market {
    /// Returns its name: `EURUSD/H1`.
    pub(super) fn name(self) -> String {
        format!("{}/{}", self.symbol, self.timeframe)
    }
}

impl ChartAt {
    /// Returns the candles on it.
    pub(super) fn market(&self) -> Market {
        Market {
            symbol: self.symbol,
            timeframe: self.timeframe,
        }
    }

    pub(super) fn name(&self) -> String {
        self.market().name()
    }

    /// Returns the chart of a symbol in the nearest timeframe that the page offers of it.
    pub(super) fn of_symbol(&self, symbol: Symbol) -> Self {
        let now = self.timeframe.seconds();
        let offered = Timeframe::ALL.into_iter();
        let offered = offered.filter(|timeframe| is_offered(symbol, *timeframe));
        let nearest = offered.min_by_key(|timeframe| (timeframe.seconds() - now).abs());
        Self {
            symbol,
            timeframe: nearest.unwrap_or(self.timeframe),
            drawing: None,
        }
    }

    /// Returns the chart in the next longer timeframe that its symbol has, or in the next shorter one.
    pub(super) fn in_next(&self, way: Ordering) -> Option<Self> {
        let mut offered = Timeframe::ALL.into_iter().filter(|timeframe| {
            timeframe.cmp(&self.timeframe) == way && is_offered(self.symbol, *timeframe)
        });
        let next = if way.is_gt() {
            offered.next()
        } else {
            offered.next_back()
        };
        Some(Self {
            symbol: self.symbol,
            timeframe: next?,
            drawing: None,
        })
    }

    /// Returns the chart of the part of an address after `/chart`.
    pub(crate) fn of(rest: &str) -> Option<Self> {
        let mut parts = rest.strip_prefix('/').unwrap_or(rest).split('/');
        let symbol = match parts.next() {
            None | Some("") => Symbol::default(),
            Some(name) => Symbol::named(name)?,
        };
        let timeframe = match parts.next() {
            None => Timeframe::default(),
            Some(name) => Timeframe::named(name)?,
        };
        let drawing = match parts.next() {
            None => None,
            Some(id) if is_plain(id) => Some(id.to_owned()),
            Some(_) => return None,
        };
        parts.next().is_none().then_some(Self {
            symbol,
            timeframe,
            drawing,
        })
    }

    /// Returns the chart of an address.
    pub(super) fn at_path(path: &str) -> Option<Self> {
        let rest = path.strip_prefix(CHART)?;
        if rest.is_empty() || rest.starts_with('/') {
            Self::of(rest)
        } else {
            None
        }
    }

    /// Returns the chart of a page.
    pub(super) fn shown_on(page: &Page) -> Option<Self> {
        match page {
            Page::Panel(path) => Self::at_path(path),
            _ => None,
        }
    }

    /// Returns its page.
    pub(super) fn page(&self) -> Page {
        Page::Panel(self.path())
    }

    pub(crate) fn path(&self) -> String {
        let drawing = self.drawing.as_deref().unwrap_or_default();
        let mut path = CHART.to_owned();
        for part in &[self.symbol.name(), self.timeframe.name(), drawing] {
            if !part.is_empty() {
                path.push('/');
                path.push_str(part);
            }
        }
        path
    }
}

/// Returns the identifier of a chart with the indicators on it: `EURUSD/H1/+MA+RSI`.
pub(super) fn with_indicators(mut chart: String, words: &str) -> String {
    for (place, word) in words.split_whitespace().enumerate() {
        chart.push_str(if place == 0 { "/+" } else { "+" });
        chart.push_str(word);
    }
    chart
}

/// Returns the identifier without the indicators.
pub(super) fn without_indicators(id: &str) -> &str {
    id.split_once("/+").map_or(id, |(chart, _)| chart)
}

/// Returns whether it can be the identifier of a drawing.
fn is_plain(id: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=80).contains(&id.len()) && id.bytes().all(sign)
}

/// Returns the path of the chart with a drawing, from its record; none if it was removed.
pub(super) fn path_of_drawing(record: &Value, timeframe: Timeframe) -> Option<String> {
    let id = record["id"].as_str().filter(|id| is_plain(id))?;
    let symbol = Symbol::named(record["symbol"].as_str()?)?;
    let at = ChartAt {
        symbol,
        timeframe,
        drawing: Some(id.to_owned()),
    };
    (record["removed"].as_bool() != Some(true)).then(|| at.path())
}

#[cfg(test)]
mod tests {
    use markets_wire::Instrument;

    use super::*;

    #[test]
    fn a_symbol_is_shown_in_a_timeframe_that_it_has() {
        Symbol::learn(Instrument {
            name: "HOURLY".to_owned(),
            timeframes: vec![Timeframe::M5, Timeframe::H1, Timeframe::D1],
            ..Symbol::EurUsd.instrument().clone()
        });
        let hourly = Symbol::named("HOURLY").unwrap();
        for (from, path) in [
            (Timeframe::H1, "/chart/HOURLY/H1"),
            (Timeframe::H4, "/chart/HOURLY/H1"),
            (Timeframe::W1, "/chart/HOURLY/D1"),
            (Timeframe::M1, "/chart/HOURLY/M5"),
        ] {
            let at = ChartAt {
                timeframe: from,
                drawing: Some("call_01".to_owned()),
                ..ChartAt::default()
            };
            assert_eq!(at.of_symbol(hourly).path(), path);
            let other = format!("/chart/USDJPY/{from}");
            assert_eq!(at.of_symbol(Symbol::UsdJpy).path(), other);
        }
        assert!(is_offered(hourly, Timeframe::M5) && !is_offered(hourly, Timeframe::W1));
        let next = |timeframe, way| {
            let at = ChartAt {
                symbol: hourly,
                timeframe,
                drawing: None,
            };
            at.in_next(way).map(|at| at.timeframe)
        };
        for (from, shorter, longer) in [
            (Timeframe::M5, None, Some(Timeframe::H1)),
            (Timeframe::H1, Some(Timeframe::M5), Some(Timeframe::D1)),
            (Timeframe::D1, Some(Timeframe::H1), None),
        ] {
            assert_eq!(next(from, Ordering::Less), shorter);
            assert_eq!(next(from, Ordering::Greater), longer);
        }
    }

    #[test]
    fn a_chart_is_named_with_its_indicators() {
        for (words, id) in [
            ("", "EURUSD/H1"),
            ("RSI ", "EURUSD/H1/+RSI"),
            ("MA VOL ", "EURUSD/H1/+MA+VOL"),
        ] {
            let named = with_indicators("EURUSD/H1".to_owned(), words);
            assert_eq!(named, id);
            assert_eq!(without_indicators(&named), "EURUSD/H1");
            // An indicator is no drawing.
            assert_eq!(words.is_empty(), ChartAt::of(id).is_some());
        }
    }

    #[test]
    fn addresses_and_charts_belong_together() {
        for (rest, path) in [
            ("", Some("/chart/EURUSD/H1")),
            ("/USDJPY", Some("/chart/USDJPY/H1")),
            ("/EURUSD/W1", Some("/chart/EURUSD/W1")),
            ("/EURUSD/H1/call_01", Some("/chart/EURUSD/H1/call_01")),
            ("/EURUSD/M1", Some("/chart/EURUSD/M1")),
            ("/EURUSD/MN", Some("/chart/EURUSD/MN")),
            ("/EURUSD/M2", None),
            ("/eurusd/H1", None),
            ("/EURUSD/H1/a b", None),
            ("/EURUSD/H1/..", None),
            ("/EURUSD/H1/a/b", None),
            ("/EURUSD/H1/", None),
        ] {
            let found = ChartAt::of(rest).map(|at| at.path());
            assert_eq!(found.as_deref(), path, "{rest}");
        }
    }
}
