//! A client's view of one conversation, put together from frames, with the promises checked.

use std::collections::BTreeMap;

use protocol::{
    BlockKind, ContentBlock, Event, EventBody, LiveBlockId, MessageId, SecondCall, Seq,
    ServerFrame, TurnId,
};

/// A block that is being streamed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Live {
    pub(crate) message: MessageId,
    pub(crate) index: u32,
    pub(crate) kind: BlockKind,
    pub(crate) text: String,
    /// Bytes of the text that were there when the block was first seen.
    pub(crate) joined_at: usize,
}

/// One conversation as a client has it.
#[derive(Debug, Default)]
pub(crate) struct View {
    /// The newest event.
    pub(crate) head: Seq,
    pub(crate) events: Vec<Event>,
    /// Blocks that have been streamed, also when their message is complete.
    pub(crate) blocks: BTreeMap<LiveBlockId, Live>,
    /// Calls of others that wait for the client's user, as last sent.
    pub(crate) seconds: Vec<SecondCall>,
}

impl View {
    /// Takes in a frame. Panics if an event or a piece of text is missing or doubled, or if a
    /// message differs from its stream.
    pub(crate) fn apply(&mut self, frame: &ServerFrame) {
        match frame {
            ServerFrame::Events { events, .. } => {
                for event in events {
                    assert_eq!(event.seq, self.head.next(), "events are dense");
                    self.head = event.seq;
                    if let EventBody::AssistantMessage {
                        message, blocks, ..
                    } = &event.body
                    {
                        self.compare(*message, blocks);
                    }
                    self.events.push(event.clone());
                }
            }
            ServerFrame::Block {
                block,
                message,
                index,
                kind,
                text,
                ..
            } => {
                let live = Live {
                    message: *message,
                    index: *index,
                    kind: kind.clone(),
                    text: text.clone(),
                    joined_at: text.len(),
                };
                let before = self.blocks.insert(*block, live);
                assert_eq!(before, None, "a block is announced once a subscription");
            }
            ServerFrame::Delta {
                block,
                offset,
                text,
            } => {
                let live = self.blocks.get_mut(block).expect("a delta of a block");
                assert_eq!(live.text.len() as u64, *offset, "deltas join without gap");
                live.text.push_str(text);
            }
            ServerFrame::Seconds { calls } => self.seconds.clone_from(calls),
            _ => {}
        }
    }

    fn compare(&self, message: MessageId, blocks: &[ContentBlock]) {
        for live in self.blocks.values().filter(|live| live.message == message) {
            let block = usize::try_from(live.index)
                .ok()
                .and_then(|index| blocks.get(index));
            match (&live.kind, block) {
                (BlockKind::Text, Some(ContentBlock::Text { text }))
                | (BlockKind::Thinking, Some(ContentBlock::Thinking { text })) => {
                    assert_eq!(&live.text, text, "what was streamed is what is recorded");
                }
                (BlockKind::ToolUse { name }, Some(ContentBlock::ToolUse { name: have, .. })) => {
                    assert_eq!(name, have);
                    assert_eq!(live.text, "", "an input is sent once it is whole");
                }
                (kind, block) => panic!("streamed {kind:?}, recorded {block:?}"),
            }
        }
    }

    /// The first result of `find`.
    pub(crate) fn find<T>(&self, find: impl FnMut(&EventBody) -> Option<T>) -> Option<T> {
        self.events.iter().map(|event| &event.body).find_map(find)
    }

    /// The first turn.
    pub(crate) fn turn(&self) -> TurnId {
        let turn = self.find(|body| match body {
            EventBody::TurnStarted { turn, .. } => Some(*turn),
            _ => None,
        });
        turn.unwrap()
    }

    pub(crate) fn count(&self, is: impl Fn(&EventBody) -> bool) -> usize {
        self.events.iter().filter(|event| is(&event.body)).count()
    }

    /// For each call that was started: the number of starts and of ends.
    pub(crate) fn calls(&self) -> Vec<(usize, usize)> {
        let mut calls = BTreeMap::<_, (usize, usize)>::new();
        for event in &self.events {
            match &event.body {
                EventBody::ToolStarted { call, .. } => calls.entry(*call).or_default().0 += 1,
                EventBody::ToolFinished { call, .. } => calls.entry(*call).or_default().1 += 1,
                _ => {}
            }
        }
        calls.into_values().collect()
    }

    /// The number of turns that have ended.
    pub(crate) fn finished(&self) -> usize {
        self.count(|body| matches!(body, EventBody::TurnFinished { .. }))
    }

    /// All text of an assistant's messages, in order.
    pub(crate) fn said(&self) -> Vec<&str> {
        let mut said = Vec::new();
        for event in &self.events {
            if let EventBody::AssistantMessage { blocks, .. } = &event.body {
                said.extend(blocks.iter().filter_map(|block| match block {
                    ContentBlock::Text { text } => Some(text.as_str()),
                    _ => None,
                }));
            }
        }
        said
    }

    /// The text of text blocks that are or were streamed.
    pub(crate) fn streamed(&self) -> String {
        self.blocks
            .values()
            .filter(|live| live.kind == BlockKind::Text)
            .map(|live| live.text.as_str())
            .collect()
    }

    /// The names of the events.
    pub(crate) fn kinds(&self) -> Vec<String> {
        let kind = |event: &Event| {
            let json = serde_json::to_value(event).unwrap();
            json["type"].as_str().unwrap().to_owned()
        };
        self.events.iter().map(kind).collect()
    }
}
