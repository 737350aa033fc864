//! The definitions of the tools that draw, as the model reads them.

use serde_json::{Map, Value, json};

use super::{
    super::{
        Definition,
        definitions::{closed, symbol},
    },
    fields::{
        amount, anchor, extent, flag, frame, id, levels, part, price, reason, risk, text, time,
        version,
    },
};
use crate::Timeframe;

/// What a tool of a chart does: who may call it, and what it needs of a page, follows from that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// It makes, changes or removes a drawing.
    Draws,
    /// It moves what an open page shows.
    Scrolls,
    /// People alone: it takes back what a turn drew.
    TakesBack,
}

/// The name of the tool that takes back a turn.
pub const UNDO: &str = "undo_turn";
/// The name of the tool that moves the chart.
pub const SCROLL: &str = "scroll_chart";

/// All tools of the chart, always in the same order.
pub fn draw_definitions() -> Vec<(Does, Definition)> {
    let tools = vec![
        draws(
            "draw_horizontal_line",
            "Draws a line at one price across the whole chart: support, resistance, a round number. \
             The result says how often prices touched it and how far away it is: a level that was \
             never touched is a projection, say so or remove it.",
            json!({ "price": price("Where, such as 1.10500.") }),
            &["price"],
        ),
        draws(
            "draw_horizontal_ray",
            "Draws a line at one price from a time to the right: a level that counts only since \
             something happened, such as the high of a release.",
            json!({
                "start": time("Where it begins."),
                "price": price("Where, such as 1.10500."),
            }),
            &["start", "price"],
        ),
        draws(
            "draw_fibonacci",
            "Draws fibonacci levels between two anchors: 100 % at the first, 0 % at the second. \
             Anchor it where a swing begins (from) and ends (to), on its real high and low. The \
             result says what prices did at each level.",
            json!({
                "from": anchor("Where the swing begins: 100 %."),
                "to": anchor("Where the swing ends: 0 %."),
                "levels": levels(),
                "extend": flag("Draw the levels on to the right; false if left out."),
                "reverse": flag("Swap 0 % and 100 %; false if left out."),
                "show_prices": flag("Write the price at each level; true if left out."),
            }),
            &["from", "to"],
        ),
        draws(
            "draw_trendline",
            "Draws a line through two points: two lows of a rise, two highs of a fall, an arrow to a \
             target. Put the points on real highs and lows.",
            json!({
                "from": anchor("The first point."),
                "to": anchor("The second point."),
                "extent": extent("segment if left out."),
            }),
            &["from", "to"],
        ),
        draws(
            "draw_rectangle",
            "Draws a box between two corners: a zone of supply or demand, a range, a session.",
            json!({
                "from": anchor("One corner."),
                "to": anchor("The corner opposite, at another time and another price."),
            }),
            &["from", "to"],
        ),
        draws(
            "draw_circle",
            "Draws a circle around a place on the chart, to point at it.",
            json!({
                "centre": anchor("The middle."),
                "edge": anchor("A point on its edge."),
            }),
            &["centre", "edge"],
        ),
        position(
            "draw_long_position",
            "Draws the plan of a purchase: entry, a stop below it and a target above it. The server \
             computes reward to risk, the size and the balance at stop and target; take the figures \
             from the result. It begins as a signal and places no order.",
        ),
        position(
            "draw_short_position",
            "Draws the plan of a sale: entry, a stop above it and a target below it. The server \
             computes reward to risk, the size and the balance at stop and target; take the figures \
             from the result. It begins as a signal and places no order.",
        ),
        draws(
            "draw_marker",
            "Writes a short text at a place on the chart: a release, a false break, an entry.",
            json!({
                "at": anchor("The place."),
                "text": text(1, 200, "What stands there, such as \"Nonfarm payrolls\"."),
                "icon": text(0, 20, "A short sign before the text; none if left out."),
            }),
            &["at", "text"],
        ),
        update(),
        remove(),
    ];
    let draws = tools.into_iter().map(|tool| (Does::Draws, tool));
    let others = [(Does::Scrolls, scroll()), (Does::TakesBack, undo())];
    draws.chain(others).collect()
}

