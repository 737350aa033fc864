//! The subscribers to the lists of conversations.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, Weak},
};

use protocol::{
    ConversationId, ConversationSummary, ErrorBody, KillSwitch, NoticeCount, RaisedNotice, Role,
    SecondCall, ServerFrame, UserId,
};

use super::{
    frame::SharedFrame,
    queue::{Queue, QueueTopic, QueuedItem, Subscription},
};
use crate::{
    ports::{Person, Scope, Via},
    sync::lock,
};

/// One subscriber, and the limits of its sign-in.
struct Listener {
    queue: Weak<Queue>,
    limit: Role,
    scope: Scope,
    is_program: bool,
}

impl Listener {
    fn is_there(&self) -> bool {
        self.queue.strong_count() > 0
    }
}

/// The subscribers to the lists of conversations, by person.
#[derive(Default)]
pub(crate) struct Lists(Arc<Mutex<HashMap<UserId, Vec<Listener>>>>);

impl Lists {
    /// Subscribes to a person's list, as far as the scope goes; `first` comes before everything
    /// else.
    pub(crate) fn subscribe(&self, person: &Person, first: VecDeque<SharedFrame>) -> Subscription {
        let queue = Arc::new(Queue::default());
        let mut lists = lock(&self.0);
        let queues = lists.entry(person.id).or_default();
        queues.retain(Listener::is_there);
        queues.push(Listener {
            queue: Arc::downgrade(&queue),
            limit: person.role,
            scope: person.scope.clone(),
            is_program: matches!(person.via, Via::Token { .. }),
        });
        Subscription::new(first, queue, self.0.clone())
    }

    /// Sends the line of a conversation with these toolsets, which is new or has changed.
    pub(crate) fn changed(&self, user: UserId, summary: &ConversationSummary, toolsets: &[String]) {
        let seen = |scope: &Scope| scope.covers(toolsets);
        self.send(user, seen, || {
            let frame = SharedFrame::new(&ServerFrame::Conversation {
                summary: summary.clone(),
            });
            QueuedItem::Newest {
                topic: QueueTopic::Line(summary.id),
                frame,
            }
        });
    }

    /// Tells the user's tabs that a conversation was deleted.
    pub(crate) fn removed(&self, user: UserId, conversation: ConversationId) {
        // A tab that never saw it learns nothing from its id.
        self.send(
            user,
            |_| true,
            || {
                QueuedItem::Frame(SharedFrame::new(&ServerFrame::ConversationRemoved {
                    conversation,
                }))
            },
        );
    }

    /// Sends the kill switch to everybody.
    pub(crate) fn kill_switch(&self, state: &KillSwitch) {
        let frame = SharedFrame::new(&ServerFrame::KillSwitch {
            state: state.clone(),
        });
        self.to_all(&frame, |_| true);
    }

    /// Tells everybody that the database cannot be written, or that it can be again.
    pub(crate) fn storage(&self, error: Option<ErrorBody>) {
        let frame = SharedFrame::new(&ServerFrame::Storage { error });
        self.to_all(&frame, |_| true);
    }

    /// Sends a frame to everybody who reaches all toolsets.
    pub(crate) fn everybody(&self, frame: &SharedFrame) {
        self.to_all(frame, |scope| *scope == Scope::All);
    }

    fn to_all(&self, frame: &SharedFrame, sees: impl Fn(&Scope) -> bool) {
        let lists = lock(&self.0);
        let listeners = lists.values().flatten();
        for listener in listeners.filter(|listener| sees(&listener.scope)) {
            if let Some(queue) = listener.queue.upgrade() {
                queue.push(QueuedItem::Frame(frame.clone()));
            }
        }
    }

    /// The users who subscribe.
    pub(crate) fn users(&self) -> Vec<UserId> {
        lock(&self.0).keys().copied().collect()
    }

    /// Sends a user the cards that wait for them as the second person; `role` is the user's own.
    /// Only subscribers who reach all toolsets get them, and no program.
    pub(crate) fn second_calls(&self, user: UserId, role: Role, calls: Vec<SecondCall>) {
        let frame = SharedFrame::new(&ServerFrame::Seconds { calls });
        for listener in lock(&self.0).get(&user).into_iter().flatten() {
            if role.min(listener.limit) >= Role::Operator
                && listener.scope == Scope::All
                && !listener.is_program
                && let Some(queue) = listener.queue.upgrade()
            {
                let topic = QueueTopic::SecondCalls;
                let frame = frame.clone();
                queue.push(QueuedItem::Newest { topic, frame });
            }
        }
    }

    /// Tells everybody who reaches all toolsets the number of notices, and one that was just
    /// raised.
    pub(crate) fn notices(&self, count: NoticeCount, raised: Option<RaisedNotice>) {
        self.everybody(&SharedFrame::new(&ServerFrame::Notices { count, raised }));
    }

    fn send(&self, user: UserId, sees: impl Fn(&Scope) -> bool, item: impl FnOnce() -> QueuedItem) {
        let mut lists = lock(&self.0);
        let Some(queues) = lists.get_mut(&user) else {
            return;
        };
        queues.retain(Listener::is_there);
        if queues.is_empty() {
            lists.remove(&user);
            return;
        }
        let item = item();
        let listeners = queues.iter().filter(|listener| sees(&listener.scope));
        for queue in listeners.filter_map(|listener| listener.queue.upgrade()) {
            queue.push(item.clone());
        }
    }
}
