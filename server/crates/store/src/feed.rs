//! The feed: happenings from all sources, for its retention period.
//!
//! The actions of Jarvis are in the audit chain; their part of the feed is a fold over that, made
//! beside the writes ([`Store::fold_feed`]), so that no call waits for it and a database of any age
//! has it. This crate gives the facts of a row; whoever folds words them, and the words are stored
//! and searched. Happenings from other sources are written by [`Store::append_feed`]. Rows of both have
//! keys: reporting one again changes nothing.
//!
//! A late report never reopens an entry that has ended. `rev` counts changes, so a tab follows
//! after the newest that it has. Only the owner of a conversation sees which one it was; sentences
//! of cards and values of settings are for operators, and a viewer's search covers the same words
//! only, or a hit would reveal hidden text.

mod fact;
mod fold;
mod read;
mod search;
mod write;

use protocol::{FeedEntry, FeedKind, Role, UserId};
use serde_json::Value;

pub use fact::{AuditFact, AuditedEvent};
pub use read::FeedRows;

use crate::texts;

/// An entry, and the user who may see all of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedRow {
    /// With its conversation, whoever owns that.
    pub entry: FeedEntry,
    /// The user whose conversation it is, or whom it is about.
    pub owner: Option<UserId>,
}

impl FeedRow {
    /// The entry as a user may see it: the conversations of others are hidden, and the addresses
    /// from which others signed in are for admins. A viewer reads names and outcomes: the sentence
    /// of another's card contains the call's input, and settings contain their values; those are
    /// for whoever decides. A viewer's [`search`] covers nothing else either.
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
            if let Value::Object(details) = &mut entry.details {
                details.retain(|name, _| !FeedEntry::TRACES.contains(&name.as_str()));
            }
            match entry.kind {
                FeedKind::Confirmation => {
                    let tool = entry.details.get("tool").and_then(Value::as_str);
                    entry.line = tool.unwrap_or(texts::TOOL_CALL).to_owned();
                }
                // A revoked one has no sentence of a card.
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
