#![doc = include_str!("../README.md")]

mod books;
mod cell;
mod clock;
mod control;
mod docs;
mod faults;
mod files;
mod flow;
mod form;
mod invariants;
mod ledger;
mod listing;
mod mappers;
mod meta;
mod methods;
mod price;
mod refusal;
mod reports;
mod rights;
mod rounding;
mod rules;
mod seed;
mod server;
mod simerp;
mod site;
mod status;
mod stock;
mod users;
mod wire;

pub use books::SimErpProfile;
pub use clock::{ManualSimErpClock, SimErpClock, SystemSimErpClock};
pub use control::SimErpControl;
pub use faults::{SimErpFault, SimErpTrigger};
pub use simerp::{SimErp, SimErpError, SimErpOptions};
pub use site::{SimErpEffect, SimErpSeen};
pub use users::SimErpUser;
