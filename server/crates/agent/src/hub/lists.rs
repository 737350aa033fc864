//! Who watches the list of conversations.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, Weak},
};

use protocol::{
    ConversationId, ConversationSummary, KillSwitch, NoticeCount, RaisedNotice, ServerFrame, UserId,
};

use super::{
    frame::Frame,
    queue::{Item, Queue, Subscription, Topic},
};
use crate::{ports::Scope, sync::lock};

type Queues = HashMap<UserId, Vec<(Weak<Queue>, Scope)>>;

/// The subscribers to the lists of conversations, by person.
#[derive(Default)]
pub(crate) struct Lists(Arc<Mutex<Queues>>);

impl Lists {
    /// What comes first, then changes in a person's list, as far as the scope goes.
    pub(crate) fn subscribe(
        &self,
        user: UserId,
        scope: Scope,
        first: VecDeque<Frame>,
    ) -> Subscription {
        let queue = Arc::new(Queue::default());
        let mut lists = lock(&self.0);
        let queues = lists.entry(user).or_default();
        queues.retain(|(queue, _)| queue.strong_count() > 0);
        queues.push((Arc::downgrade(&queue), scope));
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

    /// Everybody who reaches all toolsets gets a frame.
    pub(crate) fn everybody(&self, frame: &Frame) {
        self.to_all(frame, |scope| *scope == Scope::All);
    }

    fn to_all(&self, frame: &Frame, sees: impl Fn(&Scope) -> bool) {
        let lists = lock(&self.0);
        let queues = lists.values().flatten().filter(|(_, scope)| sees(scope));
        for queue in queues.filter_map(|(queue, _)| queue.upgrade()) {
            queue.push(Item::Frame(frame.clone()));
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
        queues.retain(|(queue, _)| queue.strong_count() > 0);
        if queues.is_empty() {
            lists.remove(&user);
            return;
        }
        let item = item();
        let queues = queues.iter().filter(|(_, scope)| sees(scope));
        for queue in queues.filter_map(|(queue, _)| queue.upgrade()) {
            queue.push(item.clone());
        }
    }
}
