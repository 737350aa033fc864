#![doc = include_str!("../README.md")]

use protocol::{FromJson, Offer, Timestamp};
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod golden;

/// The part `house`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct HousePart {
    /// The actions on lamps, each by the state in which it makes sense.
    pub offers: Vec<Offer>,
}

/// A part `lamp/NAME`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct LampPart {
    pub name: String,
    /// `on`, `off` or `failed`.
    pub state: String,
    /// Time of its last switch. None: it was never switched.
    #[serde(default)]
    pub switched: Option<Timestamp>,
}
