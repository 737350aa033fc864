//! The subscriptions of one socket, read fairly.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use agent::{Frame, Subscription, SubscriptionEnd};
use futures::Stream;
use protocol::ConversationId;

use crate::feed::FeedSubscription;

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

/// The source of frames.
pub(super) enum Source {
    Engine(Subscription),
    Feed(FeedSubscription),
}

impl From<Subscription> for Source {
    fn from(subscription: Subscription) -> Self {
        Self::Engine(subscription)
    }
}

impl From<FeedSubscription> for Source {
    fn from(subscription: FeedSubscription) -> Self {
        Self::Feed(subscription)
    }
}

impl Source {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame, SubscriptionEnd>>> {
        match self {
            Self::Engine(subscription) => Pin::new(subscription).poll_next(cx),
            // It ends only if its reader is too slow.
            Self::Feed(subscription) => Pin::new(subscription)
                .poll_next(cx)
                .map(|frame| Some(frame.ok_or(SubscriptionEnd::TooSlow))),
        }
    }
}

/// The output of a subscription.
pub(super) enum Item {
    Frame(Frame),
    /// The subscriber lags behind; the whole socket must start again.
    TooSlow,
}

/// The subscriptions of one socket. The stream never ends, so that a loop can always wait for it.
#[derive(Default)]
pub(super) struct Subscriptions {
    list: Vec<(Key, Source)>,
    /// Index at which the next poll begins, so that a busy conversation does not starve the others.
    next: usize,
}

impl Subscriptions {
    /// Adds a subscription; one to the same topic is replaced. False if there are too many.
    pub(super) fn insert(&mut self, key: Key, source: impl Into<Source>) -> bool {
        self.remove(&key);
        if self.list.len() >= MAX {
            return false;
        }
        self.list.push((key, source.into()));
        true
    }

    /// Returns the bytes that wait for the client.
    pub(super) fn waiting(&self) -> usize {
        let sources = self.list.iter();
        let waiting = sources.map(|(_, source)| match source {
            Source::Engine(subscription) => subscription.waiting(),
            // A channel of a few frames, which does not report its length.
            Source::Feed(_) => 0,
        });
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
            match this.list[at].1.poll(cx) {
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