fn update() -> Definition {
    Definition {
        name: "update_drawing",
        description: "Changes a drawing that is on the chart, or tells what happened to a position. \
             Use it instead of drawing anew. Give either changes or an event. The reason stands in \
             the drawing's history. If somebody has changed it since, the answer shows how it is \
             now: look, and decide again.",
        input_schema: closed(
            json!({
                "symbol": symbol(),
                "id": id(),
                "expected_version": version(),
                "reason": reason(),
                "changes": changes(),
                "event": event(),
            }),
            &["id", "expected_version", "reason"],
        ),
    }
}

fn remove() -> Definition {
    Definition {
        name: "remove_drawing",
        description: "Takes a drawing off the chart, because it is wrong or does not count any more. \
             It stays on record, and a person can bring it back.",
        input_schema: closed(
            json!({
                "symbol": symbol(),
                "id": id(),
                "expected_version": version(),
                "reason": reason(),
            }),
            &["id", "expected_version", "reason"],
        ),
    }
}

fn scroll() -> Definition {
    Definition {
        name: SCROLL,
        description: "Moves the chart that the person looks at to a time, or back to the newest bar. \
             It needs an open page. Use it to show what you speak of.",
        input_schema: closed(
            json!({
                "symbol": symbol(),
                "timeframe": frame("The timeframe to change to; the one that is shown if left out."),
                "time": time("The time to show in the middle. Leave it out with realtime."),
                "realtime": {
                    "type": "boolean", "enum": [true],
                    "description": "True for the newest bar. Leave it out with time.",
                },
                "reason": reason(),
            }),
            &["symbol"],
        ),
    }
}

fn undo() -> Definition {
    Definition {
        name: UNDO,
        description: "Takes back what one turn of the assistant drew, changed and removed. What \
             somebody has changed since stays.",
        input_schema: closed(
            json!({ "group": text(1, 80, "The turn, as its drawings name it.") }),
            &["group"],
        ),
    }
}

/// A tool that makes a drawing, with the fields that all of them have.
fn draws(
    name: &'static str,
    description: &'static str,
    own: Value,
    required: &[&str],
) -> Definition {
    let mut properties = Map::new();
    let mut add = |fields: Value| {
        if let Value::Object(fields) = fields {
            properties.extend(fields);
        }
    };
    add(json!({ "symbol": symbol() }));
    add(own);
    add(json!({ "reason": reason() }));
    add(looks());
    add(json!({
        "candles": {
            "type": "array", "maxItems": 50, "items": { "type": "string", "maxLength": 30 },
            "description": "The openings in UTC of the candles that speak for it, such as \
                            [\"2017-03-10T13:00:00Z\"].",
        },
    }));
    let required: Vec<&str> = [&["symbol"], required, &["reason"]].concat();
    Definition {
        name,
        description,
        input_schema: closed(Value::Object(properties), &required),
    }
}

fn position(name: &'static str, description: &'static str) -> Definition {
    let own = json!({
        "start": time("When the plan begins."),
        "entry": price("Where to enter."),
        "stop": price("Where the idea is wrong, within 20 % of the entry."),
        "target": price("Where to leave with profit, within 20 % of the entry."),
        "account": amount("The balance, in the quote currency, such as 10000."),
        "risk": risk(),
        "leverage": amount("Such as 30 for 1:30."),
        "lot": amount("Units of the base currency in a lot; 100000 if left out."),
        "lot_step": amount("The smallest difference between sizes, in lots; 0.01 if left out."),
    });
    let required = [
        "start", "entry", "stop", "target", "account", "risk", "leverage",
    ];
    draws(name, description, own, &required)
}

