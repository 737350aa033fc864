//! Tool calls from the gate to their ends.
//!
//! Calls that read start together and run in parallel. What acts runs one by one in the order of
//! the calls, the gate is asked once more just before, and after a failure or an unknown outcome
//! the rest is answered with "not executed".

use std::sync::Arc;

use protocol::{CallId, ErrorBody, ErrorCode, Timestamp, ToolOutput, TurnId};

use super::{
    ConversationActor, EndedActor, Work,
    calls::{FinishedRun, RunningCalls, RunningPlace, tool_call},
};
use crate::{
    decide::{DecisionFacts, Moment},
    error, files,
    machine::{Call, FinishedCalls, elapsed},
    output,
    ports::{Durability, NewRecord, OnStop, Reconciled, Recovery, ToolError},
    texts,
    tools::ToolsSnapshot,
};

impl ConversationActor {
    /// Does what the calls of the newest answer need. Returns true if all that is left is to wait.
    pub(super) async fn tend(&mut self, turn: TurnId) -> Result<bool, EndedActor> {
        let plan = self.conversation.plan();
        if let Work::Calls(work) = &mut self.work {
            let conversation = &self.conversation;
            work.keep(|id| conversation.open_call(id).is_some());
        }
        // Calls that a failure rules out are answered first, then those that a restart cut off are
        // taken up, then the gate judges, and only when nothing had to be written does the next
        // action begin: after each write the plan is made anew from the journal.
        if !plan.skip.is_empty() {
            let records = plan
                .skip
                .iter()
                .map(|call| call.not_executed(turn, call.asked.as_ref().map(|asked| asked.tier)))
                .collect();
            self.commit(records, Durability::Process).await?;
            return Ok(false);
        }
        self.attend(&plan.running);
        if self.conversation.is_stopping() {
            self.ask_to_end(&plan.running);
        }
        if self.judge(turn, &plan.judge).await? {
            return Ok(false);
        }
        match plan.act {
            Some(call) if !self.is_under_way(call.id) => self.act_on(turn, &call).await,
            _ => Ok(true),
        }
    }

    pub(super) fn is_under_way(&self, call: CallId) -> bool {
        matches!(&self.work, Work::Calls(work) if work.has(call))
    }

    pub(super) fn calls(&mut self) -> Option<&mut RunningCalls> {
        if !matches!(self.work, Work::Calls(_)) {
            let parallel = self.shared.live().config.parallel_tools;
            self.work = Work::Calls(RunningCalls::new(parallel));
        }
        match &mut self.work {
            Work::Calls(calls) => Some(calls),
            _ => None,
        }
    }

    /// Makes sure that every started call is under way. One that is not was cut off by the end of a
    /// former process: it runs again if it only reads or is idempotent, the tool checks what became
    /// of it if it can, and otherwise its outcome is unknown.
    fn attend(&mut self, running: &[(Call, Timestamp)]) {
        for (call, since) in running {
            if self.is_under_way(call.id) {
                continue;
            }
            // Another definition is another tool: it neither runs the call again nor knows its outcome.
            let frozen = self.conversation.frozen();
            let tool = self.shared.tools.get(&call.name);
            let tool = tool.filter(|tool| !frozen.is_redefined(&call.name, tool.digest.as_deref()));
            let place = self.place();
            let Some(work) = self.calls() else { return };
            match tool {
                Some(tool) => match tool.spec.recovery {
                    Recovery::Pure | Recovery::Idempotent => work.start(&place, &tool, call),
                    Recovery::Reconcilable => {
                        work.reconcile(&tool, tool_call(place.entry.id, place.user, call), *since)
                    }
                    Recovery::Unsafe => work.settled(call.id, interrupted()),
                },
                None => work.settled(call.id, interrupted()),
            }
        }
    }

    /// Asks the calls that a stop lets finish to end early.
    fn ask_to_end(&mut self, running: &[(Call, Timestamp)]) {
        let place = self.place();
        let Work::Calls(work) = &mut self.work else {
            return;
        };
        for (call, _) in running {
            let tool = place.shared.tools.get(&call.name);
            if let Some(tool) = tool.filter(|tool| tool.on_stop == OnStop::Finish) {
                work.ask_to_end(&place, &tool, call);
            }
        }
    }

