#![doc = include_str!("../README.md")]

use protocol::{Offer, Timestamp, struct_from_json};
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod golden;

/// The part `house`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HousePart {
    /// The actions on lamps, each by the state in which it makes sense.
    pub offers: Vec<Offer>,
}

/// A part `lamp/NAME`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LampPart {
    pub name: String,
    /// `on`, `off` or `failed`.
    pub state: String,
    /// Time of its last switch. None: it was never switched.
    #[serde(default)]
    pub switched: Option<Timestamp>,
}

struct_from_json!(HousePart { offers });
struct_from_json!(LampPart {
    name,
    state,
    switched
});
