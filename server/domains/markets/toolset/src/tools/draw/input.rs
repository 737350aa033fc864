//! Inputs of the tools that draw, parsed strictly.

use agent::ports::schema;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    super::{ToolProblem, read},
    changes::{Changes, StyleInput},
    fields::Price,
    figures::Figure,
};
use crate::{
    Points, Symbol, Time, Timeframe,
    drawing::{Content, Importance, SeenBy, Style},
    maths::life::{Cause, Event},
    price::points,
    texts,
};

/// Fields of every drawing beside its shape.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Common {
    /// Symbol of the instrument.
    symbol: Symbol,
    /// Reason in one sentence that names what was seen and, for an idea, the price that proves it
    /// wrong.
    #[schemars(length(min = 3, max = 500))]
    reason: String,
    /// A few words at the drawing, such as "June low".
    #[serde(default)]
    #[schemars(length(min = 0, max = 80))]
    label: String,
    /// Further details, shown in the panel beside the chart.
    #[serde(default)]
    #[schemars(length(min = 0, max = 2000))]
    note: String,
    /// Words to find it by, such as ["support", "h1"].
    #[serde(default)]
    #[schemars(length(max = 10), inner(length(max = 30)))]
    tags: Vec<String>,
    /// Importance; medium if left out. Use high for what the decision depends on.
    #[serde(default)]
    importance: Importance,
    /// The timeframes that it is shown on; all if left out.
    #[serde(default)]
    #[schemars(length(max = 9), extend("uniqueItems" = true))]
    visible_on: Vec<Timeframe>,
    #[schemars(with = "Option<StyleInput>")]
    style: Option<Style>,
    /// The openings in UTC of the candles that speak for it, such as
    /// ["2017-03-10T13:00:00Z"].
    #[serde(default)]
    #[schemars(length(max = 50))]
    candles: Vec<Time>,
    /// me keeps it from everybody but the person for whom you draw: only if they ask for that;
    /// everybody if left out. It stays so.
    #[serde(default)]
    seen_by: SeenBy,
}

/// A requested drawing.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) symbol: Symbol,
    pub(super) reason: String,
    pub(super) content: Content<Time>,
    pub(super) candles: Vec<Time>,
    pub(super) seen_by: SeenBy,
}

