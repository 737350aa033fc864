#![doc = include_str!("../README.md")]

mod acting;
mod cell;
mod check;
mod claims;
mod client;
mod coalesced;
mod config;
mod context;
mod dates;
mod decimal;
mod draft;
mod error;
mod identity;
mod memory;
mod meta;
mod own_keys;
mod party_warnings;
mod person_keys;
mod personal_sites;
mod personal_tools;
mod plain_text;
mod prompt;
mod reach;
mod refer;
mod site;
mod texts;
mod tools;
mod toolset;

pub use config::{DraftMode, ErpConfig, ErpSecret, RestVersion};
pub use error::ErpSetupError;
pub use identity::ErpIdentity;
pub use own_keys::ErpOwnKeys;
pub use person_keys::{ErpAccount, PersonKey, PersonKeyChange, PersonKeys, PersonKeysError};
pub use toolset::Erp;
