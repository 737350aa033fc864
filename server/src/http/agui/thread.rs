//! Threads and runs as the engine knows them: a conversation and a command.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use protocol::{CallId, CommandId, ConversationId, Timestamp, UserId};

use crate::http::hashed_number::hashed_number;

/// The threads that a request of this process is beginning a run in.
#[derive(Debug, Clone, Default)]
pub(super) struct BusyThreads(Arc<Mutex<HashSet<ConversationId>>>);

/// A place among them, until it is dropped.
pub(super) struct ThreadPlace {
    threads: BusyThreads,
    conversation: ConversationId,
}

impl BusyThreads {
    /// Enters a thread, unless another request is in it.
    pub(super) fn enter(&self, conversation: ConversationId) -> Option<ThreadPlace> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(conversation).then(|| ThreadPlace {
            threads: self.clone(),
            conversation,
        })
    }
}

impl Drop for ThreadPlace {
    fn drop(&mut self) {
        let mut all = self
            .threads
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        all.remove(&self.conversation);
    }
}

/// Returns the conversation of a thread: the one that its name is, or one of this user's own for any
/// other name. The same name is the same conversation, always, and another one for another user.
pub(super) fn conversation_of(user: UserId, thread: &str) -> ConversationId {
    thread.parse().unwrap_or_else(|_| {
        ConversationId::new(
            Timestamp(0),
            hashed_number(&["thread", &user.to_string(), thread]),
        )
    })
}

/// Returns the command of a run. A request that is sent again is the same command.
pub(super) fn command_of(conversation: ConversationId, run: &str) -> CommandId {
    let conversation = conversation.to_string();
    CommandId::new(Timestamp(0), hashed_number(&["run", &conversation, run]))
}

/// Returns the command of a decision in a run.
pub(super) fn decision_of(conversation: ConversationId, run: &str, call: CallId) -> CommandId {
    let (conversation, call) = (conversation.to_string(), call.to_string());
    let number = hashed_number(&["decision", &conversation, &call, run]);
    CommandId::new(Timestamp(0), number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_conversation_of_one_user() {
        let [ada, bob] = [1, 2].map(|n| UserId::new(Timestamp(0), n));
        let thread = conversation_of(ada, "a thread");
        assert_eq!(thread, conversation_of(ada, "a thread"));
        assert_ne!(thread, conversation_of(bob, "a thread"));
        assert_ne!(thread, conversation_of(ada, "another thread"));
        // The conversation itself, whoever asks: the engine knows whose it is.
        assert_eq!(conversation_of(bob, &thread.to_string()), thread);
        assert_ne!(command_of(thread, "1"), command_of(thread, "2"));
    }

    #[test]
    fn one_request_at_a_time_begins_a_run() {
        let threads = BusyThreads::default();
        let [first, second] = [1, 2].map(|n| ConversationId::new(Timestamp(0), n));
        let place = threads.enter(first);
        assert!(place.is_some() && threads.enter(first).is_none());
        assert!(threads.enter(second).is_some());
        drop(place);
        assert!(threads.enter(first).is_some());
    }
}
