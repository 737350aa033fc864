//! The actor of one conversation: it performs what the machine asks for and writes down what came
//! of it. Each conversation in use has one task.

mod budget;
mod calls;
mod commit;
mod confirm;
mod correlations;
mod mailbox;
mod step;
mod title;
mod tool_calls;

use std::{collections::HashMap, sync::Arc, time::Duration};

use protocol::{CallId, Reference};

use tokio::sync::mpsc;

use crate::{
    conversation_entry::ConversationEntry,
    hub::Hub,
    machine::{Conversation, Corrupt, NextStep, turn_started},
    ports::{Durability, Epoch, StoredConversation},
    redaction::Cover,
    shared::EngineShared,
};
use calls::{FinishedRun, RunningCalls};
use confirm::CardEdit;
use step::{Answering, Gathering, StepEvent};
use title::Titling;

pub(crate) use correlations::Correlations;
pub(crate) use mailbox::{ActorMessage, ListEntryChange, MailboxAction};

/// The reason for an actor's end before its work was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndedActor {
    /// The conversation was deleted.
    Deleted,
    /// The server stops.
    Closing,
    /// Another server writes now.
    Fenced,
    /// The journal is not where this actor left it.
    Stale,
    /// The journal does not fit the machine.
    Corrupt(Corrupt),
}

/// The actor of one conversation.
pub(crate) struct ConversationActor {
    shared: Arc<EngineShared>,
    entry: Arc<ConversationEntry>,
    messages: mpsc::Receiver<Box<ActorMessage>>,
    stored: StoredConversation,
    epoch: Epoch,
    conversation: Conversation,
    work: Work,
    /// Checks of what became of calls of earlier steps.
    checks: RunningCalls,
    /// Changes of inputs whose targets are being read.
    edits: HashMap<CallId, CardEdit>,
    /// The name of the conversation's user, once a card has needed it.
    asker: Option<String>,
    /// A title that a model is writing.
    titling: Option<Titling>,
    /// Set once a model was asked for a title.
    title_asked: bool,
    /// The redaction of what the model reads, if the conversation has one. A person's own call has
    /// none: no model reads it. One that a program relays has: a model elsewhere does.
    cover: Option<Cover>,
    /// The things that a relayed call names.
    about_call: Vec<Reference>,
    /// The requests behind its records.
    correlations: Correlations,
}

/// The work under way. Dropping it cancels it.
enum Work {
    Nothing,
    /// The context of a step is being gathered.
    Gathering(Gathering),
    /// The model answers.
    Answering(Answering),
    /// Tools run.
    Calls(RunningCalls),
}

enum WorkEvent {
    Step(StepEvent),
    Calls(Vec<FinishedRun>),
}

impl Work {
    /// The next event of the work; text that streams goes straight to the hub. Cancel-safe.
    async fn event(&mut self, hub: &Hub) -> WorkEvent {
        match self {
            Self::Nothing => std::future::pending().await,
            Self::Gathering(gathering) => WorkEvent::Step(gathering.event().await),
            Self::Answering(answering) => WorkEvent::Step(answering.event(hub).await),
            Self::Calls(calls) => WorkEvent::Calls(calls.done().await),
        }
    }

    /// True if it is the work that the machine waits for.
    fn fits(&self, next: &NextStep) -> bool {
        match (self, next) {
            (Self::Gathering(gathering), NextStep::Ask(ask)) => gathering.ask.turn == ask.turn,
            (Self::Answering(answering), NextStep::Await { message, .. }) => {
                answering.message == *message
            }
            (Self::Calls(_), NextStep::Tend { .. }) => true,
            _ => false,
        }
    }
}

impl ConversationActor {
    pub(crate) fn new(
        shared: Arc<EngineShared>,
        entry: Arc<ConversationEntry>,
        messages: mpsc::Receiver<Box<ActorMessage>>,
        stored: StoredConversation,
        epoch: Epoch,
        conversation: Conversation,
        correlations: Correlations,
    ) -> Self {
        let toolsets = &conversation.frozen().toolsets;
        let cover = Cover::of(&shared.tools, toolsets, entry.id, stored.owner);
        let relayed = conversation.relayed_call();
        let about_call = relayed.map(|call| shared.tools.things_of(&call.name, &call.input));
        let cover = if relayed.is_some() {
            cover.map(Cover::of_relayed)
        } else {
            cover.filter(|_| !conversation.is_action())
        };
        Self {
            cover,
            about_call: about_call.unwrap_or_default(),
            shared,
            entry,
            messages,
            stored,
            epoch,
            conversation,
            work: Work::Nothing,
            checks: RunningCalls::new(1),
            edits: HashMap::new(),
            asker: None,
            titling: None,
            title_asked: false,
            correlations,
        }
    }

