//! The history as the model is sent it: messages, byte for byte the same every time.

use std::sync::Arc;

use protocol::{Timestamp, TurnOutcome};
use serde_json::value::RawValue;

use super::{
    block::StoredBlockKind,
    state::{CallState, Conversation, Turn},
};
use crate::ports::{RequestMessage, RequestRole};

impl Conversation {
    /// The messages of the next request. Each request extends the one before, until the window
    /// moves on.
    pub(crate) fn messages(&self) -> Vec<RequestMessage> {
        let mut messages = Messages::default();
        for turn in &self.turns {
            // A model that refused would refuse again at the sight of the same message.
            if turn.outcome != Some(TurnOutcome::Refused) {
                messages.turn(turn);
            }
        }
        messages.0
    }

    /// Notes for the model on the turn before this one, and news.
    pub(crate) fn notes(&self) -> Vec<String> {
        let before = self.turns.len().checked_sub(2);
        let outcome = before
            .and_then(|before| self.turns.get(before))
            .and_then(|turn| turn.outcome.as_ref());
        let note = match outcome {
            Some(TurnOutcome::Stopped) => {
                Some("[The operator stopped your turn before this message.]")
            }
            Some(TurnOutcome::Limited { .. }) => {
                Some("[Your turn before this message ended at a limit of this server.]")
            }
            Some(TurnOutcome::Failed { .. }) => {
                Some("[Your turn before this message failed before its end.]")
            }
            Some(TurnOutcome::Refused) => Some(
                "[You declined the message before this one. It and all that followed are left out.]",
            ),
            _ => None,
        };
        let note = note.map(ToOwned::to_owned).into_iter();
        note.chain(self.news.iter().cloned()).collect()
    }

    /// True if the history ends with the model's own words, so that something has to be said before
    /// it is asked.
    pub(super) fn ends_with_answer(&self) -> bool {
        let mut messages = self.messages();
        // Kept context alone gives the model nothing to answer.
        let kept = self.turns.back().and_then(|turn| turn.context.as_ref());
        if kept.is_some()
            && let Some(last) = messages.last_mut()
        {
            last.content.pop();
        }
        messages.retain(|message| !message.content.is_empty());
        messages
            .last()
            .is_some_and(|message| message.role == RequestRole::Assistant)
    }

    /// The context that was sent with an interrupted first step of this run, and the time.
    pub(crate) fn kept_context(&self) -> Option<(Arc<RawValue>, Timestamp)> {
        let (block, at) = self.running()?.context.as_ref()?;
        Some((Arc::clone(&block.raw), *at))
    }
}

#[derive(Default)]
struct Messages(Vec<RequestMessage>);

impl Messages {
    fn turn(&mut self, turn: &Turn) {
        self.add(RequestRole::User, turn.opening.iter().map(|b| &b.raw));
        for (number, step) in turn.steps.iter().enumerate() {
            self.add(RequestRole::User, step.said.iter().map(|b| &b.raw));
            self.add(RequestRole::User, step.preface.iter().map(|b| &b.raw));
            let Some(answer) = &step.answer else {
                continue;
            };
            let kept = answer
                .content
                .iter()
                .filter(|block| number >= turn.stripped || block.kind != StoredBlockKind::Thinking);
            self.add(RequestRole::Assistant, kept.map(|block| &block.raw));
            let results: Vec<_> = answer
                .calls
                .iter()
                .map(|call| match &call.state {
                    CallState::Closed { result, .. } => Arc::clone(result),
                    // The model is only asked when all calls of the newest step have ended, so
                    // this one was left open by a fault. The API refuses a call without a result.
                    _ => call.interrupted().into(),
                })
                .collect();
            self.add(RequestRole::User, results.iter());
        }
        self.add(RequestRole::User, turn.unsaid.iter().map(|b| &b.raw));
        let context = turn.context.iter().map(|(block, _)| &block.raw);
        self.add(RequestRole::User, context);
    }

    /// Adjacent messages of one role are one message, as the API reads them.
    fn add<'a>(&mut self, role: RequestRole, blocks: impl Iterator<Item = &'a Arc<RawValue>>) {
        let mut blocks = blocks.cloned().peekable();
        if blocks.peek().is_none() {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.role == role => last.content.extend(blocks),
            _ => self.0.push(RequestMessage {
                role,
                content: blocks.collect(),
            }),
        }
    }
}
