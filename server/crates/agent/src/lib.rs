#![doc = include_str!("../README.md")]

mod admission;
mod budget;
pub mod cause;
mod config;
mod context;
pub mod crash;
mod decide;
mod digest;
mod driver;
mod engine;
mod error;
mod files;
#[cfg(test)]
mod fixed_tools;
mod gate;
mod hub;
mod input_edit;
mod live;
mod machine;
mod message_check;
mod notices;
mod output;
mod own_calls;
mod policy;
pub mod ports;
mod prompt;
mod raw_json;
mod replay;
mod rights;
mod seconds;
mod shared;
mod slot;
mod stages;
mod storage_outage;
mod sync;
mod taint;
mod title;
mod tools;

pub use budget::{Budgets, DaySpent, day_of, day_start};
pub use config::{EngineConfig, MAX_RESULT_BYTES, NoticeTimes};
pub use engine::{Deps, Engine, TAKE_BACK};
pub use hub::{Post, SharedFrame, Subscription, SubscriptionEnd};
pub use output::clean_text;
pub use policy::{GrantRules, MOST_GRANTED, Policy, SecondRules, SecondScope};
pub use replay::{Difference, Recorded, Replay, ReplayOutcome};
pub use tools::SetupError;