    /// The things that the running turn names.
    fn about(&self) -> &[Reference] {
        match self.conversation.references() {
            [] => &self.about_call,
            named => named,
        }
    }

    /// Works until the conversation has been idle for a while.
    pub(crate) async fn run(mut self) -> Result<(), EndedActor> {
        loop {
            self.advance().await?;
            self.think_of_title().await?;
            let at_rest =
                self.conversation.is_at_rest() && self.checks.is_empty() && self.titling.is_none();
            let lapses = self.conversation.next_expiry().map(|expires| {
                let left = expires.0.saturating_sub(self.shared.env.now().0);
                Duration::from_millis(u64::try_from(left).unwrap_or_default())
            });
            let linger = self.shared.live().config.linger;
            let Self {
                shared,
                entry,
                messages,
                work,
                checks,
                titling,
                ..
            } = &mut self;
            // Biased: a stop of the server comes first, and commands come before the work, so that
            // a person's stop is heard however fast the model streams. Every future here is
            // cancel-safe: those that lose a round lose nothing. The two timers start anew in each
            // round, so they belong to the state after the last event.
            tokio::select! {
                biased;
                () = shared.closing.cancelled() => return self.wind_down().await,
                message = messages.recv() => match message {
                    Some(message) => self.open(*message).await?,
                    None => return Ok(()),
                },
                event = work.event(&entry.hub) => match event {
                    WorkEvent::Step(event) => self.on_step(event).await?,
                    WorkEvent::Calls(done) => self.on_calls(done).await?,
                },
                done = checks.done() => self.on_checks(done).await?,
                written = title::written(titling) => self.on_title(written).await?,
                () = tokio::time::sleep(lapses.unwrap_or_default()), if lapses.is_some() => {
                    self.expire().await?;
                }
                () = tokio::time::sleep(linger), if at_rest => {
                    if self.leave() {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Does everything that needs no waiting.
    async fn advance(&mut self) -> Result<(), EndedActor> {
        loop {
            // The machine alone decides what comes next. Each arm either writes a record, which
            // changes the next answer of the machine, or leaves work under way and returns; so the
            // loop ends, and a server that is killed anywhere comes back to the same arm.
            let live = self.shared.live();
            let steps = live.config.run.tool_steps(live.config.max_steps);
            let next = self.conversation.next(steps);
            // The machine waits for something else now, for instance after a stop: what runs is
            // dropped.
            if !self.work.fits(&next) {
                self.work = Work::Nothing;
            }
            match next {
                NextStep::Rest => return Ok(()),
                NextStep::Begin(queued) => {
                    let turn = self.shared.new_turn();
                    let record = turn_started(turn, queued.message, queued.said);
                    self.commit(vec![record], Durability::Process).await?;
                }
                NextStep::Ask(ask) => {
                    if matches!(self.work, Work::Gathering(_)) {
                        return Ok(());
                    }
                    if !self.can_go_on(ask.turn).await? {
                        continue;
                    }
                    if ask.context && !self.has_fresh_context() {
                        self.work = Work::Gathering(self.gather(ask));
                        return Ok(());
                    }
                    self.begin_step(&ask, None).await?;
                }
                NextStep::Await { turn, message } => {
                    if matches!(self.work, Work::Answering(_)) {
                        return Ok(());
                    }
                    // The step was begun by a former process, or its work was dropped.
                    self.interrupt(turn, message).await?;
                }
                NextStep::Tend { turn } => {
                    if self.tend(turn).await? {
                        return Ok(());
                    }
                }
                NextStep::Refuse { turn, calls, why } => {
                    let refused = calls.iter().map(|call| call.refused(turn, why)).collect();
                    self.commit(refused, Durability::Process).await?;
                }
                NextStep::Repair { turn, calls } => {
                    let ends = calls
                        .iter()
                        .map(|call| call.unknown(turn, 0, None))
                        .collect();
                    self.commit(ends, Durability::Process).await?;
                }
                NextStep::Finish { turn, outcome } => {
                    let record = self.conversation.turn_finished(turn, outcome, None);
                    self.commit(vec![record], Durability::Process).await?;
                }
            }
        }
    }

    /// Winds down as the server stops: actions under way finish and are recorded; the rest
    /// continues at the next start.
    async fn wind_down(mut self) -> Result<(), EndedActor> {
        while let Work::Calls(calls) = &mut self.work {
            if !calls.keep_what_acts() {
                break;
            }
            let done = calls.done().await;
            self.on_calls(done).await?;
        }
        Ok(())
    }

    /// Leaves the entry, unless a message has come. Returns true if it has left.
    fn leave(&self) -> bool {
        let Ok(mut actor) = self.entry.actor.try_lock() else {
            return false;
        };
        if !self.messages.is_empty() {
            return false;
        }
        *actor = None;
        true
    }
}
