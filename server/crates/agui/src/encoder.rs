//! One run as a stream: events of the journal and live frames in, events of AG-UI out.
//!
//! A run follows one turn from its message to its end, or to the point where only a person can go on, and then the
//! turns of messages that waited behind it when it began. It begins with `RUN_STARTED` and ends with one terminal
//! event, before which everything open is closed.

mod activities;
mod queue;
mod telling;

use std::collections::BTreeSet;

use protocol::{
    ConversationId, ErrorBody, ErrorCode, Event, EventBody, MessageId, Seq, ServerFrame, TurnId,
    TurnOutcome, Usage, Verdict,
};
use serde_json::{Map, Value, json};

use crate::{
    blocks::Blocks,
    calls::Calls,
    cards::Cards,
    event::{AguiEvent, RunEnding, RunUsage, SnapshotMessage},
    input::ClientVersion,
};
use activities::{call_id, card_id};
use queue::MessageQueue;

/// The version of the protocol that a client of 1.0 is told.
const VERSION: &str = "1.0";
/// True in the metadata of a terminal event whose tokens are an estimate.
const ESTIMATED: &str = "usage_estimated";

/// The name of a run, and its circumstances.
#[derive(Debug, Clone)]
pub struct NamedRun {
    /// As the client named it.
    pub thread: String,
    /// As the client named it.
    pub run: String,
    pub client: ClientVersion,
    pub conversation: ConversationId,
    /// The model that answers, for its usage.
    pub model: Option<String>,
    /// The address of the conversation's page, where a person decides.
    pub page: String,
    /// True if the token may decide.
    pub decides: bool,
    /// The id of the request that the stream answers, as in the server's log.
    pub request: String,
}

/// The turn that a run follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowedTurn {
    /// That of the next message.
    Next,
    /// That of a message which waits for its turn.
    Message(MessageId),
    Turn(TurnId),
    /// None: the conversation only shows where it is.
    Nothing,
}

impl FollowedTurn {
    /// Returns the lead of a command, from the events that it wrote and those after them.
    pub fn of_command<'a>(events: impl IntoIterator<Item = &'a Event>) -> Option<Self> {
        let mut events = events.into_iter();
        events.find_map(|event| match &event.body {
            EventBody::TurnStarted { turn, .. }
            | EventBody::TurnResumed { turn }
            | EventBody::ActionStarted { turn, .. } => Some(Self::Turn(*turn)),
            EventBody::MessageQueued { message, .. }
            | EventBody::MessageSteered { message, .. } => Some(Self::Message(*message)),
            // With these a message takes the place of a request, and its turn follows.
            EventBody::ConfirmationDecided {
                verdict: Verdict::Withdrawn,
                ..
            } => None,
            EventBody::ConfirmationDecided { turn, .. }
            | EventBody::ConfirmationRequested { turn, .. } => Some(Self::Turn(*turn)),
            _ => None,
        })
    }
}

/// The stream of one run.
#[derive(Debug)]
pub struct RunEncoder {
    run: NamedRun,
    lead: FollowedTurn,
    /// The newest turn of the conversation, and its outcome once it has ended.
    newest: Option<(TurnId, Option<TurnOutcome>)>,
    seq: Seq,
    /// The event up to which nothing is read as a rest: decisions on later cards follow.
    settled: Seq,
    /// True once everything that was missed has come.
    is_live: bool,
    blocks: Blocks,
    calls: Calls,
    cards: Cards,
    queue: MessageQueue,
    /// The name of the open step.
    step: Option<String>,
    /// Activities that this stream has begun.
    activities: BTreeSet<String>,
    usage: Option<Usage>,
    is_over: bool,
}

impl RunEncoder {
    pub fn new(run: NamedRun, lead: FollowedTurn) -> Self {
        Self {
            run,
            lead,
            newest: None,
            seq: Seq(0),
            settled: Seq(0),
            is_live: false,
            blocks: Blocks::default(),
            calls: Calls::default(),
            cards: Cards::default(),
            queue: MessageQueue::default(),
            step: None,
            activities: BTreeSet::new(),
            usage: None,
            is_over: false,
        }
    }

