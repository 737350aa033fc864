//! The feed: what happened, from all sources, for as long as it is kept.
//!
//! What Jarvis did is in the audit chain; its part of the feed is a fold over that, made beside the
//! writes ([`Store::fold_feed`]), so that no call waits for it and a database of any age has it.
//! What other sources tell is written by [`Store::append_feed`]. Rows of both have keys: told again
//! is told once.
//!
//! A late report never reopens an entry that has ended. `rev` counts changes, so a tab follows
//! after the newest that it has. Only the owner of a conversation sees which one it was; sentences
//! of cards and values of settings are for operators, and a viewer's search looks through the same
//! words only, or a hit would reveal what is not shown.

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
    /// signed in from is for admins. A viewer reads names and outcomes: the sentence of another's
    /// card holds what the call was given, and settings hold their values; those are for who decides.
    /// [`search`] looks for a viewer through nothing else either.
    pub fn seen_by(&self, user: UserId, role: Role) -> FeedEntry {
        let mut entry = self.entry.clone();
        if self.owner == Some(user) {
            return entry;
        }
        entry.conversation = None;
        if entry.kind == FeedKind::SignIn && role < Role::Admin {
            entry.details = Value::Null;
        }
        if role < Role::Operator {
            match entry.kind {
                FeedKind::Confirmation => {
                    let tool = entry.details.get("tool").and_then(Value::as_str);
                    entry.line = tool.unwrap_or("A tool call").to_owned();
                }
                // One that was taken back has no sentence of a card.
                FeedKind::Grant => {
                    if let Some(tool) = entry.details.get("tool").and_then(Value::as_str) {
                        entry.line = tool.to_owned();
                    }
                }
                FeedKind::Configuration => entry.details = Value::Null,
                _ => {}
            }
        }
        entry
    }
}