/// The fields of a schema, and the names of the required ones.
fn fields_of<T: JsonSchema>() -> (Map<String, Value>, Vec<Value>) {
    let mut schema = schema::of::<T>();
    let fields = match schema["properties"].take() {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let required = match schema["required"].take() {
        Value::Array(names) => names,
        _ => Vec::new(),
    };
    (fields, required)
}

impl Wanted {
    /// The schema of a tool that makes a drawing: the common fields, with the figure's own fields
    /// after the symbol.
    pub(super) fn schema<F: Figure>() -> Value {
        let (all, all_required) = fields_of::<Common>();
        let (own, own_required) = fields_of::<F>();
        let mut all = all.into_iter();
        let mut required = all_required.into_iter();
        let fields: Map<_, _> = all.by_ref().take(1).chain(own).collect();
        let fields: Map<_, _> = fields.into_iter().chain(all).collect();
        let first: Vec<_> = required.by_ref().take(1).chain(own_required).collect();
        let required: Vec<_> = first.into_iter().chain(required).collect();
        json!({
            "type": "object",
            "properties": fields,
            "required": required,
            "additionalProperties": false,
        })
    }

    /// Parses the input of a tool that makes a drawing.
    pub(super) fn read<F: Figure>(input: Value) -> Result<Self, ToolProblem> {
        let Value::Object(fields) = input else {
            return Err(ToolProblem::Input(
                texts::drawings::INPUT_IS_NO_OBJECT.to_owned(),
            ));
        };
        let (known, _) = fields_of::<Common>();
        let (common, mut own): (Map<_, _>, Map<_, _>) = fields
            .into_iter()
            .partition(|(name, _)| known.contains_key(name));
        let common: Common = read(Value::Object(common))?;
        let (of_figure, _) = fields_of::<F>();
        let symbol = common.symbol;
        for (name, usual) in [("lot", symbol.lot()), ("lot_step", symbol.lot_step())] {
            if of_figure.contains_key(name) && !own.contains_key(name) {
                own.insert(name.to_owned(), json!(usual));
            }
        }
        let figure: F = read(Value::Object(own))?;
        Ok(Self {
            symbol: common.symbol,
            reason: common.reason,
            candles: common.candles,
            seen_by: common.seen_by,
            content: Content {
                shape: figure.shape(),
                style: common.style.unwrap_or_default(),
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

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateInput {
    /// Symbol of the instrument.
    pub(super) symbol: Option<Symbol>,
    /// The drawing, as the context or the result that drew it names it.
    #[schemars(length(min = 1, max = 80))]
    pub(super) id: String,
    /// The version that you have seen.
    #[schemars(range(min = 1))]
    pub(super) expected_version: u64,
    /// Reason in one sentence that names what was seen and, for an idea, the price that proves it
    /// wrong.
    #[schemars(length(min = 3, max = 500))]
    pub(super) reason: String,
    /// The fields that change, and no others, such as {"shape": {"price": 1.105}, "label":
    /// "moved"}.
    #[schemars(with = "Option<Changes>")]
    pub(super) changes: Option<Value>,
    pub(super) event: Option<EventInput>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RemoveInput {
    /// Symbol of the instrument.
    pub(super) symbol: Option<Symbol>,
    /// The drawing, as the context or the result that drew it names it.
    #[schemars(length(min = 1, max = 80))]
    pub(super) id: String,
    /// The version that you have seen.
    #[schemars(range(min = 1))]
    pub(super) expected_version: u64,
    /// Reason in one sentence that names what was seen and, for an idea, the price that proves it
    /// wrong.
    #[schemars(length(min = 3, max = 500))]
    pub(super) reason: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScrollInput {
    /// Symbol of the instrument.
    pub(super) symbol: Symbol,
    /// The timeframe to change to; the one that is shown if left out.
    pub(super) timeframe: Option<Timeframe>,
    /// The time to show in the middle. Leave it out with realtime. In UTC, such as
    /// 2017-03-10T13:00:00Z, while the market is open.
    pub(super) time: Option<Time>,
    /// True for the newest bar. Leave it out with time.
    #[schemars(extend("enum" = [true]))]
    pub(super) realtime: Option<bool>,
    /// Reason in one sentence that names what was seen and, for an idea, the price that proves it
    /// wrong.
    #[serde(rename = "reason")]
    #[schemars(length(min = 3, max = 500))]
    pub(super) _reason: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UndoInput {
    /// The turn, as its drawings name it.
    #[schemars(length(min = 1, max = 80))]
    pub(super) group: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EventType {
    Accept,
    Reject,
    Cancel,
    Expire,
    Fill,
    Close,
}

// Its own words are left out of the schema: the fields say what they mean.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EventInput {
    /// Event of a position: a signal is accepted (then it is pending) or rejected; what is pending
    /// is filled (then it is open), cancelled or expires; what is open is closed.
    r#type: EventType,
    /// At which it was filled or closed; only with these. A price on the tick, in the digits of
    /// its symbol.
    price: Option<Price>,
    /// Why it was closed; only with close.
    cause: Option<Cause>,
}

impl EventInput {
    pub(super) fn event(&self, symbol: Symbol) -> Result<Event, ToolProblem> {
        let wrong = |text: &str| Err(ToolProblem::Input(text.to_owned()));
        let price = |price: f64| -> Result<Points, ToolProblem> {
            let points = points(symbol, price);
            points.map_err(|error| ToolProblem::Input(texts::drawings::event_price(&error)))
        };
        match (
            self.r#type,
            self.price.as_ref().map(|price| price.0),
            self.cause,
        ) {
            (EventType::Fill, Some(at), None) => Ok(Event::Fill { price: price(at)? }),
            (EventType::Fill, ..) => wrong(texts::drawings::EVENT_FILL_HAS_PRICE),
            (EventType::Close, Some(at), Some(cause)) => Ok(Event::Close {
                cause,
                price: price(at)?,
            }),
            (EventType::Close, ..) => wrong(texts::drawings::EVENT_CLOSE_HAS_PRICE_AND_CAUSE),
            (_, None, None) => Ok(match self.r#type {
                EventType::Accept => Event::Accept,
                EventType::Reject => Event::Reject,
                EventType::Cancel => Event::Cancel,
                _ => Event::Expire,
            }),
            _ => wrong(texts::drawings::EVENT_PRICE_AND_CAUSE),
        }
    }
}
