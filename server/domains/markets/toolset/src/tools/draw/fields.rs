//! Fields of the tools that draw, each with its bounds.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::{
    Time,
    drawing::Anchor,
    maths::{fibonacci, position::Risk},
};

/// Defines a type for a bounded value, with the bounds in its schema.
macro_rules! bounded {
    ($(#[$doc:meta])* $name:ident($inner:ty): $schema:tt) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Deserialize)]
        #[serde(transparent)]
        pub(super) struct $name(pub(super) $inner);

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

bounded! {
    /// A price on the tick.
    Price(f64): { "type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000 }
}

bounded! {
    /// A price, or a value of an indicator.
    AlertLevel(f64): {
        "type": "number",
        "minimum": -1_000_000_000_000_i64,
        "maximum": 1_000_000_000_000_i64,
    }
}

bounded! {
    /// An amount of money, or a ratio.
    Amount(f64): { "type": "number", "exclusiveMinimum": 0, "maximum": 1e12 }
}

bounded! {
    /// Parts of a swing.
    Levels(Vec<f64>): {
        "type": "array", "minItems": 1, "maxItems": 20,
        "items": { "type": "number", "minimum": -10, "maximum": 10 },
        "description": format!(
            "Parts of the swing, 0.618 being 61.8 %; {:?} if left out. Beyond it {:?} are usual.",
            fibonacci::LEVELS,
            fibonacci::EXTENSIONS
        ),
    }
}

bounded! {
    /// A part of a swing.
    SwingPart(f64): { "type": "number", "minimum": -10, "maximum": 10 }
}

/// A place on the chart.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    /// Time in UTC, such as 2017-03-10T13:00:00Z, while the market is open.
    time: Time,
    /// Price on the tick, in the digits of its symbol.
    price: Price,
}

impl From<Place> for Anchor<Time> {
    fn from(place: Place) -> Self {
        Self {
            time: place.time,
            price: place.price.0,
        }
    }
}

/// Loss at the stop of a plan.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct RiskInput(pub(super) Risk);

/// As its schema names it: either of them.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("minProperties" = 1, "maxProperties" = 1))]
#[expect(dead_code, reason = "only its schema is of interest")]
struct EitherRisk {
    /// Of the account, such as 1.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 100))]
    percent: Option<f64>,
    /// In the quote currency.
    money: Option<Amount>,
}

impl JsonSchema for RiskInput {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Risk".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        EitherRisk::json_schema(generator)
    }
}
