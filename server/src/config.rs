//! The configuration: defaults, then `jarvis.toml`, then the environment, then flags.
//!
//! A key is declared where it is read: see [`key::Key`]. Every setting knows where it came from, so
//! that an error can say so and `jarvis config check` can show it.

mod budget;
mod example;
mod file;
mod key;
mod limits;
mod network;
mod notices;
mod reader;
mod rules;
mod section;
mod settings;
mod sign_in;
mod source;
mod suggestion;
mod value;

pub(crate) use budget::{BudgetCents, BudgetTokens, CENT};
pub use limits::UserLimits;
pub use network::{Networks, NoNetwork};
pub use notices::NoticeSettings;
pub use reader::Problem;
pub(crate) use reader::Reader;
pub use section::{Options, Section};
pub use settings::{Config, Flags, example};
pub use sign_in::{NoGroup, ProxySignIn};
pub use source::{Setting, Source};
pub(crate) use value::Whole;
pub use value::{AuthHeader, LogFormat, ModelProfile, NewUsers, Secret, TwoPersons};

#[cfg(test)]
mod tests;