    /// Lets the gate decide on calls, records its decisions, and only then starts what may run.
    /// Returns true if anything was written.
    async fn judge(&mut self, turn: TurnId, calls: &[Call]) -> Result<bool, EndedActor> {
        // All calls are judged by the same facts and recorded in one transaction; nothing starts
        // before that write. It is flushed to the disk if one of the calls may leave a trace.
        let facts = self.decision_facts().await;
        let moment = self.moment(&facts);
        let batch = moment.judge(turn, calls, |id| self.is_under_way(id));
        for call in batch.look {
            self.start_preview(call, &facts.tools);
        }
        if batch.records.is_empty() {
            return Ok(false);
        }
        self.commit(batch.records, batch.durability).await?;
        for call in batch.start {
            self.start(call, &facts.tools);
        }
        Ok(true)
    }

    /// Takes up the next action: the gate is asked again, and what was shown must still be true.
    /// Returns true if there is something to wait for.
    async fn act_on(&mut self, turn: TurnId, call: &Call) -> Result<bool, EndedActor> {
        let facts = self.decision_facts().await;
        match self.moment(&facts).act(turn, call) {
            Some(record) => {
                self.run_now(call, record, &facts.tools).await?;
                Ok(false)
            }
            None => {
                self.start_preview(call, &facts.tools);
                Ok(true)
            }
        }
    }

    /// Records the start of a call, flushed to the disk, and starts it; or records why it does not
    /// run. `judged` are the tools of the decision.
    pub(super) async fn run_now(
        &mut self,
        call: &Call,
        record: NewRecord,
        judged: &ToolsSnapshot,
    ) -> Result<(), EndedActor> {
        let starts = matches!(record.body, protocol::EventBody::ToolStarted { .. });
        self.commit(vec![record], Durability::Power).await?;
        if starts {
            self.start(call, judged);
        }
        Ok(())
    }

    /// Starts the tool that was judged: by its name alone, one that arrived while the start was written
    /// would run under the verdict on the one before.
    fn start(&mut self, call: &Call, judged: &ToolsSnapshot) {
        let place = self.place();
        // As it is after the record of its start, which may have brought a grant's approval.
        let Some(call) = self.conversation.open_call(call.id).cloned() else {
            return;
        };
        if let Some(tool) = judged.get(&call.name)
            && let Some(work) = self.calls()
        {
            work.start(&place, &tool, &call);
        }
    }

    fn place(&self) -> RunningPlace {
        RunningPlace {
            shared: Arc::clone(&self.shared),
            entry: Arc::clone(&self.entry),
            user: self.stored.owner,
            correlation: self.correlations.of_turn().cloned(),
        }
    }

    pub(super) fn start_preview(&mut self, call: &Call, judged: &ToolsSnapshot) {
        let (conversation, person) = (self.entry.id, self.stored.owner);
        if let Some(tool) = judged.get(&call.name)
            && let Some(work) = self.calls()
        {
            work.preview(&tool, tool_call(conversation, person, call));
        }
    }

    /// Reads the facts that every decision depends on.
    pub(super) async fn decision_facts(&mut self) -> DecisionFacts {
        let role = match self.shared.journal.role(self.stored.owner).await {
            Ok(role) => Some(role.unwrap_or_default()),
            Err(error) => {
                tracing::error!(user = %self.stored.owner, %error, "a role cannot be read");
                None
            }
        };
        let live = self.shared.live();
        // For a card that takes two persons: the policy or the tool itself may want that.
        if self.asker.is_none() {
            match self.shared.journal.name(self.stored.owner).await {
                Ok(name) => self.asker = name,
                Err(error) => tracing::error!(%error, "the name of a user cannot be read"),
            }
        }
        DecisionFacts {
            live,
            tools: self.shared.tools.snapshot(),
            kill_switch: self.shared.kill_switch().await.map(|state| state.on),
            role,
        }
    }

