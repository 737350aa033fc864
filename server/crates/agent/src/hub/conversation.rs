//! The live side of one conversation.
//!
//! A subscriber joins under one lock: the head and the blocks that stream are noted, the journal is
//! read exactly up to that head, and what happens meanwhile waits in the queue. So no event and no
//! byte of a block is missing or doubled.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use protocol::{
    BlockKind, CallId, ConversationId, ErrorBody, Event, EventBody, LiveBlockId, MessageId, Seq,
    ServerFrame, TabId, Timestamp, TurnId,
};

use super::{
    frame::SharedFrame,
    queue::{Queue, QueueTopic, QueuedItem, Subscription},
};
use crate::{
    machine::Drafted,
    ports::{Journal, JournalError},
    sight::Sight,
    sync::lock,
};

/// Events in one frame of a subscriber's missed ones.
const EVENTS_PER_FRAME: usize = 200;

/// Names of live blocks, unique in the process.
static BLOCKS: AtomicU64 = AtomicU64::new(1);

struct HubBlock {
    id: LiveBlockId,
    message: MessageId,
    drafted: Drafted,
}

impl HubBlock {
    fn is_input(&self) -> bool {
        matches!(self.drafted.kind, BlockKind::ToolUse { .. })
    }
}

#[derive(Default)]
struct HubState {
    /// The newest event that was published. None until the journal was asked.
    head: Option<Seq>,
    blocks: Vec<HubBlock>,
    waiting: Option<SharedFrame>,
    /// Running calls, with the newest progress of each.
    progress: BTreeMap<CallId, Option<SharedFrame>>,
    /// Running calls that a tab has.
    staged: BTreeMap<CallId, SharedFrame>,
    queues: Vec<Weak<Queue>>,
}

impl HubState {
    fn send(&mut self, item: impl FnOnce() -> QueuedItem) {
        self.queues.retain(|queue| queue.strong_count() > 0);
        let Some((last, others)) = self.queues.split_last() else {
            return;
        };
        let item = item();
        for queue in others.iter().filter_map(Weak::upgrade) {
            queue.push(item.clone());
        }
        if let Some(queue) = last.upgrade() {
            queue.push(item);
        }
    }

    /// Drops live state that an event makes obsolete.
    fn settle(&mut self, body: &EventBody) {
        match body {
            EventBody::AssistantMessage { .. }
            | EventBody::StepInterrupted { .. }
            | EventBody::TurnFinished { .. } => {
                self.blocks.clear();
                self.waiting = None;
            }
            EventBody::ToolFinished { call, .. } => {
                self.progress.remove(call);
                self.staged.remove(call);
            }
            _ => {}
        }
    }
}

/// Publishes what happens in one conversation to any number of subscribers.
pub(crate) struct Hub {
    conversation: ConversationId,
    inner: Mutex<HubState>,
}

impl Hub {
    pub(crate) fn new(conversation: ConversationId) -> Self {
        Self {
            conversation,
            inner: Mutex::default(),
        }
    }

    /// Starts anew for a writer that begins at `head` of the journal.
    pub(crate) fn reset(&self, head: Seq) {
        let mut inner = lock(&self.inner);
        inner.head = inner.head.max(Some(head));
        inner.blocks.clear();
        inner.waiting = None;
        inner.progress.clear();
        inner.staged.clear();
    }

    /// Publishes events that are in the journal, in order.
    pub(crate) fn publish(&self, events: &[Event]) {
        let mut inner = lock(&self.inner);
        let head = inner.head.unwrap_or_default();
        let Some(last) = events.last().map(|event| event.seq) else {
            return;
        };
        for event in events {
            inner.settle(&event.body);
        }
        inner.head = Some(head.max(last));
        let new: Vec<_> = events
            .iter()
            .filter(|event| event.seq > head)
            .cloned()
            .collect();
        if !new.is_empty() {
            inner.send(|| QueuedItem::Frame(self.events(new)));
        }
    }

    /// Publishes the start of a block of the answer.
    pub(crate) fn block(&self, message: MessageId, index: u32, kind: BlockKind) {
        let mut inner = lock(&self.inner);
        inner.waiting = None;
        let block = HubBlock {
            id: LiveBlockId(BLOCKS.fetch_add(1, Ordering::Relaxed)),
            message,
            drafted: Drafted {
                index,
                kind,
                text: String::new(),
            },
        };
        let frame = self.block_frame(&block);
        inner.blocks.push(block);
        inner.send(|| QueuedItem::Frame(frame));
    }

    /// Publishes more text of a block. The input of a call is kept for the journal and sent to nobody
    /// before it is whole: half of it says nothing, and a redaction must see all of it.
    pub(crate) fn delta(&self, index: u32, text: String) {
        let mut inner = lock(&self.inner);
        let Some(block) = inner
            .blocks
            .iter_mut()
            .rev()
            .find(|block| block.drafted.index == index)
        else {
            tracing::warn!(index, "text for a block that never began");
            return;
        };
        let id = block.id;
        let offset = block.drafted.text.len() as u64;
        block.drafted.text.push_str(&text);
        if block.is_input() {
            return;
        }
        // One tab alone makes the frame when it takes it, and may take more text in one; several
        // share one that is made here.
        let shared = inner.queues.len() > 1;
        inner.send(|| QueuedItem::Delta {
            block: id,
            offset,
            frame: shared.then(|| {
                SharedFrame::new(&ServerFrame::Delta {
                    block: id,
                    offset,
                    text: text.clone(),
                })
            }),
            text,
        });
    }