    /// Takes what happened before this stream, and sends nothing of it.
    pub fn recall(&mut self, events: &[Event]) {
        for event in events {
            self.note(event);
        }
    }

    /// Takes what happened before the stream of a run that began after an event. It follows its turn, and then the
    /// turns of the messages that waited behind it.
    pub fn recall_run(&mut self, events: &[Event], begun: Seq) {
        let (before, since) = events.split_at(events.partition_point(|event| event.seq <= begun));
        self.recall(before);
        self.queue.follow();
        self.recall(since);
    }

    /// Returns whether messages wait for their turn.
    pub fn has_queue(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Does not read the conversation as waiting for a person before this event.
    pub fn settle(&mut self, seq: Seq) {
        self.settled = self.settled.max(seq);
    }

    /// Follows a turn whose beginning the client has seen, with its cards and calls.
    pub fn go_on(&mut self, lead: FollowedTurn) {
        self.lead = lead;
        let cards = self.cards.iter().map(|card| card_id(card.call));
        self.activities.extend(cards);
        let calls = self.calls.shown().map(call_id);
        self.activities.extend(calls);
    }

    /// Returns the turn that is followed, as far as it is known.
    pub fn lead(&self) -> FollowedTurn {
        self.lead
    }

    /// Returns the confirmations that wait.
    pub fn cards(&self) -> &Cards {
        &self.cards
    }

    /// Returns the newest turn, with its outcome once it has ended.
    pub fn newest(&self) -> Option<&(TurnId, Option<TurnOutcome>)> {
        self.newest.as_ref()
    }

    /// Returns whether the terminal event was sent.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Begins the stream.
    pub fn begin(&mut self) -> Vec<AguiEvent> {
        let mut jarvis = json!({ "conversation": self.run.conversation });
        if let FollowedTurn::Turn(turn) = self.lead {
            jarvis["turn"] = json!(turn);
            jarvis["seq"] = json!(self.seq);
        }
        vec![AguiEvent::RunStarted {
            thread_id: self.run.thread.clone(),
            run_id: self.run.run.clone(),
            protocol_version: (self.run.client == ClientVersion::Current).then_some(VERSION),
            metadata: json!({ "jarvis": jarvis }),
        }]
    }

    /// Shows a client that came later where the conversation is. It ends the stream if the turn has ended.
    pub fn catch_up(&mut self, mut messages: Vec<SnapshotMessage>) -> Vec<AguiEvent> {
        messages.extend(self.queue.messages(&self.run.request));
        let mut out = vec![AguiEvent::MessagesSnapshot { messages }];
        out.extend(self.queue.show());
        let cards: Vec<_> = self.cards.iter().cloned().collect();
        for card in cards {
            let content = card.content(&self.run.page);
            self.activity(card_id(card.call), "jarvis.confirmation", content, &mut out);
        }
        let newest = self.newest.clone();
        match (self.lead, newest) {
            (FollowedTurn::Turn(turn), Some((newest, outcome))) if turn == newest => {
                if let Some(outcome) = outcome {
                    self.finish(&outcome, &mut out);
                }
            }
            // A later turn has begun, so this one has ended.
            (FollowedTurn::Turn(_), _) => self.finish(&TurnOutcome::Done, &mut out),
            (FollowedTurn::Nothing, _) if self.cards.is_empty() => {
                self.finish(&TurnOutcome::Done, &mut out);
            }
            (FollowedTurn::Nothing | FollowedTurn::Message(_) | FollowedTurn::Next, _) => {}
        }
        out
    }

    /// Takes a frame of the conversation's subscription.
    pub fn frame(&mut self, frame: &ServerFrame) -> Vec<AguiEvent> {
        let mut out = Vec::new();
        if self.is_over {
            return out;
        }
        match frame {
            ServerFrame::Events { events, .. } => {
                for event in events {
                    self.event(event, &mut out);
                }
            }
            ServerFrame::Subscribed { .. } => {
                self.is_live = true;
                self.rest(&mut out);
            }
            ServerFrame::Unsubscribed { error, .. } => self.fail(error, &mut out),
            ServerFrame::Block {
                block,
                message,
                index,
                kind,
                text,
                ..
            } => {
                let place = (*message, *index);
                self.blocks.begin(*block, place, kind, text, &mut out);
            }
            ServerFrame::Delta {
                block,
                offset,
                text,
            } => self.blocks.more(*block, *offset, text, &mut out),
            ServerFrame::Progress { call, message, .. } => {
                let content = fields([("progress", json!(message))]);
                self.call_activity(*call, content, &mut out);
            }
            ServerFrame::Waiting { error, until, .. } => {
                let value = json!({ "error": error, "until": until });
                out.push(custom("waiting", value));
            }
            _ => {}
        }
        out
    }

    /// Ends the stream early, such as before a restart: the conversation goes on without it.
    pub fn cut(&mut self, error: &ErrorBody) -> Vec<AguiEvent> {
        let mut out = Vec::new();
        if !self.is_over {
            self.fail(error, &mut out);
        }
        out
    }

    fn event(&mut self, event: &Event, out: &mut Vec<AguiEvent>) {
        if self.is_over || event.seq <= self.seq {
            return;
        }
        let before = self.lead;
        self.note(event);
        self.tell(&event.body, before, out);
        self.rest(out);
    }

    /// Follows the journal.
    fn note(&mut self, event: &Event) {
        self.seq = event.seq;
        let body = &event.body;
        self.calls.apply(body);
        self.cards.apply(body);
        self.queue.apply(body);
        match body {
            EventBody::TurnStarted { turn, message, .. }
            | EventBody::ActionStarted { turn, message, .. } => {
                self.newest = Some((*turn, None));
                if self.lead == FollowedTurn::Next || self.lead == FollowedTurn::Message(*message) {
                    self.lead = FollowedTurn::Turn(*turn);
                }
            }
            EventBody::TurnResumed { turn } => {
                self.newest = Some((*turn, None));
                if self.lead == FollowedTurn::Next {
                    self.lead = FollowedTurn::Turn(*turn);
                }
            }
            EventBody::MessageQueued { message, .. }
            | EventBody::MessageSteered { message, .. }
                if self.lead == FollowedTurn::Next =>
            {
                self.lead = FollowedTurn::Message(*message);
            }
            EventBody::MessageRead { turn, message, .. }
                if self.lead == FollowedTurn::Message(*message) =>
            {
                self.lead = FollowedTurn::Turn(*turn);
            }
            EventBody::MessageWithdrawn { message }
                if self.lead == FollowedTurn::Message(*message) =>
            {
                self.lead = FollowedTurn::Nothing;
            }
            EventBody::TurnFinished { turn, outcome, .. } => {
                self.newest = Some((*turn, Some(outcome.clone())));
                if self.lead == FollowedTurn::Turn(*turn)
                    && let Some(next) = self.queue.next_after(outcome)
                {
                    self.lead = FollowedTurn::Message(next);
                }
            }
            EventBody::ModelChosen { model, .. } => self.run.model = Some(model.clone()),
            EventBody::ConversationStarted { model, .. } => {
                self.run.model = Some(model.clone());
            }
            _ => {}
        }
    }

    /// Ends the run if nothing goes on until a person decides.
    fn rest(&mut self, out: &mut Vec<AguiEvent>) {
        let may_rest = self.is_live && self.seq >= self.settled && !self.is_over;
        if !may_rest || !self.calls.wait_for_person() {
            return;
        }
        let decides = self.run.decides && !self.cards.is_relayed();
        let interrupts = self.cards.iter();
        let interrupts = interrupts.map(|card| card.interrupt(decides, &self.run.page));
        let interrupts: Vec<_> = interrupts.collect();
        // One that goes without a card is no question that anybody could answer.
        if interrupts.is_empty() {
            return;
        }
        self.end_run(Some(RunEnding::Interrupt { interrupts }), None, out);
    }

    fn finish(&mut self, outcome: &TurnOutcome, out: &mut Vec<AguiEvent>) {
        let cancelled = (self.run.client == ClientVersion::Current).then_some(RunEnding::Cancelled);
        let ended = |word: &str| Some(json!({ "jarvis": { "ended": word } }));
        match outcome {
            TurnOutcome::Answered | TurnOutcome::Done | TurnOutcome::Unknown => {
                self.end_run(None, None, out);
            }
            TurnOutcome::Truncated => self.end_run(None, ended("truncated"), out),
            TurnOutcome::Refused => self.end_run(None, ended("refused"), out),
            TurnOutcome::Stopped => self.end_run(cancelled, ended("stopped"), out),
            TurnOutcome::Limited { error } => {
                let metadata = json!({ "jarvis": { "ended": "limited", "error": error } });
                self.end_run(cancelled, Some(metadata), out);
            }
            TurnOutcome::Failed { error } => self.fail(error, out),
        }
    }

    fn end_run(
        &mut self,
        outcome: Option<RunEnding>,
        mut metadata: Option<Value>,
        out: &mut Vec<AguiEvent>,
    ) {
        self.close(out);
        if self.is_estimated() {
            let metadata = metadata.get_or_insert_with(|| json!({}));
            metadata["jarvis"][ESTIMATED] = json!(true);
        }
        out.push(AguiEvent::RunFinished {
            thread_id: self.run.thread.clone(),
            run_id: self.run.run.clone(),
            outcome,
            usage: self.usage(),
            metadata,
        });
        self.is_over = true;
    }

    fn fail(&mut self, error: &ErrorBody, out: &mut Vec<AguiEvent>) {
        self.close(out);
        // The request of the turn that failed, which may be an earlier one, or else that of this stream.
        let id = error.request_id.as_ref().unwrap_or(&self.run.request);
        let jarvis = fields([
            ("help", json!(error.help)),
            ("request_id", json!(id)),
            (ESTIMATED, json!(self.is_estimated().then_some(true))),
        ]);
        out.push(AguiEvent::RunError {
            message: error.message.clone(),
            code: code(error.code),
            usage: self.usage(),
            metadata: json!({ "jarvis": jarvis }),
        });
        self.is_over = true;
    }

    fn close(&mut self, out: &mut Vec<AguiEvent>) {
        self.blocks.end(out);
        self.end_step(out);
    }

    fn end_step(&mut self, out: &mut Vec<AguiEvent>) {
        if let Some(step_name) = self.step.take() {
            out.push(AguiEvent::StepFinished { step_name });
        }
    }

    /// True if a figure of the tokens is an estimate. The protocol's own entry has no place for that.
    fn is_estimated(&self) -> bool {
        self.usage.is_some_and(|usage| usage.estimated)
    }

    /// The tokens of this run; a resumed one counts its own.
    fn usage(&self) -> Vec<RunUsage> {
        let usage = self.usage.iter();
        let usage = usage.map(|usage| RunUsage::new(self.run.model.clone(), *usage));
        usage.collect()
    }
}

/// Returns an event of this server's own, `jarvis.` and a name.
pub fn custom(name: &str, value: Value) -> AguiEvent {
    AguiEvent::Custom {
        name: format!("jarvis.{name}"),
        value,
    }
}

fn fields<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    let fields = fields.into_iter();
    fields
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Returns a code as it is written.
fn code(code: ErrorCode) -> String {
    match serde_json::to_value(code) {
        Ok(Value::String(word)) => word,
        _ => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests;
