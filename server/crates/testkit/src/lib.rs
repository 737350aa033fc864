#![doc = include_str!("../README.md")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fixture that is used wrongly ends its test"
)]

mod env;
mod hold;
mod journal;
pub mod journal_contract;
#[cfg(feature = "life")]
mod life;
mod model;
mod redaction;
mod script;
mod summary;
mod tools;

pub use env::FixedEnv;
pub use hold::Hold;
pub use journal::{FreezePoint, MemoryJournal};
#[cfg(feature = "life")]
pub use life::{Lasting, engine};
pub use model::ScriptedModel;
pub use redaction::ListedValues;
pub use script::{Act, Script};
pub use tools::{ApprovedBy, AskedFor, Ledger, ScriptedTools, TargetState, spec};
