//! An edit of a drawing by hand, and the state of those that are queued, sent and can be undone.

use leptos::prelude::*;
use protocol::CommandId;
use serde_json::Value;

use super::{drawing::Drawing, texts};
use crate::{channel::Channel, conversation::Conversation};

/// An edit to be made.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Edit {
    Call {
        tool: &'static str,
        input: Value,
    },
    /// An update of a drawing, with a patch of its content.
    Update {
        id: String,
        reason: String,
        changes: Value,
    },
    /// An event of a position.
    Event {
        id: String,
        reason: String,
        event: Value,
    },
    Remove {
        id: String,
        reason: String,
    },
}

impl Edit {
    /// Returns the drawing that it changes; none for a call of another kind.
    pub(super) fn drawing(&self) -> Option<&str> {
        match self {
            Self::Call { .. } => None,
            Self::Update { id, .. } | Self::Event { id, .. } | Self::Remove { id, .. } => Some(id),
        }
    }
}

/// A change that can be undone.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Undoing {
    /// The changed drawing.
    pub(super) id: String,
    /// The edit that undoes the change.
    pub(super) edit: Edit,
}

/// The direction of an edit.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Course {
    /// A person's change, which can be undone.
    Forward,
    /// The undoing of one, of a drawing that has a new identifier if it had been removed.
    Back(String),
    /// The undoing of that.
    Again(String),
}

impl Course {
    /// Returns the reason of the edit that takes one of this course back.
    pub(super) fn reason_back(&self) -> &'static str {
        match self {
            Self::Back(_) => texts::drawings::reasons::REDONE,
            Self::Forward | Self::Again(_) => texts::drawings::reasons::UNDONE,
        }
    }
}

impl Undoing {
    /// Returns whether it is of this drawing; true for any without one.
    pub(super) fn is_of(&self, id: Option<&str>) -> bool {
        id.is_none_or(|id| self.id == id)
    }

    /// Follows a drawing to the identifier that it got when it was drawn again.
    pub(super) fn follow(&mut self, new: &str) {
        new.clone_into(&mut self.id);
        match &mut self.edit {
            Edit::Update { id, .. } | Edit::Event { id, .. } | Edit::Remove { id, .. } => {
                new.clone_into(id);
            }
            Edit::Call { .. } => {}
        }
    }
}

/// The call that was sent and is not answered.
#[derive(Clone)]
pub(super) struct Sent {
    pub(super) command: CommandId,
    pub(super) edit: Edit,
    pub(super) course: Course,
    /// The edit that undoes it; none until a new drawing has its identifier.
    pub(super) inverse: Option<Edit>,
    pub(super) conversation: Conversation,
    /// The number of the view that follows it.
    pub(super) view: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Edits {
    pub(super) channel: Channel,
    pub(super) queue: StoredValue<Vec<(Edit, Course)>>,
    pub(super) sent: RwSignal<Option<Sent>>,
    /// Records that calls have returned, which the board may not have shown yet.
    pub(super) returned: StoredValue<Vec<Drawing>>,
    /// The person's changes since the page was opened that can be undone, newest last.
    pub(super) undoings: RwSignal<Vec<Undoing>>,
    /// Those that were undone since the newest other change, newest last.
    pub(super) redoings: RwSignal<Vec<Undoing>>,
    /// The answer to the form for alerts: why none was set, or empty if one was.
    pub(super) alert: RwSignal<Option<String>>,
}

impl Edits {
    pub(super) fn new(channel: Channel) -> Self {
        Self {
            channel,
            queue: StoredValue::new(Vec::new()),
            sent: RwSignal::new(None),
            returned: StoredValue::new(Vec::new()),
            undoings: RwSignal::new(Vec::new()),
            redoings: RwSignal::new(Vec::new()),
            alert: RwSignal::new(None),
        }
    }

    /// Returns whether an edit is in progress.
    pub(super) fn is_busy(self) -> bool {
        self.sent.read().is_some()
    }
}
