//! Cards: how a person is asked, changes the input and decides, and how a card expires.
//!
//! The decision and the start of a call are two records, and between them the gate is asked again
//! and the target is read again: another state is another digest, and the card comes back with what
//! changed.

use protocol::{CallId, CommandId, ErrorBody, Resolution, TurnId, UserId};
use serde_json::Value;
use tokio::sync::oneshot;

use super::{
    ConversationActor, EndedActor,
    calls::{FinishedRun, TargetRead, origin, tool_call},
    commit::CommitRefused,
    mailbox::reply,
};
use crate::{
    decide::Edited,
    error, input_edit,
    machine::Call,
    output::clean_line,
    ports::{Durability, JournalError, NewRecord, Person, Reconciled, ToolCall},
    rights, texts,
};

/// A change of an input whose target is being read.
pub(super) struct CardEdit {
    pub(super) digest: String,
    pub(super) input: Value,
    pub(super) person: Person,
    pub(super) command: Option<(UserId, CommandId)>,
    pub(super) answer: oneshot::Sender<Result<(), ErrorBody>>,
}

impl ConversationActor {
    /// Takes in the target of a call as it was just read.
    pub(super) async fn on_preview(
        &mut self,
        id: CallId,
        read: TargetRead,
    ) -> Result<(), EndedActor> {
        // The read took its time: the call may have ended.
        let turn = self.conversation.running_turn();
        let (Some(turn), Some(call)) = (turn, self.conversation.open_call(id).cloned()) else {
            return Ok(());
        };
        if let Some(edit) = self.edits.remove(&id) {
            return self.on_edited(turn, &call, edit, read).await;
        }
        let preview = match (read.preview, &self.cover) {
            // The model is told why the call is not offered.
            (Err(error), Some(cover)) => {
                let tokens = cover.rule(self.toolset(&call.name));
                let about = self.about();
                Err(cover.error(about, error, tokens).await)
            }
            (preview, _) => preview,
        };
        let facts = self.decision_facts().await;
        // What another definition says of the target is nothing that this one can be approved by.
        if facts.tools.other_than(&read.tool).is_some() {
            self.start_preview(&call, &facts.tools);
            return Ok(());
        }
        let moment = self.moment(&facts);
        let record = moment.previewed(turn, &call, preview.as_ref());
        self.run_now(&call, record, &facts.tools).await
    }

    /// Starts a change of the input: its target is read first.
    pub(super) async fn edit(&mut self, id: CallId, edit: CardEdit) {
        let now = self.shared.env.now();
        let checked = self.conversation.asked(id, &edit.digest, now);
        let (call, asked) = match checked {
            Ok((call, asked)) => (call.clone(), asked),
            Err(error) => {
                // It may be a repeat whose answer was lost, and the card has changed since.
                let done = self.unless_done(edit.command, error).await;
                return reply(edit.answer, done);
            }
        };
        // Another input is part of the decision: whoever may not decide on the card may not change
        // it.
        let on_page = asked.second.is_some() || call.relayed;
        let reached = rights::reaches_card(&edit.person.via, &asked.assurance, on_page);
        if let Err(error) = reached {
            return reply(edit.answer, Err(error));
        }
        let Some(tool) = self.shared.tools.get(&call.name) else {
            return reply(edit.answer, Err(error::internal()));
        };
        if let Err(error) = input_edit::check(&tool.spec, &asked.input, &edit.input) {
            return reply(edit.answer, Err(error));
        }
        if self.is_under_way(id) {
            let busy = error::not_allowed(texts::calls::TARGET_IS_BEING_CHECKED);
            return reply(edit.answer, Err(busy));
        }
        let looked = ToolCall {
            input: edit.input.clone(),
            ..tool_call(self.entry.id, self.stored.owner, &call)
        };
        self.edits.insert(id, edit);
        if let Some(work) = self.calls() {
            work.preview(&tool, looked);
        }
    }