    /// The conversation as it is now, for a decision.
    pub(super) fn moment<'a>(&'a self, facts: &'a DecisionFacts) -> Moment<'a> {
        Moment {
            conversation: &self.conversation,
            facts,
            owner: self.stored.owner,
            owner_name: self.asker.as_deref(),
            now: self.shared.env.now(),
        }
    }

    pub(super) async fn on_calls(&mut self, done: Vec<FinishedRun>) -> Result<(), EndedActor> {
        let mut ends = Vec::new();
        for done in done {
            match done {
                FinishedRun::Ended(call, result) => ends.push((call, result)),
                FinishedRun::Reconciled(call, found) => ends.push((call, end_of(found))),
                FinishedRun::Previewed(call, read) => self.on_preview(call, *read).await?,
            }
        }
        self.end_calls(ends).await
    }

    /// Records the ends of calls.
    async fn end_calls(
        &mut self,
        ends: Vec<(CallId, Result<ToolOutput, ToolError>)>,
    ) -> Result<(), EndedActor> {
        let Some(turn) = self.conversation.running_turn() else {
            return Ok(());
        };
        let now = self.shared.env.now();
        let mut records = Vec::new();
        let mut durability = Durability::Process;
        let mut images = self.conversation.images();
        for (call, mut result) in ends {
            // A stop has recorded its end already.
            let Some((call, since)) = self.conversation.running_call(call) else {
                continue;
            };
            // If this end were lost, a restart would not know what the call has done.
            let tool = self.shared.tools.get(&call.name);
            let recovery = tool.as_ref().map(|tool| tool.spec.recovery);
            if recovery != Some(Recovery::Pure) {
                durability = Durability::Power;
            }
            let elapsed_ms = elapsed(since, now);
            // Before it is cut: half a value is not found.
            if let Some(cover) = &self.cover {
                let about = self.about();
                result = cover
                    .result(about, result, cover.rule(self.toolset(&call.name)))
                    .await;
            }
            if let Err(error) = &result
                && error.0.code == ErrorCode::ToolOutcomeUnknown
            {
                let known = output::clean_line(&error.0.message);
                records.push(call.unknown(turn, elapsed_ms, Some(known)));
                continue;
            }
            if let Ok(output) = &mut result {
                // Images beyond what later requests can carry are left out, and the result says so.
                output.images.retain(|image| {
                    let mut with = images;
                    with.add(std::slice::from_ref(image));
                    if with.are_too_many() {
                        let why = error::too_many_images().message;
                        files::left_out(&mut output.data, &why);
                    } else {
                        images = with
                    }
                    !with.are_too_many()
                });
            }
            let source = tool.as_ref();
            let source = source.map_or(call.name.as_str(), |tool| &tool.source);
            let max_bytes = self.shared.live().config.max_result_bytes;
            let (outcome, content) = output::outcome(source, result, max_bytes);
            records.push(call.finished(
                turn,
                FinishedCalls {
                    outcome,
                    content,
                    elapsed_ms,
                },
            ));
        }
        if records.is_empty() {
            return Ok(());
        }
        self.commit(records, durability).await
    }
}

/// The end of a call that a crash cut off, by what was found out about it.
fn end_of(found: Reconciled) -> Result<ToolOutput, ToolError> {
    match found {
        Reconciled::Done(result) => result,
        Reconciled::NotDone(why) => Err(ToolError(ErrorBody::new(
            ErrorCode::ToolFailed,
            texts::calls::stopped_without_effect(&why),
        ))),
        Reconciled::Unknown(known) => Err(ToolError(ErrorBody::new(
            ErrorCode::ToolOutcomeUnknown,
            texts::calls::stopped_while_running(&known),
        ))),
    }
}

/// The end of a call that a crash cut off and about which nothing can be found out.
fn interrupted() -> Result<ToolOutput, ToolError> {
    end_of(Reconciled::Unknown(
        texts::calls::OUTCOME_CANNOT_BE_CHECKED.to_owned(),
    ))
}
