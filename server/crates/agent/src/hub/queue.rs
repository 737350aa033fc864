//! The queue of one subscriber: bounded, and merged for one that reads slowly.
//!
//! Deltas of one block that wait are joined. When too much waits over all subscribers, those with
//! more than their fair share are dropped: a slow reader harms nobody else.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

use futures::Stream;
use protocol::{CallId, ConversationId, LiveBlockId, ServerFrame};

use super::frame::SharedFrame;
use crate::{sight::Sight, sync::lock};

/// Frames that may wait for one subscriber.
const MAX_ITEMS: usize = 1024;
/// Bytes that may wait for one subscriber.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Bytes that may wait for all subscribers together. Frames that several wait for count for each.
const MAX_TOTAL: usize = 64 * 1024 * 1024;
/// Bytes that may wait for any one subscriber, however full that total is.
const FAIR: usize = 256 * 1024;

/// Bytes that wait for subscribers.
#[derive(Debug, Default)]
struct Total(AtomicUsize);

impl Total {
    fn is_full(&self) -> bool {
        self.0.load(Ordering::Relaxed) > MAX_TOTAL
    }
}

/// One for the whole process: all hubs use its memory.
static TOTAL: Total = Total(AtomicUsize::new(0));

/// Bytes that wait somewhere, counted in the total for as long as they do.
#[derive(Debug)]
struct QueueWeight {
    bytes: usize,
    total: &'static Total,
}

impl QueueWeight {
    fn new(total: &'static Total) -> Self {
        Self { bytes: 0, total }
    }

    fn add(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.total.0.fetch_add(bytes, Ordering::Relaxed);
    }

    fn remove(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.total.0.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn clear(&mut self) {
        self.remove(self.bytes);
    }

    /// True if the total is full and this queue has more than its fair share of it.
    fn is_too_much(&self) -> bool {
        self.bytes > FAIR && self.total.is_full()
    }
}

impl Drop for QueueWeight {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The reason for a subscription's end before its topic ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SubscriptionEnd {
    /// More waits than a queue may have: close the socket with [`protocol::CloseCode::TooSlow`].
    #[error("the subscriber does not read fast enough")]
    TooSlow,
}

/// An item for one subscriber.
#[derive(Debug, Clone)]
pub(super) enum QueuedItem {
    Frame(SharedFrame),
    Delta {
        block: LiveBlockId,
        offset: u64,
        text: String,
        /// The frame of exactly this text; none once it was joined with more.
        frame: Option<SharedFrame>,
    },
    /// Only the newest of a topic matters.
    Newest {
        topic: QueueTopic,
        frame: SharedFrame,
    },
}

/// A subject of which only the newest frame matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueueTopic {
    /// A conversation's line in the list.
    Line(ConversationId),
    /// The progress of a call.
    Progress(CallId),
    /// The tab that has a call.
    Staged(CallId),
    /// The cards that wait for a second person.
    SecondCalls,
}

impl QueuedItem {
    fn len(&self) -> usize {
        match self {
            Self::Frame(frame) | Self::Newest { frame, .. } => frame.len(),
            Self::Delta { text, .. } => text.len(),
        }
    }

    fn into_frame(self) -> SharedFrame {
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
            } => SharedFrame::new(&ServerFrame::Delta {
                block,
                offset,
                text,
            }),
        }
    }
}

#[derive(Debug)]
struct QueueState {
    items: VecDeque<QueuedItem>,
    weight: QueueWeight,
    end: Option<Option<SubscriptionEnd>>,
    waker: Option<Waker>,
}

/// The queue between a hub and one subscriber.
#[derive(Debug)]
pub(super) struct Queue(Mutex<QueueState>);

impl Default for Queue {
    fn default() -> Self {
        Self::within(&TOTAL)
    }
}

impl Queue {
    fn within(total: &'static Total) -> Self {
        Self(Mutex::new(QueueState {
            items: VecDeque::new(),
            weight: QueueWeight::new(total),
            end: None,
            waker: None,
        }))
    }

