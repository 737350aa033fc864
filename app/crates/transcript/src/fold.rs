//! The fold over journal events.

use std::collections::{HashMap, VecDeque};

use protocol::{
    CallId, ConversationId, Cost, Event, EventBody, LiveBlockId, MessageId, Mode, ModelChoice, Seq,
    Timestamp, TurnId, Usage,
};

use crate::{
    entries::{Branch, QueuedMessage, StandingGrant},
    row::{Resolved, Row, RowContent, RowKey, ToolRow, ToolState},
    turn::{ActiveTurn, Phase},
};

/// A conversation as a person sees it.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    pub(crate) head: Seq,
    /// The event before the first one here; zero if that is the first of all.
    pub(crate) after: Seq,
    /// The turns here, each with the event before its first.
    pub(crate) turns: VecDeque<(TurnId, Seq)>,
    pub(crate) title: String,
    pub(crate) choice: Option<ModelChoice>,
    pub(crate) window: Option<u64>,
    pub(crate) last: Usage,
    pub(crate) mode: Mode,
    pub(crate) rows: Vec<Row>,
    pub(crate) queue: Vec<QueuedMessage>,
    pub(crate) turn: Option<ActiveTurn>,
    pub(crate) from: Option<ConversationId>,
    pub(crate) toolsets: Vec<String>,
    pub(crate) branches: Vec<Branch>,
    /// Name of the person who made the only call, if it is no conversation.
    pub(crate) by: Option<String>,
    pub(crate) grants: Vec<StandingGrant>,
    pub(crate) usage: Usage,
    pub(crate) cost: Option<Cost>,
    /// Rows of blocks that are being streamed; none for a hidden block.
    pub(crate) live: HashMap<LiveBlockId, Option<usize>>,
    /// Rows of tool calls.
    pub(crate) calls: HashMap<CallId, usize>,
}

/// A change that an event or a frame made. Indices are those after the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowChange {
    /// A row was added at the end.
    Pushed(usize),
    /// Anything in a row.
    Changed(usize),
    /// Text was added at the end of a row; nothing else in it changed.
    Appended(usize),
    /// A row was removed; later rows moved up by one.
    Removed(usize),
    /// The running turn, or that there is none.
    Turn,
    Queue,
    Title,
    Grants,
    /// The model from the next turn on.
    Choice,
    /// Tokens and cost of the conversation.
    Totals,
}

/// Missing events: subscribe again after [`Transcript::head`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap;

impl Transcript {
    /// Folds a journal's events into a transcript.
    pub fn from_events(events: &[Event]) -> Result<Self, Gap> {
        let mut transcript = Self::default();
        for event in events {
            transcript.apply(event)?;
        }
        Ok(transcript)
    }