    /// The answer as far as it has come.
    pub(crate) fn drafted(&self) -> Vec<Drafted> {
        let inner = lock(&self.inner);
        inner
            .blocks
            .iter()
            .map(|block| block.drafted.clone())
            .collect()
    }

    /// Publishes that the model cannot answer until a time.
    pub(crate) fn waiting(&self, turn: TurnId, error: ErrorBody, until: Timestamp) {
        let frame = SharedFrame::new(&ServerFrame::Waiting {
            conversation: self.conversation,
            turn,
            error,
            until,
        });
        let mut inner = lock(&self.inner);
        inner.waiting = Some(frame.clone());
        inner.send(|| QueuedItem::Frame(frame));
    }

    /// Notes that a call begins to run.
    pub(crate) fn call_runs(&self, call: CallId) {
        lock(&self.inner).progress.insert(call, None);
    }

    /// Publishes the progress of a running tool.
    pub(crate) fn progress(&self, call: CallId, message: String) {
        let frame = SharedFrame::new(&ServerFrame::Progress {
            conversation: self.conversation,
            call,
            message,
        });
        let mut inner = lock(&self.inner);
        // Progress after the end of a call is dropped.
        let Some(newest) = inner.progress.get_mut(&call) else {
            return;
        };
        *newest = Some(frame.clone());
        inner.send(|| QueuedItem::Newest {
            topic: QueueTopic::Progress(call),
            frame,
        });
    }

    /// Publishes which tab has a running call, like progress.
    pub(crate) fn staged(&self, call: CallId, tab: Option<TabId>) {
        let frame = SharedFrame::new(&ServerFrame::Staged {
            conversation: self.conversation,
            call,
            tab,
        });
        let mut inner = lock(&self.inner);
        if inner.progress.contains_key(&call) {
            inner.staged.insert(call, frame.clone());
            inner.send(|| QueuedItem::Newest {
                topic: QueueTopic::Staged(call),
                frame,
            });
        }
    }

    /// Ends all subscriptions: the conversation is gone.
    pub(crate) fn end(&self, error: ErrorBody) {
        let frame = SharedFrame::new(&ServerFrame::Unsubscribed {
            conversation: self.conversation,
            error,
        });
        let mut inner = lock(&self.inner);
        for queue in std::mem::take(&mut inner.queues)
            .iter()
            .filter_map(Weak::upgrade)
        {
            queue.push(QueuedItem::Frame(frame.clone()));
            queue.close();
        }
    }

    /// Subscribes: the events after `after`, then events as they happen, without a gap or a
    /// duplicate. The subscriber gets all of them with this sight.
    ///
    /// Under one lock the subscriber joins, and the head and the live state are noted; the journal
    /// is read afterwards up to that head, and those events go out first.
    pub(crate) async fn subscribe(
        &self,
        keep: Arc<dyn Send + Sync>,
        journal: &dyn Journal,
        after: Seq,
        sight: Sight,
    ) -> Result<Subscription, JournalError> {
        let known = lock(&self.inner).head;
        let head = match known {
            Some(head) => head,
            None => journal.head(self.conversation).await?,
        };
        let queue = Arc::new(Queue::default());
        let (head, live) = {
            let mut inner = lock(&self.inner);
            let head = *inner.head.get_or_insert(head);
            inner.queues.retain(|queue| queue.strong_count() > 0);
            inner.queues.push(Arc::downgrade(&queue));
            let mut live: Vec<_> = inner.blocks.iter().map(|b| self.block_frame(b)).collect();
            live.extend(inner.waiting.clone());
            live.extend(inner.progress.values().flatten().cloned());
            live.extend(inner.staged.values().cloned());
            (head, live)
        };
        let mut first = self.missed(journal, after, head).await?;
        first.push_back(SharedFrame::new(&ServerFrame::Subscribed {
            conversation: self.conversation,
            head,
        }));
        first.extend(live);
        Ok(Subscription::new(first, queue, keep).seen_with(sight))
    }

    async fn missed(
        &self,
        journal: &dyn Journal,
        mut after: Seq,
        head: Seq,
    ) -> Result<VecDeque<SharedFrame>, JournalError> {
        let mut frames = VecDeque::new();
        while after < head {
            let mut events = journal
                .events_after(self.conversation, after, EVENTS_PER_FRAME)
                .await?;
            events.retain(|event| event.seq <= head);
            let Some(last) = events.last() else {
                break;
            };
            after = last.seq;
            frames.push_back(self.events(events));
        }
        Ok(frames)
    }

    fn events(&self, events: Vec<Event>) -> SharedFrame {
        SharedFrame::new(&ServerFrame::Events {
            conversation: self.conversation,
            events,
        })
    }

    fn block_frame(&self, block: &HubBlock) -> SharedFrame {
        SharedFrame::new(&ServerFrame::Block {
            conversation: self.conversation,
            block: block.id,
            message: block.message,
            index: block.drafted.index,
            kind: block.drafted.kind.clone(),
            text: if block.is_input() {
                String::new()
            } else {
                block.drafted.text.clone()
            },
        })
    }
}
