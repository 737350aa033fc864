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
use crate::sync::lock;

/// The subscribers to the lists of conversations, by person.
#[derive(Default)]
pub(crate) struct Lists(Arc<Mutex<HashMap<UserId, Vec<Weak<Queue>>>>>);

impl Lists {
    /// What comes first, then changes in a person's list.
    pub(crate) fn subscribe(&self, user: UserId, first: VecDeque<Frame>) -> Subscription {
        let queue = Arc::new(Queue::default());
        let mut lists = lock(&self.0);
        let queues = lists.entry(user).or_default();
        queues.retain(|queue| queue.strong_count() > 0);
        queues.push(Arc::downgrade(&queue));
        Subscription::new(first, queue, self.0.clone())
    }

    /// A line is new or has changed.
    pub(crate) fn changed(&self, user: UserId, summary: &ConversationSummary) {
        self.send(user, || {
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
        self.send(user, || {
            Item::Frame(Frame::new(&ServerFrame::ConversationRemoved {
                conversation,
            }))
        });
    }

    /// Everybody sees the kill switch.
    pub(crate) fn kill_switch(&self, state: &KillSwitch) {
        let frame = Frame::new(&ServerFrame::KillSwitch {
            state: state.clone(),
        });
        self.everybody(&frame);
    }

    /// Everybody gets a frame.
    pub(crate) fn everybody(&self, frame: &Frame) {
        for queue in lock(&self.0).values().flatten().filter_map(Weak::upgrade) {
            queue.push(Item::Frame(frame.clone()));
        }
    }

    /// Everybody sees how many notices there are.
    pub(crate) fn notices(&self, count: NoticeCount, raised: Option<RaisedNotice>) {
        let frame = Frame::new(&ServerFrame::Notices { count, raised });
        for queue in lock(&self.0).values().flatten().filter_map(Weak::upgrade) {
            queue.push(Item::Frame(frame.clone()));
        }
    }

    fn send(&self, user: UserId, item: impl FnOnce() -> Item) {
        let mut lists = lock(&self.0);
        let Some(queues) = lists.get_mut(&user) else {
            return;
        };
        queues.retain(|queue| queue.strong_count() > 0);
        if queues.is_empty() {
            lists.remove(&user);
            return;
        }
        let item = item();
        for queue in queues.iter().filter_map(Weak::upgrade) {
            queue.push(item.clone());
        }
    }
}
