#![doc = include_str!("../README.md")]

mod accumulate;
mod call;
mod catalogue;
mod client;
mod client_state;
mod config;
mod env;
mod error;
mod estimate;
mod event;
mod failure;
mod key;
mod models;
mod profile;
mod raw;
mod reader;
mod request;
mod retry;
mod sse;
mod texts;
mod thinking;
mod tls;
mod trial;
mod window;

pub use catalogue::{Catalogue, ModelEntry, PriceBand, ThinkingSupport};
pub use client::Client;
pub use config::{AuthStyle, ModelConfig};
pub use error::Error;
pub use key::ModelKey;
pub use models::AvailableModel;
pub use profile::ProfileKind;
pub use protocol::Effort;
pub use thinking::effort_within;
pub use trial::{ModelTrial, TrialKind, TrialOutcome};
