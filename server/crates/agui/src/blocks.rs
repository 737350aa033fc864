//! Texts and reasoning of answers as they stream, and as the journal has them in the end.

use std::collections::{BTreeMap, HashMap};

use protocol::{BlockKind, LiveBlockId, MessageId};

use crate::event::AguiEvent;

/// The place of a block: its message, and its position there.
type BlockPlace = (MessageId, u32);

/// The kinds of blocks that have a text of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    Text,
    Reasoning,
}

impl TextKind {
    pub(crate) fn of(kind: &BlockKind) -> Option<Self> {
        match kind {
            BlockKind::Text => Some(Self::Text),
            BlockKind::Thinking => Some(Self::Reasoning),
            // A call gets its id with the complete answer.
            BlockKind::ToolUse { .. } | BlockKind::Other => None,
        }
    }
}

#[derive(Debug)]
struct SentBlock {
    kind: TextKind,
    /// Bytes of its text that were sent.
    sent: usize,
    is_open: bool,
}

/// The blocks of the answers of a run.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    sent: BTreeMap<BlockPlace, SentBlock>,
    live: HashMap<LiveBlockId, BlockPlace>,
}

impl Blocks {
    /// Takes a block that streams, with all of its text so far.
    pub(crate) fn begin(
        &mut self,
        live: LiveBlockId,
        place: BlockPlace,
        kind: &BlockKind,
        text: &str,
        out: &mut Vec<AguiEvent>,
    ) {
        if let Some(kind) = TextKind::of(kind) {
            self.live.insert(live, place);
            self.append(place, kind, 0, text, out);
        }
    }

    /// Takes more text of a block that streams.
    pub(crate) fn more(
        &mut self,
        live: LiveBlockId,
        offset: u64,
        text: &str,
        out: &mut Vec<AguiEvent>,
    ) {
        let Some(place) = self.live.get(&live).copied() else {
            return;
        };
        // Before its first text a block was not sent, but it is known.
        let kind = self.sent.get(&place).map(|block| block.kind);
        if let (Some(kind), Ok(offset)) = (kind, usize::try_from(offset)) {
            self.append(place, kind, offset, text, out);
        }
    }

    /// Takes a block as the journal has it: what is missing of it is sent, and it is closed.
    pub(crate) fn complete(
        &mut self,
        place: BlockPlace,
        kind: TextKind,
        text: &str,
        out: &mut Vec<AguiEvent>,
    ) {
        self.append(place, kind, 0, text, out);
        if let Some(block) = self.sent.get_mut(&place) {
            close(place, block, out);
        }
    }

    /// Closes everything, and forgets it: nothing of it goes on.
    pub(crate) fn end(&mut self, out: &mut Vec<AguiEvent>) {
        for (place, block) in &mut self.sent {
            close(*place, block, out);
        }
        self.sent.clear();
        self.live.clear();
    }

    fn append(
        &mut self,
        place: BlockPlace,
        kind: TextKind,
        offset: usize,
        text: &str,
        out: &mut Vec<AguiEvent>,
    ) {
        let block = self.sent.entry(place).or_insert(SentBlock {
            kind,
            sent: 0,
            is_open: false,
        });
        // A gap is filled by the complete answer; what was sent is not sent again.
        let known = block.sent.checked_sub(offset);
        let Some(new) = known.and_then(|known| text.get(known..)) else {
            return;
        };
        if new.is_empty() {
            return;
        }
        // One at a time: a client shows what is open as being written.
        if !block.is_open {
            for (other, block) in &mut self.sent {
                close(*other, block, out);
            }
        }
        let Some(block) = self.sent.get_mut(&place) else {
            return;
        };
        let message_id = block_id(place);
        if !block.is_open {
            block.is_open = true;
            open(kind, &message_id, out);
        }
        block.sent += new.len();
        let delta = new.to_owned();
        out.push(match kind {
            TextKind::Text => AguiEvent::TextMessageContent { message_id, delta },
            TextKind::Reasoning => AguiEvent::ReasoningMessageContent { message_id, delta },
        });
    }
}

/// Returns the id of a block, in a stream and in a snapshot.
pub(crate) fn block_id((message, index): BlockPlace) -> String {
    format!("{message}.{index}")
}

fn open(kind: TextKind, message_id: &str, out: &mut Vec<AguiEvent>) {
    let message_id = message_id.to_owned();
    match kind {
        TextKind::Text => out.push(AguiEvent::TextMessageStart {
            message_id,
            role: "assistant",
        }),
        TextKind::Reasoning => out.extend([
            AguiEvent::ReasoningStart {
                message_id: message_id.clone(),
            },
            AguiEvent::ReasoningMessageStart {
                message_id,
                role: "reasoning",
            },
        ]),
    }
}

fn close(place: BlockPlace, block: &mut SentBlock, out: &mut Vec<AguiEvent>) {
    if !std::mem::replace(&mut block.is_open, false) {
        return;
    }
    let message_id = block_id(place);
    match block.kind {
        TextKind::Text => out.push(AguiEvent::TextMessageEnd { message_id }),
        TextKind::Reasoning => out.extend([
            AguiEvent::ReasoningMessageEnd {
                message_id: message_id.clone(),
            },
            AguiEvent::ReasoningEnd { message_id },
        ]),
    }
}