    async fn on_edited(
        &mut self,
        turn: TurnId,
        call: &Call,
        edit: CardEdit,
        read: TargetRead,
    ) -> Result<(), EndedActor> {
        let facts = self.decision_facts().await;
        let preview = match facts.tools.other_than(&read.tool) {
            Some(_) => Err(error::not_allowed(texts::calls::TOOL_HAS_CHANGED)),
            None => read.preview,
        };
        let moment = self.moment(&facts);
        let edited = Edited {
            digest: &edit.digest,
            input: &edit.input,
            person: &edit.person,
        };
        let records = moment.edited(turn, call, &edited, preview.as_ref());
        self.correlations
            .asking
            .clone_from(&edit.person.correlation);
        let written = match records {
            Ok(records) => Ok(self.write(records, edit.command, Durability::Power).await),
            Err(refusal) => Err(refusal),
        };
        self.correlations.asking = None;
        let result = match written {
            Ok(written) => match written {
                Ok(()) | Err(CommitRefused::Not(JournalError::Duplicate)) => Ok(()),
                Err(CommitRefused::Not(journal)) => Err(error::of_journal(&journal)),
                Err(CommitRefused::Ended(ended)) => {
                    reply(edit.answer, Err(error::internal()));
                    return Err(ended);
                }
            },
            Err(refusal) => self.unless_done(edit.command, refusal).await,
        };
        reply(edit.answer, result);
        Ok(())
    }

    /// Expires the cards that nobody decided in time.
    pub(super) async fn expire(&mut self) -> Result<(), EndedActor> {
        let Some(turn) = self.conversation.running_turn() else {
            return Ok(());
        };
        let records = self.conversation.expired(turn, self.shared.env.now());
        self.commit(records, Durability::Process).await
    }

    /// Starts another check of what became of a call.
    pub(super) fn check_outcome(&mut self, id: CallId) -> Result<(), ErrorBody> {
        let unknown = self.conversation.unknown_call(id);
        let unknown = unknown.ok_or_else(error::outcome_known)?;
        let call = ToolCall {
            id,
            name: unknown.name.clone(),
            input: unknown.input.clone(),
            approval: unknown.approval.clone(),
            origin: origin(self.entry.id, self.stored.owner, unknown.place, unknown.own),
        };
        let since = unknown.since;
        let tool = self.shared.tools.get(&call.name);
        let tool = tool.ok_or_else(|| error::not_allowed(texts::calls::TOOL_NO_LONGER_EXISTS))?;
        if !self.checks.has(id) {
            self.checks.reconcile(&tool, call, since);
        }
        Ok(())
    }

    /// The name of a tool's toolset; empty if there is no such tool.
    pub(super) fn toolset(&self, tool: &str) -> &'static str {
        self.shared.tools.get(tool).map_or("", |tool| tool.toolset)
    }

    /// Records what the checks have found.
    pub(super) async fn on_checks(&mut self, done: Vec<FinishedRun>) -> Result<(), EndedActor> {
        for done in done {
            let FinishedRun::Reconciled(call, found) = done else {
                continue;
            };
            let (resolution, message) = match found {
                Reconciled::Done(Ok(output)) => (
                    Resolution::Done,
                    texts::calls::it_took_effect(&output.summary),
                ),
                Reconciled::Done(Err(error)) => (
                    Resolution::NotDone,
                    texts::calls::it_ended_with_error(&error.0.message),
                ),
                Reconciled::NotDone(why) => {
                    (Resolution::NotDone, texts::calls::it_had_no_effect(&why))
                }
                Reconciled::Unknown(known) => {
                    (Resolution::Unknown, texts::calls::still_unknown(&known))
                }
            };
            let message = match &self.cover {
                Some(cover) => {
                    let unknown = self.conversation.unknown_call(call);
                    let tokens = cover.rule(unknown.map_or("", |it| self.toolset(&it.name)));
                    let about = self.about();
                    cover.sentence(about, &message, tokens).await
                }
                None => message,
            };
            let message = clean_line(&message);
            if let Ok(record) = self.conversation.resolved(call, resolution, None, message) {
                self.commit(vec![record], Durability::Process).await?;
            }
        }
        Ok(())
    }

    /// The record of a person's word on what became of a call.
    pub(super) fn resolve(
        &self,
        call: CallId,
        resolution: Resolution,
        person: &Person,
    ) -> Result<NewRecord, ErrorBody> {
        let message = match resolution {
            Resolution::Done => texts::calls::IT_TOOK_EFFECT,
            Resolution::NotDone => texts::calls::IT_HAD_NO_EFFECT,
            Resolution::Unknown => return Err(error::unknown_command()),
        };
        self.conversation
            .resolved(call, resolution, Some(person), message.to_owned())
    }
}
