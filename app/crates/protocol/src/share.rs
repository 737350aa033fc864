//! Share links: people who are signed in can read another person's conversation through them.

use serde::{Deserialize, Serialize};

use crate::{FromJson, Timestamp};

/// The most links to one conversation.
pub const MAX_SHARES: usize = 20;
/// The longest life of a link that expires, in days.
pub const MAX_SHARE_DAYS: u32 = 365;

/// A link, as its owner knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Share {
    /// Identifier in the owner's list; not a credential.
    pub id: String,
    pub made: Timestamp,
    /// None if it does not expire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
}

/// A link that was just created. Its token is shown only this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct NewShare {
    pub token: String,
    pub share: Share,
}

/// The sharer, on a page that was read through a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SharedBy {
    /// The name of the person who shares the conversation.
    pub name: String,
    /// Time at which the link was created.
    pub made: Timestamp,
    /// Time at which the page was read: it shows the conversation as of then.
    pub at: Timestamp,
}
