#![doc = include_str!("../README.md")]

mod asked_cards;
mod message;
mod relay;
mod target;
mod texts;

pub use relay::{RelayError, relay, relay_standard};
pub use target::{BridgeTarget, TargetError};
