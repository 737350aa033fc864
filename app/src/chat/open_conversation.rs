//! State that the parts of a conversation's view share.

use leptos::prelude::*;
use protocol::{CallId, MessageId, Reference};
use transcript::RowKey;

use crate::conversation::Conversation;

/// The conversation on view. Clones refer to the same one.
#[derive(Clone)]
pub(super) struct OpenConversation {
    pub(super) conversation: Conversation,
    /// Text that returns to the composer.
    pub(super) edit: RwSignal<Option<String>>,
    /// Things that the next message refers to.
    pub(super) about: RwSignal<Vec<Reference>>,
    /// Calls that wait and whose buttons are in view.
    pub(super) seen: RwSignal<Vec<CallId>>,
    /// The branch that the person is considering.
    pub(super) branching: RwSignal<Option<BranchingState>>,
}

/// A branch that a person is considering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BranchingState {
    /// The row at which the branch would begin.
    pub(super) at: RowKey,
    pub(super) message: MessageId,
    /// True if the words are to be changed too.
    pub(super) edit: bool,
}

/// Returns whether `key` is the last row, so that its turn is the one that can continue.
pub(super) fn is_last(open: &OpenConversation, key: RowKey) -> Memo<bool> {
    let last = open.conversation.last_row();
    Memo::new(move |_| last.get() == Some(key))
}