    /// Returns the newest event that was applied.
    pub fn head(&self) -> Seq {
        self.head
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the waiting messages, oldest first.
    pub fn queue(&self) -> &[QueuedMessage] {
        &self.queue
    }

    pub fn turn(&self) -> Option<&ActiveTurn> {
        self.turn.as_ref()
    }

    /// Returns the conversation that this one continues.
    pub fn from(&self) -> Option<ConversationId> {
        self.from
    }

    /// Returns the names of its toolsets, in the order of the server.
    pub fn toolsets(&self) -> &[String] {
        &self.toolsets
    }

    /// Returns the standing grants, ended ones included, oldest first.
    pub fn grants(&self) -> &[StandingGrant] {
        &self.grants
    }

    /// Applies a journal event. An event that was applied before changes nothing.
    pub fn apply(&mut self, event: &Event) -> Result<Vec<RowChange>, Gap> {
        // A tab that reconnects is sent its last events again. Numbers have no gaps, so a missing one is
        // noticed here, and the tab subscribes again instead of showing half of what happened.
        if event.seq <= self.head {
            return Ok(Vec::new());
        }
        if event.seq != self.head.next() {
            return Err(Gap);
        }
        self.head = event.seq;
        let mut changes = Vec::new();
        self.apply_body(event, &mut changes);
        Ok(changes)
    }

    pub(crate) fn apply_body(&mut self, event: &Event, changes: &mut Vec<RowChange>) {
        // Rows come from events alone: a page that was open all along, with its live text, ends up with
        // the same rows as one that is loaded now. Each kind is listed with all its fields, so that a
        // new one is not left out unnoticed.
        let at = event.at;
        match &event.body {
            EventBody::ConversationStarted {
                title,
                model,
                mode,
                toolsets,
                from,
            } => {
                self.from = *from;
                self.toolsets.clone_from(toolsets);
                self.title.clone_from(title);
                self.choose(model, None, None, changes);
                self.mode = *mode;
                // Nothing was used yet. None would mean that the price of something is unknown.
                self.cost = Some(Cost::default());
                changes.push(RowChange::Title);
            }
            EventBody::ModelChosen {
                model,
                effort,
                window,
            } => self.choose(model, *effort, *window, changes),
            EventBody::TitleChanged { title } => self.entitle(title, changes),
            EventBody::TitleWritten {
                title, usage, cost, ..
            } => {
                if let Some(title) = title {
                    self.entitle(title, changes);
                }
                self.count(*usage, *cost, changes);
            }
            EventBody::MessageQueued {
                message,
                text,
                references,
            } => self.enqueue(*message, text, references, false, changes),
            EventBody::MessageSteered {
                message,
                text,
                references,
            } => self.enqueue(*message, text, references, true, changes),
            EventBody::MessageRead {
                turn,
                message,
                text,
                references,
            } => self.read(*turn, *message, at, text, references, changes),
            EventBody::Branched {
                parent,
                message: _,
                title,
                by: _,
                effects,
                more,
            } => {
                let branch = Branch::new(*parent, event.seq, effects, *more);
                self.branch(branch, title, changes);
            }
            EventBody::MessageWithdrawn { message } => self.unqueue(*message, changes),
            EventBody::TurnStarted {
                turn,
                message,
                text,
                references,
            } => {
                // A queued message becomes a row only now: its place is where the turn begins, not where
                // it was written.
                self.unqueue(*message, changes);
                self.turns.push_back((*turn, Seq(event.seq.0 - 1)));
                self.begin_own_part(event.seq, *message);
                let content = RowContent::User {
                    text: text.clone(),
                    references: references.clone(),
                    read: false,
                };
                self.push(RowKey::User(*message), *turn, Some(at), content, changes);
                self.begin_turn(*turn, at, changes);
            }
            EventBody::ActionStarted { turn, .. } => self.begin_own(event, *turn, changes),
            EventBody::TurnResumed { turn } => {
                self.remove_end(*turn, changes);
                self.begin_turn(*turn, at, changes);
            }
            EventBody::StepStarted {
                turn: _,
                step,
                message: _,
            } => {
                if let Some(turn) = &mut self.turn {
                    turn.step = *step;
                    turn.phase = Phase::Asking;
                    turn.waiting = None;
                    changes.push(RowChange::Turn);
                }
            }
            EventBody::StepInterrupted { turn: _, message } => self.interrupt(*message, changes),
            EventBody::AssistantMessage {
                turn,
                message,
                blocks,
                stop,
                usage,
                cost,
            } => {
                self.finish_message(*turn, *message, at, blocks, *stop, changes);
                self.took(*usage, *cost, changes);
            }
            EventBody::ToolStarted {
                turn: _,
                call,
                tier,
                target,
                grant,
                input,
            } => {
                self.change_call(*call, changes, |row| {
                    row.tier = Some(*tier);
                    row.target.clone_from(target);
                    row.started = Some(at);
                    row.state = ToolState::Running;
                    row.grant = *grant;
                    // Only for an input that a person changed; the model's own is there already.
                    if let Some(input) = input {
                        row.input = Some(input.clone());
                    }
                });
                self.use_grant(*grant, changes);
                self.tools_phase(changes);
            }
            EventBody::ToolQueued {
                turn: _,
                call,
                tier,
                target,
            } => {
                self.change_call(*call, changes, |row| {
                    row.tier = Some(*tier);
                    row.target.clone_from(target);
                    row.state = ToolState::Queued;
                });
                self.tools_phase(changes);
            }
            EventBody::ConfirmationRequested {
                turn: _,
                call,
                confirmation,
            } => {
                self.ask(*call, confirmation, at, changes);
                self.tools_phase(changes);
            }
            EventBody::ConfirmationDecided {
                turn: _,
                call,
                digest: _,
                verdict,
                by,
                via: _,
            } => {
                self.decide(*call, verdict, by.as_deref(), at, changes);
                self.tools_phase(changes);
            }
            EventBody::GrantGiven { grant, by, via: _ } => self.give_grant(grant, by, at, changes),
            EventBody::GrantRevoked { grant, by, via: _ } => {
                self.revoke_grant(*grant, by, changes);
            }
            EventBody::OutcomeResolved {
                call,
                resolution,
                by,
                via: _,
                message,
            } => {
                // It may come long after its turn, for a call that a branch has copied: the row changes
                // where it is, and nothing is added at the end.
                self.stay_at_branch(event.seq);
                self.change_call(*call, changes, |row| {
                    row.resolved = Some(Resolved {
                        resolution: *resolution,
                        by: by.clone(),
                        message: message.clone(),
                    });
                });
            }
            // The turn goes on until what acts has ended: only its end takes it away.
            EventBody::StopRequested { turn: _ } => {
                if let Some(turn) = &mut self.turn {
                    turn.stopping = true;
                    changes.push(RowChange::Turn);
                }
            }
            EventBody::ToolBlocked {
                turn: _,
                call,
                tier,
                reason,
                message,
            } => {
                self.change_call(*call, changes, |row| {
                    row.tier = *tier;
                    row.state = ToolState::Blocked {
                        reason: *reason,
                        message: message.clone(),
                    };
                });
            }
            EventBody::ToolFinished {
                turn: _,
                call,
                outcome,
                elapsed_ms,
            } => {
                self.change_call(*call, changes, |row| {
                    row.elapsed_ms = Some(*elapsed_ms);
                    row.progress = None;
                    row.state = ToolState::of(outcome);
                });
                self.tools_phase(changes);
            }
            EventBody::BudgetNear { turn, message, .. } => {
                let text = message.clone();
                let content = RowContent::Note { text };
                self.push(RowKey::Note(event.seq), *turn, Some(at), content, changes);
            }
            EventBody::TurnFinished {
                turn,
                outcome,
                usage,
                cost,
            } => {
                let took_ms = self.worked(*turn, at);
                let content = RowContent::End {
                    outcome: outcome.clone(),
                    usage: *usage,
                    cost: *cost,
                    took_ms,
                };
                self.push(RowKey::End(event.seq), *turn, Some(at), content, changes);
                self.turn = None;
                changes.push(RowChange::Turn);
            }
            EventBody::AskedByLink { .. } | EventBody::Unknown => {}
        }
    }

    pub(crate) fn push(
        &mut self,
        key: RowKey,
        turn: TurnId,
        at: Option<Timestamp>,
        content: RowContent,
        changes: &mut Vec<RowChange>,
    ) -> usize {
        let index = self.rows.len();
        self.rows.push(Row {
            key,
            turn,
            at,
            content,
        });
        changes.push(RowChange::Pushed(index));
        index
    }

    pub(crate) fn find_block(&self, message: MessageId, index: u32) -> Option<usize> {
        let key = RowKey::Block(message, index);
        self.rows.iter().rposition(|row| row.key == key)
    }

    pub(crate) fn begin_turn(
        &mut self,
        id: TurnId,
        started: Timestamp,
        changes: &mut Vec<RowChange>,
    ) {
        self.turn = Some(ActiveTurn {
            id,
            started,
            step: 0,
            phase: Phase::Asking,
            waiting: None,
            stopping: false,
        });
        changes.push(RowChange::Turn);
    }

    /// Sets the phase while calls of the newest answer are open: waiting if one of them waits for a
    /// person.
    pub(crate) fn tools_phase(&mut self, changes: &mut Vec<RowChange>) {
        let Some(turn) = &mut self.turn else {
            return;
        };
        let id = turn.id;
        let waits = self
            .rows
            .iter()
            .rev()
            .take_while(|row| row.turn == id)
            .any(|row| matches!(&row.content, RowContent::Tool(tool) if tool.state == ToolState::Waiting));
        let phase = if waits { Phase::Waiting } else { Phase::Tools };
        if turn.phase != phase {
            turn.phase = phase;
            changes.push(RowChange::Turn);
        }
    }

    /// Removes the end of a resumed turn, which will get a new one: the old one would say that it
    /// failed while it runs.
    fn remove_end(&mut self, turn: TurnId, changes: &mut Vec<RowChange>) {
        let end = self
            .rows
            .iter()
            .rposition(|row| row.turn == turn && matches!(row.content, RowContent::End { .. }));
        if let Some(index) = end {
            self.remove(index, changes);
        }
    }

    pub(crate) fn remove(&mut self, index: usize, changes: &mut Vec<RowChange>) {
        self.rows.remove(index);
        // Both tables point into the rows, and all later rows moved.
        for row in self
            .calls
            .values_mut()
            .chain(self.live.values_mut().flatten())
        {
            if *row > index {
                *row -= 1;
            }
        }
        changes.push(RowChange::Removed(index));
    }

    pub(crate) fn change_call(
        &mut self,
        call: CallId,
        changes: &mut Vec<RowChange>,
        change: impl FnOnce(&mut ToolRow),
    ) {
        if let Some(&index) = self.calls.get(&call)
            && let Some(Row {
                content: RowContent::Tool(row),
                ..
            }) = self.rows.get_mut(index)
        {
            change(row);
            changes.push(RowChange::Changed(index));
        }
    }
}
