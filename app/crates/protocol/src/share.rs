//! Links under which people who are signed in read a conversation of another.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// How many links may lead to a conversation.
pub const MAX_SHARES: usize = 20;
/// The longest life of a link that ends by itself, in days.
pub const MAX_SHARE_DAYS: u32 = 365;

/// A link, as its owner knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// A name for it; it does not lead there.
    pub id: String,
    pub made: Timestamp,
    /// None while it does not end by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
}

/// A link that was just made. What stands in it is told this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewShare {
    pub token: String,
    pub share: Share,
}

/// On a page that was read under a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedBy {
    /// The name of who shares the conversation.
    pub name: String,
    /// When the link was made.
    pub made: Timestamp,
    /// When the page was read: it shows the conversation as it was then.
    pub at: Timestamp,
}
