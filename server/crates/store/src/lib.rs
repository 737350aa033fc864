#![doc = include_str!("../README.md")]

mod asking;
mod audit;
mod batch;
mod branches;
mod checkpoints;
mod columns;
mod commands;
mod confirmations;
mod conversations;
mod database;
mod error;
mod families;
mod feed;
mod files;
mod import;
mod journal;
mod migrations;
mod names;
mod newest_turns;
mod notices;
mod own_keys;
mod pages;
mod passkeys;
mod passwords;
mod people;
mod permissions;
mod projection;
mod prompts;
mod proxied;
mod recorded;
mod requests;
mod roles;
mod sealed;
mod search;
mod sessions;
mod setter;
mod settings;
mod shares;
mod shelves;
mod spending;
mod subjects;
mod system;
mod tables;
mod texts;
mod tokens;
mod tool_definitions;
mod traces;
mod two_persons;
mod user_rows;
mod users;
mod webhooks;

pub use asking::of_request;
pub use audit::{AuditHash, AuditReader, AuditRow, Broken, ChainEnd, NoHash, Verified};
pub use conversations::ListPlace;
pub use database::Store;
pub use error::Error;
pub use feed::{AuditFact, AuditedEvent, FeedRow, FeedRows};
pub use import::PlainEvent;
pub use names::same_name;
pub use newest_turns::NewestTurns;
pub use own_keys::OwnKeyChange;
pub use passkeys::{ShownPasskey, StoredPasskey};
pub use people::{LinkMaker, NewSession, StoredSecret, StoredSession};
pub use proxied::ByProxy;
pub use requests::{BegunRequest, KeptAnswer, KeyedRequest};
pub use sealed::{SealError, Sealing};
pub use sessions::ListedSession;
pub use setter::Setter;
pub use settings::{SettingsKind, StoredSettings, persona};
pub use shares::SharedRow;
pub use subjects::ConversationSubject;
pub use system::{HowSet, SystemEvent};
pub use tables::{DomainDatabase, TableChange, Tables, TablesVersion, TablesWriter};
pub use tokens::StoredToken;
pub use tool_definitions::{AcceptedTool, ToolReviewer};
pub use user_rows::User;
pub use users::UserAccount;
pub use webhooks::{
    DeliveryEnd, DueWebhooks, EndpointChange, EndpointTrouble, OwnCallEnd, StoredDelivery,
    WebhookEvent, WebhookFact, WebhookFold, WebhookMessage,
};

#[cfg(test)]
mod tests;
