//! The subscriptions of one socket, read fairly.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use agent::{SharedFrame, Subscription, SubscriptionEnd};
use futures::{Stream, StreamExt};
use protocol::ConversationId;

/// The most subscriptions of one socket.
pub(super) const MAX: usize = 32;

/// The subject of a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    Conversation(ConversationId),
    Conversations,
    Board(String),
    Feed,
    Stage(String),
}

/// The output of a subscription.
pub(super) enum Item {
    Frame(SharedFrame),
    /// The subscriber lags behind; the whole socket must start again.
    TooSlow,
}

/// The subscriptions of one socket. The stream never ends, so that a loop can always wait for it.
#[derive(Default)]
pub(super) struct Subscriptions {
    list: Vec<(Key, Subscription)>,
    /// Index at which the next poll begins, so that a busy conversation does not starve the others.
    next: usize,
}

impl Subscriptions {
    /// Adds a subscription; one to the same topic is replaced. False if there are too many.
    pub(super) fn insert(&mut self, key: Key, subscription: Subscription) -> bool {
        self.remove(&key);
        if self.list.len() >= MAX {
            return false;
        }
        self.list.push((key, subscription));
        true
    }

    /// Returns the bytes that wait for the client.
    pub(super) fn waiting(&self) -> usize {
        let waiting = self.list.iter();
        let waiting = waiting.map(|(_, subscription)| subscription.waiting());
        waiting.sum()
    }

    pub(super) fn remove(&mut self, key: &Key) {
        self.list.retain(|(have, _)| have != key);
    }
}

impl Stream for Subscriptions {
    type Item = Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        let this = &mut *self;
        let mut tried = 0;
        while tried < this.list.len() {
            let at = this.next % this.list.len();
            match this.list[at].1.poll_next_unpin(cx) {
                Poll::Ready(Some(Ok(frame))) => {
                    this.next = at + 1;
                    return Poll::Ready(Some(Item::Frame(frame)));
                }
                Poll::Ready(Some(Err(SubscriptionEnd::TooSlow))) => {
                    return Poll::Ready(Some(Item::TooSlow));
                }
                // The conversation was deleted; its list frame tells the client.
                Poll::Ready(None) => {
                    this.list.remove(at);
                }
                Poll::Pending => {
                    this.next = at + 1;
                    tried += 1;
                }
            }
        }
        Poll::Pending
    }
}