/// What every drawing may have.
fn looks() -> Value {
    let frames: Vec<_> = Timeframe::ALL.iter().map(|frame| frame.name()).collect();
    json!({
        "label": text(0, 80, "A few words at the drawing, such as \"June low\"."),
        "note": text(0, 2_000, "What else there is to know, for the panel beside the chart."),
        "tags": {
            "type": "array", "maxItems": 10, "items": { "type": "string", "maxLength": 30 },
            "description": "Words to find it by, such as [\"support\", \"h1\"].",
        },
        "importance": {
            "type": "string", "enum": ["low", "medium", "high"],
            "description": "How much it matters; medium if left out. High is for what decides.",
        },
        "visible_on": {
            "type": "array", "maxItems": 9, "uniqueItems": true,
            "items": { "type": "string", "enum": frames },
            "description": "The timeframes that it is shown on; all if left out.",
        },
        "style": closed(
            json!({
                "colour": {
                    "type": "string",
                    "enum": ["cyan", "green", "red", "amber", "violet", "grey"],
                    "description": "Green for support and longs, red for resistance and shorts, \
                                    amber for warnings and events, violet for fibonacci, cyan for \
                                    the rest, grey for what is past.",
                },
                "line": {
                    "type": "string", "enum": ["solid", "dashed", "dotted"],
                    "description": "Solid for what was observed, dashed for what is projected.",
                },
                "width": {
                    "type": "integer", "minimum": 0, "maximum": 4,
                    "description": "In pixels; 0 for the usual one.",
                },
            }),
            &[],
        ),
    })
}

fn changes() -> Value {
    let shape = json!({
        "kind": {
            "type": "string",
            "enum": [
                "horizontal_line", "horizontal_ray", "trendline", "rectangle", "circle",
                "fibonacci", "position", "marker",
            ],
            "description": "What it is: it stays that. Leave it out.",
        },
        "side": { "type": "string", "enum": ["long", "short"], "description": "Of a position." },
        "price": price("Of a horizontal line or ray."),
        "start": time("Of a horizontal ray or a position."),
        "from": part("The first anchor."),
        "to": part("The second anchor."),
        "extent": extent("Of a trendline."),
        "centre": part("Of a circle."),
        "edge": part("Of a circle."),
        "levels": levels(),
        "extend": flag("Of a fibonacci."),
        "reverse": flag("Of a fibonacci."),
        "show_prices": flag("Of a fibonacci."),
        "entry": price("Of a position."),
        "stop": price("Of a position."),
        "target": price("Of a position."),
        "account": amount("Of a position."),
        "risk": risk(),
        "leverage": amount("Of a position."),
        "lot": amount("Of a position."),
        "lot_step": amount("Of a position."),
        "at": part("Of a marker."),
        "text": text(1, 200, "Of a marker."),
        "icon": text(0, 20, "Of a marker."),
    });
    let mut fields = Map::new();
    fields.insert("shape".to_owned(), closed(shape, &[]));
    if let Value::Object(looks) = looks() {
        fields.extend(looks);
    }
    for name in ["locked", "hidden"] {
        fields.insert(name.to_owned(), flag("Only people lock and hide drawings."));
    }
    let mut changes = closed(Value::Object(fields), &[]);
    if let Some(changes) = changes.as_object_mut() {
        let description = "The fields that change, and no others, such as \
                           {\"shape\": {\"price\": 1.105}, \"label\": \"moved\"}.";
        changes.insert("description".to_owned(), description.into());
        changes.insert("minProperties".to_owned(), 1.into());
    }
    changes
}

fn event() -> Value {
    closed(
        json!({
            "type": {
                "type": "string",
                "enum": ["accept", "reject", "cancel", "expire", "fill", "close"],
                "description": "What happened to a position. A signal is accepted (then it is \
                                pending) or rejected; what is pending is filled (then it is open), \
                                cancelled or expires; what is open is closed.",
            },
            "price": price("At which it was filled or closed; only with these."),
            "cause": {
                "type": "string", "enum": ["tp", "sl", "manual", "expiry"],
                "description": "Why it was closed; only with close.",
            },
        }),
        &["type"],
    )
}
