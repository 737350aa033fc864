//! Tool calls from the gate to their ends.
//!
//! Calls that read start together and run in parallel. What acts runs one by one in the order of
//! the calls, the gate is asked once more just before, and after a failure or an unknown outcome
//! the rest is answered with "not executed".

use std::sync::Arc;

use protocol::{
    BlockedReason, CallId, ErrorBody, ErrorCode, Role, Tier, Timestamp, ToolOutput, TurnId,
};

use super::{
    Actor, Ended, Work,
    calls::{Calls, Done, Place, tool_call},
};
use crate::{
    error, files,
    gate::Verdict,
    live::Live,
    machine::{Call, Finished, Judged, elapsed},
    output,
    ports::{Durability, NewRecord, Reconciled, Recovery, ToolError},
};

/// What counts for every call, as it is now; none for what cannot be read.
#[derive(Clone)]
pub(super) struct Standing {
    /// The configuration with its policy.
    pub(super) live: Arc<Live>,
    /// Whether the kill switch is on.
    pub(super) kill_switch: Option<bool>,
    /// What the person whose conversation it is may do.
    pub(super) role: Option<Role>,
}

impl Actor {
    /// Does what the calls of the newest answer need. Gives whether there is nothing to do but to
    /// wait for something to happen.
    pub(super) async fn tend(&mut self, turn: TurnId) -> Result<bool, Ended> {
        let plan = self.conversation.plan();
        if let Work::Calls(work) = &mut self.work {
            let conversation = &self.conversation;
            work.keep(|id| conversation.open_call(id).is_some());
        }
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

    pub(super) fn calls(&mut self) -> Option<&mut Calls> {
        if !matches!(self.work, Work::Calls(_)) {
            let parallel = self.shared.live().config.parallel_tools;
            self.work = Work::Calls(Calls::new(parallel));
        }
        match &mut self.work {
            Work::Calls(calls) => Some(calls),
            _ => None,
        }
    }

    /// Sees to it that every call that was started is under way. One that is not was cut off by
    /// the end of a former process: what only reads, or is the same twice, runs again; of the rest
    /// it is found out what became of it.
    fn attend(&mut self, running: &[(Call, Timestamp)]) {
        for (call, since) in running {
            if self.is_under_way(call.id) {
                continue;
            }
            let tool = self.shared.tools.get(&call.name).cloned();
            let place = self.place();
            let Some(work) = self.calls() else { return };
            match tool {
                Some(tool) => match tool.spec.recovery {
                    Recovery::Pure | Recovery::Idempotent => work.start(&place, &tool, call),
                    Recovery::Reconcilable => {
                        work.reconcile(&tool, tool_call(place.slot.id, call), *since)
                    }
                    Recovery::Unsafe => work.settled(call.id, interrupted()),
                },
                None => work.settled(call.id, interrupted()),
            }
        }
    }

    /// Lets the gate decide on calls, writes its decisions down, and only then starts what may
    /// run. Gives whether anything was written.
    async fn judge(&mut self, turn: TurnId, calls: &[Call]) -> Result<bool, Ended> {
        let mut records = Vec::new();
        let mut start = Vec::new();
        let mut durability = Durability::Process;
        let standing = self.standing().await;
        let limits = &standing.live.config;
        // Questions that are open, and those whose targets are being read.
        let mut cards = self.conversation.waiting().count()
            + calls.iter().filter(|it| self.is_under_way(it.id)).count();
        for call in calls {
            if self.is_under_way(call.id) {
                continue;
            }
            if self.conversation.place_in_answer(call.id) >= limits.max_calls as usize {
                let most = limits.max_calls;
                records.push(call.judged(turn, Judged::too_many_calls(most)));
                continue;
            }
            let judgement = self.judgement(call, &call.input, false, &standing);
            let tier = judgement.tier;
            let acts = tier.is_some_and(|tier| tier > Tier::Green);
            if acts
                && self.conversation.is_broken()
                && !matches!(judgement.verdict, Verdict::Block { .. })
            {
                records.push(
                    call.not_executed(turn, tier)
                        .noting("gate", judgement.facts),
                );
                continue;
            }
            let target = judgement.target;
            let judged = match (judgement.verdict, tier) {
                (Verdict::Run, Some(tier)) => {
                    if self.shared.recovery(&call.name) != Some(Recovery::Pure) {
                        durability = Durability::Power;
                    }
                    start.push(call);
                    Judged::Run {
                        tier,
                        target,
                        grant: None,
                    }
                }
                (Verdict::Act, Some(tier)) => Judged::Queue { tier, target },
                (Verdict::Confirm { .. }, Some(tier))
                    if !self.is_denied(call, &call.input) && self.is_granted(call, &standing) =>
                {
                    Judged::Queue { tier, target }
                }
                (Verdict::Confirm { .. }, tier) if cards >= limits.max_cards as usize => {
                    Judged::too_many_cards(tier, limits.max_cards)
                }
                (Verdict::Confirm { .. }, Some(_)) => {
                    cards += 1;
                    self.start_preview(call);
                    continue;
                }
                (Verdict::Block { reason, message }, tier) => Judged::Block {
                    tier,
                    reason,
                    message,
                },
                (_, None) => not_decided(),
            };
            records.push(call.judged(turn, judged).noting("gate", judgement.facts));
        }
        if records.is_empty() {
            return Ok(false);
        }
        self.commit(records, durability).await?;
        for call in start {
            self.start(call);
        }
        Ok(true)
    }

    /// The next call that acts: the gate is asked again, and what was shown must still be so. Gives
    /// whether something is to be waited for.
    async fn act_on(&mut self, turn: TurnId, call: &Call) -> Result<bool, Ended> {
        let input = call.effective_input().clone();
        let standing = self.standing().await;
        let judgement = self.judgement(call, &input, call.is_edited(), &standing);
        let record = match (judgement.verdict, judgement.tier) {
            (Verdict::Run | Verdict::Act, Some(tier)) if !call.is_approved() => {
                let target = judgement.target;
                call.judged(
                    turn,
                    Judged::Run {
                        tier,
                        target,
                        grant: None,
                    },
                )
            }
            // Approved, granted, or asked for only now: the target is looked at once more.
            (Verdict::Run | Verdict::Act | Verdict::Confirm { .. }, Some(_)) => {
                self.start_preview(call);
                return Ok(true);
            }
            (Verdict::Block { reason, message }, tier) => call.judged(
                turn,
                Judged::Block {
                    tier,
                    reason,
                    message,
                },
            ),
            (_, None) => call.judged(turn, not_decided()),
        };
        let record = record.noting("gate", judgement.facts);
        self.run_now(call, record).await?;
        Ok(false)
    }

    /// Writes a call's intent, safe from a loss of power, and starts it; or writes why it does not
    /// run.
    pub(super) async fn run_now(&mut self, call: &Call, record: NewRecord) -> Result<(), Ended> {
        let starts = matches!(record.body, protocol::EventBody::ToolStarted { .. });
        self.commit(vec![record], Durability::Power).await?;
        if starts {
            self.start(call);
        }
        Ok(())
    }

    fn start(&mut self, call: &Call) {
        let place = self.place();
        if let Some(tool) = self.shared.tools.get(&call.name).cloned()
            && let Some(work) = self.calls()
        {
            work.start(&place, &tool, call);
        }
    }

    fn place(&self) -> Place {
        Place {
            shared: Arc::clone(&self.shared),
            slot: Arc::clone(&self.slot),
            user: self.stored.owner,
        }
    }

    fn start_preview(&mut self, call: &Call) {
        let conversation = self.slot.id;
        if let Some(tool) = self.shared.tools.get(&call.name).cloned()
            && let Some(work) = self.calls()
        {
            work.preview(&tool, tool_call(conversation, call));
        }
    }

    /// Looks at what counts for every call.
    pub(super) async fn standing(&mut self) -> Standing {
        let role = match self.shared.journal.role(self.stored.owner).await {
            Ok(role) => Some(role.unwrap_or_default()),
            Err(error) => {
                tracing::error!(user = %self.stored.owner, %error, "a role cannot be read");
                None
            }
        };
        let live = self.shared.live();
        if self.asker.is_none() && live.policy().wants_second() {
            match self.shared.journal.name(self.stored.owner).await {
                Ok(name) => self.asker = name,
                Err(error) => tracing::error!(%error, "the name of a user cannot be read"),
            }
        }
        Standing {
            live,
            kill_switch: self.shared.kill_switch().await.map(|state| state.on),
            role,
        }
    }

    pub(super) async fn on_calls(&mut self, done: Vec<Done>) -> Result<(), Ended> {
        let mut ends = Vec::new();
        for done in done {
            match done {
                Done::Ended(call, result) => ends.push((call, result)),
                Done::Reconciled(call, found) => ends.push((call, end_of(found))),
                Done::Previewed(call, preview) => self.on_preview(call, preview).await?,
            }
        }
        self.end_calls(ends).await
    }

    /// Writes down how calls have ended.
    async fn end_calls(
        &mut self,
        ends: Vec<(CallId, Result<ToolOutput, ToolError>)>,
    ) -> Result<(), Ended> {
        let Some(turn) = self.conversation.running_turn() else {
            return Ok(());
        };
        let now = self.shared.env.now();
        let mut records = Vec::new();
        let mut durability = Durability::Process;
        let mut images = self.conversation.images();
        for (call, mut result) in ends {
            let Some((call, since)) = self.conversation.running_call(call) else {
                continue;
            };
            let tool = self.shared.tools.get(&call.name);
            if tool.is_none_or(|tool| tool.spec.recovery != Recovery::Pure) {
                durability = Durability::Power;
            }
            let elapsed_ms = elapsed(since, now);
            if let Err(error) = &result
                && error.0.code == ErrorCode::ToolOutcomeUnknown
            {
                let known = output::clean_line(&error.0.message);
                records.push(call.unknown(turn, elapsed_ms, Some(known)));
                continue;
            }
            if let Ok(output) = &mut result {
                output.images.retain(|image| {
                    let mut with = images;
                    with.add(std::slice::from_ref(image));
                    match with.are_too_many() {
                        true => {
                            let why = error::too_many_images().message;
                            files::left_out(&mut output.data, &why);
                        }
                        false => images = with,
                    }
                    !with.are_too_many()
                });
            }
            let source = tool.map_or(call.name.as_str(), |tool| &tool.source);
            let max_bytes = self.shared.live().config.max_result_bytes;
            let (outcome, content) = output::outcome(source, result, max_bytes);
            records.push(call.finished(
                turn,
                Finished {
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

/// What to write for a call that a crash cut off, by what was found of it.
fn end_of(found: Reconciled) -> Result<ToolOutput, ToolError> {
    match found {
        Reconciled::Done(result) => result,
        Reconciled::NotDone(why) => Err(ToolError(ErrorBody::new(
            ErrorCode::ToolFailed,
            format!("The server stopped while this ran, and it did not take effect: {why}"),
        ))),
        Reconciled::Unknown(known) => Err(ToolError(ErrorBody::new(
            ErrorCode::ToolOutcomeUnknown,
            format!("The server stopped while this ran. {known}"),
        ))),
    }
}

/// The end of a call that a crash cut off and of which nothing can be found out.
fn interrupted() -> Result<ToolOutput, ToolError> {
    end_of(Reconciled::Unknown(
        "There is no way to find out by itself what became of it.".to_owned(),
    ))
}

pub(super) fn undecided() -> (BlockedReason, String) {
    let message = "Whether this may run could not be decided, so it does not.";
    (BlockedReason::NotAllowed, message.to_owned())
}

fn not_decided() -> Judged {
    let (reason, message) = undecided();
    Judged::Block {
        tier: None,
        reason,
        message,
    }
}
