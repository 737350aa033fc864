#![doc = include_str!("../README.md")]

mod config;
mod engine;
mod hub;
pub mod ports;
mod sync;

pub use config::EngineConfig;
pub use engine::{Deps, Engine, SetupError};
pub use hub::{Frame, Subscription, SubscriptionEnd};
