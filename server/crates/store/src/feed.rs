//! The feed: what happened, from all sources, for as long as it is kept.
//!
//! What Jarvis did is in the audit chain; its part of the feed is a fold over that, made beside the
//! writes ([`Store::fold_feed`]), so that no call waits for it and a database of any age has it.
//! What other sources tell is written by [`Store::append_feed`]. Rows of both have keys: told again
//! is told once.

mod fold;
mod read;
mod search;
mod wording;
mod write;

use protocol::{FeedEntry, FeedKind, Role, UserId};
use serde_json::Value;

pub use read::FeedRows;

/// An entry, and who may see all of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedRow {
    /// With its conversation, whoever that belongs to.
    pub entry: FeedEntry,
    /// Whose conversation it is, or who it is about.
    pub owner: Option<UserId>,
}

impl FeedRow {
    /// The entry as a user may see it: the conversations of others are their own, and where others
    /// signed in from is for admins.
    pub fn seen_by(&self, user: UserId, role: Role) -> FeedEntry {
        let mut entry = self.entry.clone();
        if self.owner != Some(user) {
            entry.conversation = None;
            if entry.kind == FeedKind::SignIn && role < Role::Admin {
                entry.details = Value::Null;
            }
        }
        entry
    }
}