    /// Adds an item. A subscriber that lags too far behind loses everything and is told so.
    pub(super) fn push(&self, item: QueuedItem) {
        let mut inner = lock(&self.0);
        if inner.end.is_some() {
            return;
        }
        inner.weight.add(item.len());
        if let Some(item) = inner.join(item) {
            inner.items.push_back(item);
        }
        // A single item may have any size: the history that a client asked for has no bound.
        let heavy = inner.weight.bytes > MAX_BYTES || inner.weight.is_too_much();
        if inner.items.len() > MAX_ITEMS || (heavy && inner.items.len() > 1) {
            inner.items.clear();
            inner.weight.clear();
            inner.end = Some(Some(SubscriptionEnd::TooSlow));
        }
        inner.wake();
    }

    /// Ends the subscription after the items that wait.
    pub(super) fn close(&self) {
        let mut inner = lock(&self.0);
        inner.end.get_or_insert(None);
        inner.wake();
    }
}

impl QueueState {
    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Joins an item with one that waits, or gives it back.
    fn join(&mut self, item: QueuedItem) -> Option<QueuedItem> {
        match item {
            QueuedItem::Delta {
                block,
                offset,
                text,
                frame,
            } => match self.items.back_mut() {
                Some(QueuedItem::Delta {
                    block: waiting,
                    text: before,
                    frame: stale,
                    ..
                }) if *waiting == block => {
                    before.push_str(&text);
                    *stale = None;
                    None
                }
                _ => Some(QueuedItem::Delta {
                    block,
                    offset,
                    text,
                    frame,
                }),
            },
            QueuedItem::Newest { topic, frame } => {
                // It goes to the back, as it must not overtake frames that were queued before it.
                let stale = self.items.iter().position(
                    |waiting| matches!(waiting, QueuedItem::Newest { topic: of, .. } if *of == topic),
                );
                if let Some(stale) = stale.and_then(|index| self.items.remove(index)) {
                    self.weight.remove(stale.len());
                }
                Some(QueuedItem::Newest { topic, frame })
            }
            QueuedItem::Frame(frame) => Some(QueuedItem::Frame(frame)),
        }
    }
}

/// The sender to the only subscriber of a topic.
#[derive(Debug)]
pub struct Post(Weak<Queue>);

impl Post {
    /// True if nothing reaches the subscriber any more: it is gone, or was dropped for slowness.
    pub fn is_closed(&self) -> bool {
        let queue = self.0.upgrade();
        queue.is_none_or(|queue| lock(&queue.0).end.is_some())
    }

    /// Queues a frame. A subscriber that lags too far behind loses everything and is told so.
    pub fn send(&self, frame: SharedFrame) {
        if let Some(queue) = self.0.upgrade() {
            queue.push(QueuedItem::Frame(frame));
        }
    }
}

/// A stream of frames: first those that were missed, then new ones. It ends when its topic does.
pub struct Subscription {
    first: VecDeque<SharedFrame>,
    weight: QueueWeight,
    queue: Arc<Queue>,
    /// That of the subscriber: every frame goes through it.
    sight: Sight,
    /// Keeps the hub alive that feeds the queue.
    _hub: Arc<dyn Send + Sync>,
}

impl Subscription {
    /// A subscription with its sender. `keep` is dropped with it.
    pub fn posted(keep: Arc<dyn Send + Sync>) -> (Post, Self) {
        let queue = Arc::new(Queue::default());
        let post = Post(Arc::downgrade(&queue));
        (post, Self::new(VecDeque::new(), queue, keep))
    }

    pub(super) fn new(
        first: VecDeque<SharedFrame>,
        queue: Arc<Queue>,
        hub: Arc<dyn Send + Sync>,
    ) -> Self {
        let mut weight = QueueWeight::new(lock(&queue.0).weight.total);
        // Only what waits for others counts against it: a history of any length can be read alone.
        let crowded = weight.total.is_full();
        weight.add(first.iter().map(SharedFrame::len).sum());
        let mut subscription = Self {
            first,
            weight,
            queue,
            sight: Sight::Values,
            _hub: hub,
        };
        if crowded && subscription.weight.bytes > FAIR {
            subscription.first.clear();
            subscription.weight.clear();
            let mut inner = lock(&subscription.queue.0);
            inner.end = Some(Some(SubscriptionEnd::TooSlow));
        }
        subscription
    }

