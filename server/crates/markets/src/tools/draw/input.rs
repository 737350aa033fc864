//! What the tools that draw are given, read strictly.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::{ToolProblem, read};
use crate::{
    Points, Symbol, Time, Timeframe,
    drawing::{Content, Importance, Shape, Style},
    maths::{
        fibonacci,
        life::{Cause, Event},
    },
};

/// What every drawing may have beside its shape.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Common {
    symbol: Symbol,
    reason: String,
    #[serde(default)]
    label: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    importance: Importance,
    #[serde(default)]
    visible_on: Vec<Timeframe>,
    #[serde(default)]
    style: Style,
    #[serde(default)]
    candles: Vec<Time>,
}

const COMMON: [&str; 9] = [
    "symbol",
    "reason",
    "label",
    "note",
    "tags",
    "importance",
    "visible_on",
    "style",
    "candles",
];

/// A drawing that is to be made.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) symbol: Symbol,
    pub(super) reason: String,
    pub(super) content: Content,
    pub(super) candles: Vec<Time>,
}

impl Wanted {
    /// Reads the input of a tool that makes a drawing.
    pub(super) fn read(tool: &str, input: Value) -> Result<Self, ToolProblem> {
        let Value::Object(mut fields) = input else {
            return Err(ToolProblem::Input("The input is no object.".to_owned()));
        };
        let mut common = Map::new();
        for name in COMMON {
            if let Some(value) = fields.remove(name) {
                common.insert(name.to_owned(), value);
            }
        }
        let common: Common = read(Value::Object(common))?;
        let shape = shape(tool, fields)?;
        Ok(Self {
            symbol: common.symbol,
            reason: common.reason,
            candles: common.candles,
            content: Content {
                shape,
                style: common.style,
                label: common.label,
                note: common.note,
                tags: common.tags,
                importance: common.importance,
                visible_on: common.visible_on,
                locked: false,
                hidden: false,
            },
        })
    }
}

/// The shape that a tool draws, with what may be left out.
fn shape(tool: &str, fields: Map<String, Value>) -> Result<Shape, ToolProblem> {
    let (given, usual) = match tool {
        "draw_horizontal_line" => (json!({ "kind": "horizontal_line" }), json!({})),
        "draw_horizontal_ray" => (json!({ "kind": "horizontal_ray" }), json!({})),
        "draw_trendline" => (
            json!({ "kind": "trendline" }),
            json!({ "extent": "segment" }),
        ),
        "draw_rectangle" => (json!({ "kind": "rectangle" }), json!({})),
        "draw_circle" => (json!({ "kind": "circle" }), json!({})),
        "draw_fibonacci" => (
            json!({ "kind": "fibonacci" }),
            json!({ "levels": fibonacci::LEVELS, "show_prices": true }),
        ),
        "draw_long_position" => (json!({ "kind": "position", "side": "long" }), lot()),
        "draw_short_position" => (json!({ "kind": "position", "side": "short" }), lot()),
        "draw_marker" => (json!({ "kind": "marker" }), json!({})),
        _ => return Err(super::super::no_tool(tool)),
    };
    let (Value::Object(mut shape), Value::Object(usual)) = (given, usual) else {
        return Err(super::super::no_tool(tool));
    };
    for (name, value) in fields {
        // What the tool decides is none of the input's.
        if shape.contains_key(&name) {
            return Err(ToolProblem::Input(format!(
                "The input does not fit the tool: unknown field `{name}`."
            )));
        }
        shape.insert(name, value);
    }
    for (name, value) in usual {
        shape.entry(name).or_insert(value);
    }
    read(Value::Object(shape))
}

fn lot() -> Value {
    json!({ "lot": 100_000.0, "lot_step": 0.01 })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateInput {
    /// Only to be sure which chart is meant.
    pub(super) symbol: Option<Symbol>,
    pub(super) id: String,
    pub(super) expected_version: u64,
    pub(super) reason: String,
    pub(super) changes: Option<Value>,
    pub(super) event: Option<EventInput>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RemoveInput {
    pub(super) symbol: Option<Symbol>,
    pub(super) id: String,
    pub(super) expected_version: u64,
    pub(super) reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScrollInput {
    pub(super) symbol: Symbol,
    pub(super) timeframe: Option<Timeframe>,
    pub(super) time: Option<Time>,
    pub(super) realtime: Option<bool>,
    #[serde(rename = "reason")]
    pub(super) _reason: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UndoInput {
    pub(super) group: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EventType {
    Accept,
    Reject,
    Cancel,
    Expire,
    Fill,
    Close,
}

/// What happened to a position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventInput {
    r#type: EventType,
    price: Option<f64>,
    cause: Option<Cause>,
}

impl EventInput {
    pub(super) fn event(&self, symbol: Symbol) -> Result<Event, ToolProblem> {
        let wrong = |text: &str| Err(ToolProblem::Input(text.to_owned()));
        let price = |price: f64| -> Result<Points, ToolProblem> {
            let points = symbol.points(price);
            points.map_err(|error| ToolProblem::Input(format!("event.price: {error}.")))
        };
        match (self.r#type, self.price, self.cause) {
            (EventType::Fill, Some(at), None) => Ok(Event::Fill { price: price(at)? }),
            (EventType::Fill, ..) => wrong("event: a fill has a price and no cause."),
            (EventType::Close, Some(at), Some(cause)) => Ok(Event::Close {
                cause,
                price: price(at)?,
            }),
            (EventType::Close, ..) => wrong("event: a close has a price and a cause."),
            (_, None, None) => Ok(match self.r#type {
                EventType::Accept => Event::Accept,
                EventType::Reject => Event::Reject,
                EventType::Cancel => Event::Cancel,
                _ => Event::Expire,
            }),
            _ => wrong("event: only a fill and a close have a price, and only a close a cause."),
        }
    }
}
