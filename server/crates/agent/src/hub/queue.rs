//! What waits for one subscriber: bounded, and short for a subscriber who reads slowly.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, Mutex, Weak},
    task::{Context, Poll, Waker},
};

use futures::Stream;
use protocol::{CallId, ConversationId, LiveBlockId, ServerFrame};

use super::frame::Frame;
use crate::sync::lock;

/// Frames that may wait for one subscriber.
const MAX_ITEMS: usize = 1024;
/// Bytes that may wait for one subscriber.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Why a subscription ended before its topic did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SubscriptionEnd {
    /// More waited than a queue holds: close the socket with [`protocol::CloseCode::TooSlow`].
    #[error("the subscriber does not read fast enough")]
    TooSlow,
}

/// Something for one subscriber.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Frame(Frame),
    Delta {
        block: LiveBlockId,
        offset: u64,
        text: String,
        /// The frame of exactly this text; none once it was joined with more.
        frame: Option<Frame>,
    },
    /// Only the newest of a topic matters.
    Newest {
        topic: Topic,
        frame: Frame,
    },
}

/// Something of which only the newest word matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// A conversation's line in the list.
    Line(ConversationId),
    /// How far a call is.
    Progress(CallId),
    /// Which tab has a call.
    Staged(CallId),
    /// What waits for a second person.
    Seconds,
}

impl Item {
    fn len(&self) -> usize {
        match self {
            Self::Frame(frame) | Self::Newest { frame, .. } => frame.len(),
            Self::Delta { text, .. } => text.len(),
        }
    }

    fn into_frame(self) -> Frame {
        match self {
            Self::Frame(frame)
            | Self::Newest { frame, .. }
            | Self::Delta {
                frame: Some(frame), ..
            } => frame,
            Self::Delta {
                block,
                offset,
                text,
                frame: None,
            } => Frame::new(&ServerFrame::Delta {
                block,
                offset,
                text,
            }),
        }
    }
}

#[derive(Debug, Default)]
struct Inner {
    items: VecDeque<Item>,
    bytes: usize,
    end: Option<Option<SubscriptionEnd>>,
    waker: Option<Waker>,
}

/// The queue between a hub and one subscriber.
#[derive(Debug, Default)]
pub(super) struct Queue(Mutex<Inner>);

impl Queue {
    /// Adds something. A subscriber who lags too far behind loses all and is told so.
    pub(super) fn push(&self, item: Item) {
        let mut inner = lock(&self.0);
        if inner.end.is_some() {
            return;
        }
        inner.bytes += item.len();
        if let Some(item) = inner.join(item) {
            inner.items.push_back(item);
        }
        // A single item may be of any size: the history that a client asked for has no bound.
        if inner.items.len() > MAX_ITEMS || (inner.bytes > MAX_BYTES && inner.items.len() > 1) {
            inner.items.clear();
            inner.end = Some(Some(SubscriptionEnd::TooSlow));
        }
        inner.wake();
    }

    /// Ends the subscription after what waits.
    pub(super) fn close(&self) {
        let mut inner = lock(&self.0);
        inner.end.get_or_insert(None);
        inner.wake();
    }
}

impl Inner {
    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Joins an item with one that waits, or gives it back.
    fn join(&mut self, item: Item) -> Option<Item> {
        match item {
            Item::Delta {
                block,
                offset,
                text,
                frame,
            } => match self.items.back_mut() {
                Some(Item::Delta {
                    block: waiting,
                    text: before,
                    frame: stale,
                    ..
                }) if *waiting == block => {
                    before.push_str(&text);
                    *stale = None;
                    None
                }
                _ => Some(Item::Delta {
                    block,
                    offset,
                    text,
                    frame,
                }),
            },
            Item::Newest { topic, frame } => {
                let stale = self.items.iter().position(
                    |waiting| matches!(waiting, Item::Newest { topic: of, .. } if *of == topic),
                );
                if let Some(stale) = stale.and_then(|index| self.items.remove(index)) {
                    self.bytes = self.bytes.saturating_sub(stale.len());
                }
                Some(Item::Newest { topic, frame })
            }
            Item::Frame(frame) => Some(Item::Frame(frame)),
        }
    }
}

/// The way to one subscriber who is the only one of a topic.
pub(crate) struct Post(Weak<Queue>);

impl Post {
    pub(crate) fn send(&self, frame: Frame) {
        if let Some(queue) = self.0.upgrade() {
            queue.push(Item::Frame(frame));
        }
    }
}

/// A stream of frames: first what was missed, then what happens. It ends when its topic does.
pub struct Subscription {
    first: VecDeque<Frame>,
    queue: Arc<Queue>,
    /// Keeps the hub alive that feeds the queue.
    _hub: Arc<dyn Send + Sync>,
}

impl Subscription {
    /// A subscription with the way to it. `keep` is dropped with it.
    pub(crate) fn posted(keep: Arc<dyn Send + Sync>) -> (Post, Self) {
        let queue = Arc::new(Queue::default());
        let post = Post(Arc::downgrade(&queue));
        (post, Self::new(VecDeque::new(), queue, keep))
    }

    pub(super) fn new(
        first: VecDeque<Frame>,
        queue: Arc<Queue>,
        hub: Arc<dyn Send + Sync>,
    ) -> Self {
        Self {
            first,
            queue,
            _hub: hub,
        }
    }
}

impl Stream for Subscription {
    type Item = Result<Frame, SubscriptionEnd>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(frame) = self.first.pop_front() {
            return Poll::Ready(Some(Ok(frame)));
        }
        let mut inner = lock(&self.queue.0);
        if let Some(item) = inner.items.pop_front() {
            inner.bytes = inner.bytes.saturating_sub(item.len());
            drop(inner);
            return Poll::Ready(Some(Ok(item.into_frame())));
        }
        match inner.end {
            Some(Some(end)) => {
                inner.end = Some(None);
                Poll::Ready(Some(Err(end)))
            }
            Some(None) => Poll::Ready(None),
            None => {
                inner.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}