    /// The same for a subscriber with this sight.
    pub(super) fn seen_with(self, sight: Sight) -> Self {
        Self { sight, ..self }
    }

    /// Bytes that wait for the subscriber.
    pub fn waiting(&self) -> usize {
        self.weight.bytes + lock(&self.queue.0).weight.bytes
    }
}

impl Stream for Subscription {
    type Item = Result<SharedFrame, SubscriptionEnd>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(frame) = self.first.pop_front() {
            self.weight.remove(frame.len());
            return Poll::Ready(Some(Ok(frame.seen_with(self.sight))));
        }
        let sight = self.sight;
        let mut inner = lock(&self.queue.0);
        if let Some(item) = inner.items.pop_front() {
            inner.weight.remove(item.len());
            drop(inner);
            return Poll::Ready(Some(Ok(item.into_frame().seen_with(sight))));
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

#[cfg(test)]
mod tests {
    use futures::{FutureExt, StreamExt};

    use super::*;

    const PIECE: usize = 200 * 1024;

    fn total() -> &'static Total {
        Box::leak(Box::default())
    }

    /// All share it, as all share what is sent to them.
    fn frame() -> SharedFrame {
        SharedFrame::new(&ServerFrame::Delta {
            block: LiveBlockId(1),
            offset: 0,
            text: "x".repeat(PIECE),
        })
    }

    fn bytes(total: &Total) -> usize {
        total.0.load(Ordering::Relaxed)
    }

    /// Many sockets that do not read, each within its own bound.
    #[test]
    fn what_waits_is_bounded_over_all_and_who_reads_goes_on() {
        let total = total();
        let silent: Vec<_> = (0..500).map(|_| Queue::within(total)).collect();
        let reader = Arc::new(Queue::within(total));
        let mut reading = Subscription::new(VecDeque::new(), Arc::clone(&reader), Arc::new(()));
        let frame = frame();
        for _ in 0..MAX_BYTES / PIECE {
            for queue in &silent {
                queue.push(QueuedItem::Frame(frame.clone()));
            }
            reader.push(QueuedItem::Frame(frame.clone()));
            let got = reading.next().now_or_never().flatten();
            assert!(matches!(got, Some(Ok(_))), "a reader is never to blame");
        }
        // One piece each is always let through; the rest has a bound.
        let fair = silent.len() * (PIECE + 100);
        assert!(bytes(total) <= MAX_TOTAL + fair, "{}", bytes(total));
        let ended = silent.iter().filter(|queue| lock(&queue.0).end.is_some());
        assert!(ended.count() > 0);
        drop((silent, reader, reading));
        assert_eq!(bytes(total), 0, "what is gone does not wait");
    }

    #[test]
    fn what_was_missed_counts_too() {
        let total = total();
        let frame = frame();
        let subscribe = |pieces: usize| {
            let frames = (0..pieces).map(|_| frame.clone()).collect();
            Subscription::new(frames, Arc::new(Queue::within(total)), Arc::new(()))
        };
        let mut held = Vec::new();
        while !total.is_full() {
            held.push(subscribe(20));
        }
        let mut refused = subscribe(20);
        let end = refused.next().now_or_never().flatten();
        assert_eq!(end, Some(Err(SubscriptionEnd::TooSlow)));
        assert_eq!(refused.waiting(), 0);
        let mut small = subscribe(1);
        assert!(small.waiting() > PIECE);
        assert!(matches!(small.next().now_or_never().flatten(), Some(Ok(_))));
        assert_eq!(small.waiting(), 0);
        drop((held, refused, small));
        assert_eq!(bytes(total), 0);
    }
}
