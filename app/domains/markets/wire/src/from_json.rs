//! JSON reading without `serde`'s generated code, as the browser does it.

use protocol::{FromJson, struct_from_json, take_field};
use serde_json::{Map, Value};

use crate::{
    Anchor, CandleRow, CandlesPage, Change, Check, Content, Drawing, DrawingKey, DrawingPart,
    FieldChange, Figures, HourPart, LevelSeen, Life, Mark, Points, PricePart, Quoted, Risk, Scroll,
    Shape, Style,
};

struct_from_json!(Anchor { time, price });
struct_from_json!(Content {
    shape,
    style,
    label,
    note,
    tags,
    importance,
    visible_on,
    locked,
    hidden,
});
struct_from_json!(FieldChange { field, from, to });
struct_from_json!(Change {
    time,
    actor,
    reason,
    changes,
    call,
    group
});
struct_from_json!(Drawing {
    id,
    owner,
    symbol,
    content,
    reason,
    actor,
    call,
    conversation,
    message,
    group,
    candles,
    created_at,
    life,
    version,
    removed,
    changes,
    dropped,
});
struct_from_json!(Life {
    state,
    since,
    opened,
    closed,
    cause
});
struct_from_json!(Mark { time, price });
struct_from_json!(Check {
    of,
    touches,
    last_touch,
    distance_pips,
    prospective,
    bars,
    levels,
});
struct_from_json!(LevelSeen {
    level,
    price,
    touches,
    last_touch,
    distance_pips
});
struct_from_json!(Figures {
    reward_to_risk,
    reward_pips,
    risk_pips,
    lots,
    bound_by,
    balance_at_target,
    balance_at_stop,
    warning,
});
struct_from_json!(Quoted {
    symbol,
    bid,
    ask,
    spread_pips,
    at,
    simulated,
    why,
    bar,
});
struct_from_json!(DrawingKey {
    id,
    symbol,
    version,
    removed
});
struct_from_json!(Scroll {
    symbol,
    timeframe,
    time
});

fn read<T: FromJson>(map: &mut Map<String, Value>, name: &str) -> Option<T> {
    T::from_json(take_field(map, name))
}

impl FromJson for Shape {
    fn from_json(json: Value) -> Option<Self> {
        let Value::Object(mut map) = json else {
            return None;
        };
        let kind: String = read(&mut map, "kind")?;
        Some(match kind.as_str() {
            "horizontal_line" => Self::HorizontalLine {
                price: read(&mut map, "price")?,
            },
            "horizontal_ray" => Self::HorizontalRay {
                start: read(&mut map, "start")?,
                price: read(&mut map, "price")?,
            },
            "trendline" => Self::Trendline {
                from: read(&mut map, "from")?,
                to: read(&mut map, "to")?,
                extent: read(&mut map, "extent")?,
            },
            "rectangle" => Self::Rectangle {
                from: read(&mut map, "from")?,
                to: read(&mut map, "to")?,
            },
            "circle" => Self::Circle {
                centre: read(&mut map, "centre")?,
                edge: read(&mut map, "edge")?,
            },
            "fibonacci" => Self::Fibonacci {
                from: read(&mut map, "from")?,
                to: read(&mut map, "to")?,
                levels: read(&mut map, "levels")?,
                extend: read(&mut map, "extend")?,
                reverse: read(&mut map, "reverse")?,
                show_prices: read(&mut map, "show_prices")?,
            },
            "position" => Self::Position {
                side: read(&mut map, "side")?,
                start: read(&mut map, "start")?,
                entry: read(&mut map, "entry")?,
                stop: read(&mut map, "stop")?,
                target: read(&mut map, "target")?,
                account: read(&mut map, "account")?,
                risk: read(&mut map, "risk")?,
                leverage: read(&mut map, "leverage")?,
                lot: read(&mut map, "lot")?,
                lot_step: read(&mut map, "lot_step")?,
            },
            "marker" => Self::Marker {
                at: read(&mut map, "at")?,
                text: read(&mut map, "text")?,
                icon: read(&mut map, "icon")?,
            },
            _ => return None,
        })
    }
}

impl FromJson for Risk {
    fn from_json(json: Value) -> Option<Self> {
        let number = |name: &str| json.get(name).and_then(Value::as_f64);
        match number("percent") {
            Some(percent) => Some(Self::Percent(percent)),
            None => number("money").map(Self::Money),
        }
    }
}

impl FromJson for Style {
    fn from_json(json: Value) -> Option<Self> {
        let Value::Object(mut map) = json else {
            return None;
        };
        Some(Self {
            colour: read(&mut map, "colour")?,
            line: read(&mut map, "line")?,
            width: read::<u32>(&mut map, "width")?.try_into().ok()?,
        })
    }
}

impl FromJson for Points {
    fn from_json(json: Value) -> Option<Self> {
        json.as_i64().map(Self)
    }
}

impl FromJson for DrawingPart {
    fn from_json(json: Value) -> Option<Self> {
        let Value::Object(mut map) = json else {
            return None;
        };
        Some(Self {
            check: read(&mut map, "check")?,
            figures: read(&mut map, "figures")?,
            drawing: Drawing::from_json(Value::Object(map))?,
        })
    }
}

impl FromJson for PricePart {
    fn from_json(json: Value) -> Option<Self> {
        match json {
            Value::Object(mut map) if map.contains_key("unknown") => Some(Self::Unknown {
                symbol: read(&mut map, "symbol")?,
                unknown: read(&mut map, "unknown")?,
            }),
            json => Quoted::from_json(json).map(Self::Known),
        }
    }
}

impl FromJson for HourPart {
    fn from_json(json: Value) -> Option<Self> {
        let Value::Object(mut map) = json else {
            return None;
        };
        Some(Self {
            time: read(&mut map, "time")?,
            open: read(&mut map, "open")?,
            high: read(&mut map, "high")?,
            low: read(&mut map, "low")?,
            close: read(&mut map, "close")?,
            volume: take_field(&mut map, "volume").as_i64()?,
        })
    }
}

impl FromJson for CandleRow {
    fn from_json(json: Value) -> Option<Self> {
        let number = |n: usize| json.get(n).and_then(Value::as_f64);
        let whole = |n: usize| json.get(n).and_then(Value::as_i64);
        Some(Self {
            time: whole(0)?,
            open: number(1)?,
            high: number(2)?,
            low: number(3)?,
            close: number(4)?,
            volume: whole(5)?,
        })
    }
}

impl FromJson for CandlesPage {
    fn from_json(json: Value) -> Option<Self> {
        let Value::Object(mut map) = json else {
            return None;
        };
        let simulated_from = match take_field(&mut map, "simulated_from") {
            Value::Null => None,
            seconds => Some(seconds.as_i64()?),
        };
        Some(Self {
            symbol: read(&mut map, "symbol")?,
            timeframe: read(&mut map, "timeframe")?,
            digits: read(&mut map, "digits")?,
            pip: read(&mut map, "pip")?,
            source: read(&mut map, "source")?,
            synthetic: read(&mut map, "synthetic")?,
            simulated_from,
            candles: read(&mut map, "candles")?,
            more: read(&mut map, "more")?,
        })
    }
}
