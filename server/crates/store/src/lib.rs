#![doc = include_str!("../README.md")]

mod audit;
mod batch;
mod branches;
mod checkpoints;
mod commands;
mod confirmations;
mod conversations;
mod database;
mod error;
mod feed;
mod files;
mod import;
mod journal;
mod markets;
mod migrations;
mod names;
mod notices;
mod pages;
mod passkeys;
mod passwords;
mod people;
mod permissions;
mod projection;
mod prompts;
mod proxied;
mod recorded;
mod search;
mod sessions;
mod setter;
mod settings;
mod shares;
mod shelves;
mod spending;
mod system;
mod tokens;
mod two_persons;
mod users;

pub use audit::{AuditHash, AuditReader, AuditRow, Broken, NoHash, Verified};
pub use database::Store;
pub use error::Error;
pub use feed::{FeedRow, FeedRows};
pub use import::PlainEvent;
pub use names::same_name;
pub use passkeys::{ShownPasskey, StoredPasskey};
pub use people::{LinkMaker, NewSession, Secret, Session};
pub use proxied::ByProxy;
pub use sessions::ListedSession;
pub use setter::Setter;
pub use settings::{Settings, SettingsKind};
pub use shares::Shared;
pub use system::{HowSet, SystemEvent};
pub use tokens::Token;
pub use users::{Account, User};

#[cfg(test)]
mod tests;
