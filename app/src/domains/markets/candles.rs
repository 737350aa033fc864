//! Candles of the page, and the merge of the current hour into the newest one.

use protocol::FromJson;
use serde_json::{Value, json};

use super::place::Timeframe;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candle {
    /// Opening time, in seconds since 1970.
    pub(super) at: i64,
    pub(super) open: f64,
    pub(super) high: f64,
    pub(super) low: f64,
    pub(super) close: f64,
    pub(super) volume: f64,
}

impl Candle {
    pub(super) fn json(&self) -> Value {
        let Self {
            at,
            open,
            high,
            low,
            close,
            volume,
        } = self;
        json!([at, open, high, low, close, volume])
    }
}

/// A page of candles, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Page {
    pub(super) candles: Vec<Candle>,
    /// True if there are older ones.
    pub(super) more: bool,
    /// Their source.
    pub(super) source: String,
    /// True if they are synthetic.
    pub(super) synthetic: bool,
    /// Time after which ends of candles are simulated, in seconds since 1970.
    pub(super) simulated_from: Option<i64>,
    /// The JSON as it came, for the chart.
    pub(super) json: Value,
}

impl FromJson for Page {
    fn from_json(json: Value) -> Option<Self> {
        let rows = json.get("candles")?.as_array()?;
        let candles = rows.iter().map(|row| {
            let number = |n: usize| row.get(n).and_then(Value::as_f64);
            Some(Candle {
                at: row.get(0).and_then(Value::as_i64)?,
                open: number(1)?,
                high: number(2)?,
                low: number(3)?,
                close: number(4)?,
                volume: number(5).unwrap_or_default(),
            })
        });
        let candles = candles.collect::<Option<_>>()?;
        let is = |name: &str| json.get(name).and_then(Value::as_bool) == Some(true);
        let source = json.get("source").and_then(Value::as_str);
        Some(Self {
            candles,
            more: is("more"),
            source: source.unwrap_or_default().to_owned(),
            synthetic: is("synthetic"),
            simulated_from: json.get("simulated_from").and_then(Value::as_i64),
            json,
        })
    }
}

/// Returns the newest candle with the current hour merged in, or the one after it; none if the hour
/// is older.
pub(super) fn with_hour(
    last: Option<Candle>,
    hour: Candle,
    timeframe: Timeframe,
) -> Option<Candle> {
    let Some(last) = last else {
        return Some(hour);
    };
    let length = timeframe.seconds();
    if hour.at < last.at {
        return None;
    }
    if timeframe == Timeframe::H1 {
        return Some(hour);
    }
    if hour.at < last.at + length {
        return Some(Candle {
            high: last.high.max(hour.high),
            low: last.low.min(hour.low),
            close: hour.close,
            ..last
        });
    }
    let later = (hour.at - last.at) / length * length;
    Some(Candle {
        at: last.at + later,
        ..hour
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candle(at: i64, high: f64, close: f64) -> Candle {
        Candle {
            at,
            open: 1.0,
            high,
            low: 0.5,
            close,
            volume: 1.0,
        }
    }

    #[test]
    fn an_hour_belongs_to_the_candle_that_it_is_in() {
        let last = candle(14_400, 2.0, 1.5);
        let hour = |at| candle(at, 3.0, 1.1);
        let of = |at, frame| with_hour(Some(last), hour(at), frame);
        assert_eq!(of(10_800, Timeframe::H1), None);
        assert_eq!(of(14_400, Timeframe::H1), Some(hour(14_400)));
        assert_eq!(of(18_000, Timeframe::H1), Some(hour(18_000)));
        assert_eq!(of(18_000, Timeframe::H4), Some(candle(14_400, 3.0, 1.1)));
        assert_eq!(of(28_800, Timeframe::H4), Some(hour(28_800)));
        assert_eq!(of(46_800, Timeframe::H4), Some(hour(43_200)));
        assert_eq!(with_hour(None, hour(0), Timeframe::D1), Some(hour(0)));
    }

    #[test]
    fn a_page_is_read_whole_or_not_at_all() {
        let json =
            json!({ "candles": [[3_600, 1.0, 2.0, 0.5, 1.5, 1]], "more": true, "source": "x" });
        let page = Page::from_json(json).unwrap();
        assert_eq!(page.candles, [candle(3_600, 2.0, 1.5)]);
        assert!(page.more && !page.synthetic);
        assert_eq!(Page::from_json(json!({ "candles": [[3_600, 1.0]] })), None);
        assert_eq!(Page::from_json(json!({})), None);
    }
}
