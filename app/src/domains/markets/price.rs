//! The current price of a symbol, as the board has it.

use protocol::FromJson;
use serde_json::Value;

use super::{candles::Candle, time};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Price {
    pub(super) bid: f64,
    pub(super) ask: f64,
    pub(super) spread_pips: f64,
    pub(super) at: String,
    /// The reason why it is no market price; none if it is one.
    pub(super) simulated: Option<String>,
    /// The current hour.
    pub(super) bar: Option<Candle>,
}

impl FromJson for Price {
    fn from_json(json: Value) -> Option<Self> {
        let number = |name: &str| json.get(name).and_then(Value::as_f64);
        let text = |name: &str| json.get(name).and_then(Value::as_str).unwrap_or_default();
        let why = match text("why") {
            "" => "No reason given.",
            why => why,
        };
        let simulated = json.get("simulated").and_then(Value::as_bool);
        Some(Self {
            bid: number("bid")?,
            ask: number("ask")?,
            spread_pips: number("spread_pips")?,
            at: text("at").to_owned(),
            simulated: (simulated != Some(false)).then(|| why.to_owned()),
            bar: json.get("bar").and_then(bar),
        })
    }
}

fn bar(json: &Value) -> Option<Candle> {
    let number = |name: &str| json.get(name).and_then(Value::as_f64);
    let at = match json.get("time")? {
        Value::String(text) => time::seconds(text)?,
        number => number.as_i64()?,
    };
    Some(Candle {
        at,
        open: number("open")?,
        high: number("high")?,
        low: number("low")?,
        close: number("close")?,
        volume: number("volume").unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_say_that_it_is_real_is_simulated() {
        let json = json!({ "symbol": "EURUSD", "bid": 1.2, "ask": 1.20012, "spread_pips": 1.2,
            "at": "2017-12-29T21:30:00Z",
            "bar": { "time": "2017-12-29T21:00:00Z", "open": 1.2, "high": 1.3, "low": 1.1, "close": 1.2 } });
        let price = Price::from_json(json.clone()).unwrap();
        assert!(price.simulated.is_some());
        assert_eq!(price.bar.unwrap().at, 1_514_581_200);
        let mut real = json;
        real["simulated"] = false.into();
        real["bar"] = Value::Null;
        let real = Price::from_json(real).unwrap();
        assert_eq!((real.simulated, real.bar), (None, None));
        assert_eq!(Price::from_json(json!({ "bid": 1.2 })), None);
    }
}
