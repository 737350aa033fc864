//! Who watches the list of conversations.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, Weak},
};

use protocol::{
    ConversationId, ConversationSummary, ErrorBody, KillSwitch, NoticeCount, RaisedNotice, Role,
    SecondCall, ServerFrame, UserId,
};

use super::{
    frame::Frame,
    queue::{Item, Queue, Subscription, Topic},
};
use crate::{
    ports::{Person, Scope},
    sync::lock,
};

/// One subscriber, and the most that its sign-in is good for.
struct Listener {
    queue: Weak<Queue>,
    limit: Role,
    scope: Scope,
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
    /// What comes first, then changes in a person's list, as far as the scope goes.
    pub(crate) fn subscribe(&self, person: &Person, first: VecDeque<Frame>) -> Subscription {
        let queue = Arc::new(Queue::default());
        let mut lists = lock(&self.0);
        let queues = lists.entry(person.id).or_default();
        queues.retain(Listener::is_there);
        queues.push(Listener {
            queue: Arc::downgrade(&queue),
            limit: person.role,
            scope: person.scope.clone(),
        });
        Subscription::new(first, queue, self.0.clone())
    }

    /// The line of a conversation with these toolsets is new or has changed.
    pub(crate) fn changed(&self, user: UserId, summary: &ConversationSummary, toolsets: &[String]) {
        let seen = |scope: &Scope| scope.covers(toolsets);
        self.send(user, seen, || {
            let frame = Frame::new(&ServerFrame::Conversation {
                summary: summary.clone(),
            });
            Item::Newest {
                topic: Topic::Line(summary.id),
                frame,
            }
        });
    }

    /// A conversation was deleted.
    pub(crate) fn removed(&self, user: UserId, conversation: ConversationId) {
        // Who never saw it learns nothing from its id.
        self.send(
            user,
            |_| true,
            || {
                Item::Frame(Frame::new(&ServerFrame::ConversationRemoved {
                    conversation,
                }))
            },
        );
    }

    /// Everybody sees the kill switch.
    pub(crate) fn kill_switch(&self, state: &KillSwitch) {
        let frame = Frame::new(&ServerFrame::KillSwitch {
            state: state.clone(),
        });
        self.to_all(&frame, |_| true);
    }

    /// Everybody sees that the database cannot be written, or that it can be again.
    pub(crate) fn storage(&self, error: Option<ErrorBody>) {
        let frame = Frame::new(&ServerFrame::Storage { error });
        self.to_all(&frame, |_| true);
    }

    /// Everybody who reaches all toolsets gets a frame.
    pub(crate) fn everybody(&self, frame: &Frame) {
        self.to_all(frame, |scope| *scope == Scope::All);
    }

    fn to_all(&self, frame: &Frame, sees: impl Fn(&Scope) -> bool) {
        let lists = lock(&self.0);
        let listeners = lists.values().flatten();
        for listener in listeners.filter(|listener| sees(&listener.scope)) {
            if let Some(queue) = listener.queue.upgrade() {
                queue.push(Item::Frame(frame.clone()));
            }
        }
    }

    /// Who listens.
    pub(crate) fn users(&self) -> Vec<UserId> {
        lock(&self.0).keys().copied().collect()
    }

    /// The cards that wait for a person as the second one, of whom the role is given. Only who
    /// reaches all toolsets hears of them.
    pub(crate) fn seconds(&self, user: UserId, role: Role, calls: Vec<SecondCall>) {
        let frame = Frame::new(&ServerFrame::Seconds { calls });
        for listener in lock(&self.0).get(&user).into_iter().flatten() {
            if role.min(listener.limit) >= Role::Operator
                && listener.scope == Scope::All
                && let Some(queue) = listener.queue.upgrade()
            {
                let topic = Topic::Seconds;
                let frame = frame.clone();
                queue.push(Item::Newest { topic, frame });
            }
        }
    }

    /// Everybody who reaches all toolsets sees how many notices there are.
    pub(crate) fn notices(&self, count: NoticeCount, raised: Option<RaisedNotice>) {
        self.everybody(&Frame::new(&ServerFrame::Notices { count, raised }));
    }

    fn send(&self, user: UserId, sees: impl Fn(&Scope) -> bool, item: impl FnOnce() -> Item) {
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
