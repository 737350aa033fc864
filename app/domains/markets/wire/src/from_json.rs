//! JSON reading without `serde`'s generated code, as the browser does it.

use protocol::FromJson;
use serde_json::Value;

use crate::{
    Anchor, CandleRow, CandlesPage, Change, Check, Content, Drawing, DrawingPart, FieldChange,
    Figures, HourPart, LevelSeen, Life, Mark, Points, PricePart, Quoted, Risk, Scroll, Shape,
    Style,
    fields::{Fields, Read, struct_read, whole},
};

/// Implements [`FromJson`] for types that are read as a whole.
macro_rules! whole {
    ($($name:ident),* $(,)?) => {$(
        impl FromJson for $name {
            fn from_json(json: Value) -> Option<Self> {
                whole(json)
            }
        }
    )*};
}

whole!(
    CandleRow,
    CandlesPage,
    Content,
    Drawing,
    DrawingPart,
    PricePart,
    Risk,
    Scroll,
    Shape,
);

struct_read!(Anchor { time, price });
struct_read!(Style {
    colour,
    line,
    width
});
struct_read!(Content {
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
struct_read!(FieldChange { field, from, to });
struct_read!(Change {
    time,
    actor,
    reason,
    changes,
    call,
    group
});
struct_read!(Mark { time, price });
struct_read!(Life {
    state,
    since,
    opened,
    closed,
    cause
});
struct_read!(Drawing {
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
struct_read!(LevelSeen {
    level,
    price,
    touches,
    last_touch,
    distance_pips
});
struct_read!(Check {
    of,
    touches,
    last_touch,
    distance_pips,
    prospective,
    bars,
    levels,
});
struct_read!(Figures {
    reward_to_risk,
    reward_pips,
    risk_pips,
    lots,
    bound_by,
    balance_at_target,
    balance_at_stop,
    warning,
});
struct_read!(Quoted {
    symbol,
    bid,
    ask,
    spread_pips,
    at,
    simulated,
    why,
    bar
});
struct_read!(HourPart {
    time,
    open,
    high,
    low,
    close,
    volume
});
struct_read!(CandlesPage {
    symbol,
    timeframe,
    digits,
    pip,
    source,
    synthetic,
    simulated_from,
    candles,
    more,
});
struct_read!(Scroll {
    symbol,
    timeframe,
    time
});

impl Read for Points {
    fn read(fields: &mut Fields) -> Self {
        Self(i64::read(fields))
    }
}

impl Read for Risk {
    fn read(fields: &mut Fields) -> Self {
        if fields.has("percent") {
            Self::Percent(fields.take("percent"))
        } else {
            Self::Money(fields.take("money"))
        }
    }
}

impl Read for Shape {
    fn read(fields: &mut Fields) -> Self {
        let kind: String = fields.take("kind");
        match kind.as_str() {
            "horizontal_ray" => Self::HorizontalRay {
                start: fields.take("start"),
                price: fields.take("price"),
            },
            "trendline" => Self::Trendline {
                from: fields.take("from"),
                to: fields.take("to"),
                extent: fields.take("extent"),
            },
            "rectangle" => Self::Rectangle {
                from: fields.take("from"),
                to: fields.take("to"),
            },
            "circle" => Self::Circle {
                centre: fields.take("centre"),
                edge: fields.take("edge"),
            },
            "fibonacci" => Self::Fibonacci {
                from: fields.take("from"),
                to: fields.take("to"),
                levels: fields.take("levels"),
                extend: fields.take("extend"),
                reverse: fields.take("reverse"),
                show_prices: fields.take("show_prices"),
            },
            "position" => Self::Position {
                side: fields.take("side"),
                start: fields.take("start"),
                entry: fields.take("entry"),
                stop: fields.take("stop"),
                target: fields.take("target"),
                account: fields.take("account"),
                risk: fields.take("risk"),
                leverage: fields.take("leverage"),
                lot: fields.take("lot"),
                lot_step: fields.take("lot_step"),
            },
            "marker" => Self::Marker {
                at: fields.take("at"),
                text: fields.take("text"),
                icon: fields.take("icon"),
            },
            kind => {
                if kind != "horizontal_line" {
                    fields.fail();
                }
                Self::HorizontalLine {
                    price: fields.take("price"),
                }
            }
        }
    }
}

impl Read for DrawingPart {
    fn read(fields: &mut Fields) -> Self {
        Self {
            drawing: Drawing::read(fields),
            check: fields.take("check"),
            figures: fields.take("figures"),
        }
    }
}

impl Read for PricePart {
    fn read(fields: &mut Fields) -> Self {
        if fields.has("unknown") {
            Self::Unknown {
                symbol: fields.take("symbol"),
                unknown: fields.take("unknown"),
            }
        } else {
            Self::Known(Quoted::read(fields))
        }
    }
}

impl Read for CandleRow {
    fn read(fields: &mut Fields) -> Self {
        let row: Vec<Value> = Vec::read(fields);
        let mut row = row.into_iter();
        Self {
            time: fields.next(&mut row),
            open: fields.next(&mut row),
            high: fields.next(&mut row),
            low: fields.next(&mut row),
            close: fields.next(&mut row),
            volume: fields.next(&mut row),
        }
    }
}
