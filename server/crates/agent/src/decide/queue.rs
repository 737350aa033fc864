//! Decisions on the calls of an answer: which run at once, which wait for their turn, and which
//! need a look at their target first.

use protocol::{CallId, Tier, TurnId};

use super::{Moment, undecided};
use crate::{
    gate::GateVerdict,
    machine::{Call, CallDecision},
    ports::{Durability, NewRecord, Recovery},
};

/// The decisions on the new calls of an answer.
pub(crate) struct QueueBatch<'a> {
    /// Recorded in one write.
    pub(crate) records: Vec<NewRecord>,
    /// Calls that may leave a trace need their start on the disk before they start.
    pub(crate) durability: Durability,
    /// Started after the write.
    pub(crate) start: Vec<&'a Call>,
    /// Calls whose target is read before a card asks for them.
    pub(crate) look: Vec<&'a Call>,
}

impl Moment<'_> {
    /// Judges the new calls of an answer, all by the same facts. `is_under_way` is true for a call
    /// whose target is being read.
    pub(crate) fn judge<'c>(
        &self,
        turn: TurnId,
        calls: &'c [Call],
        is_under_way: impl Fn(CallId) -> bool,
    ) -> QueueBatch<'c> {
        let mut batch = QueueBatch {
            records: Vec::new(),
            durability: Durability::Process,
            start: Vec::new(),
            look: Vec::new(),
        };
        let limits = &self.facts.live.config;
        // Open cards, and calls whose targets are being read for one.
        let mut cards = self.conversation.waiting().count()
            + calls.iter().filter(|call| is_under_way(call.id)).count();
        for call in calls.iter().filter(|call| !is_under_way(call.id)) {
            if self.conversation.place_in_answer(call.id) >= limits.max_calls as usize {
                let most = limits.max_calls;
                batch
                    .records
                    .push(call.decision_record(turn, CallDecision::too_many_calls(most)));
                continue;
            }
            let judgement = self.judgement(call, &call.input, false);
            let tier = judgement.tier;
            let acts = tier.is_some_and(|tier| tier > Tier::Green);
            // After a failure nothing else acts. A call that is blocked anyway keeps its own
            // reason.
            if acts
                && self.conversation.is_broken()
                && !matches!(judgement.verdict, GateVerdict::Block { .. })
            {
                let skipped = call.not_executed(turn, tier);
                batch.records.push(skipped.noting("gate", judgement.facts));
                continue;
            }
            let target = judgement.target;
            let decision = match (judgement.verdict, tier) {
                (GateVerdict::Run, Some(tier)) => {
                    let tool = self.facts.tools.get(&call.name);
                    let recovery = tool.map(|tool| tool.spec.recovery);
                    if recovery != Some(Recovery::Pure) {
                        batch.durability = Durability::Power;
                    }
                    batch.start.push(call);
                    CallDecision::Run {
                        tier,
                        target,
                        grant: None,
                    }
                }
                (GateVerdict::Act, Some(tier)) => CallDecision::Queue { tier, target },
                // Queued under a grant: when it is its turn, the target is read and the grant is
                // checked again.
                (GateVerdict::Confirm { .. }, Some(tier))
                    if !self.is_denied(call, &call.input) && self.is_granted(call) =>
                {
                    CallDecision::Queue { tier, target }
                }
                (GateVerdict::Confirm { .. }, tier) if cards >= limits.max_cards as usize => {
                    CallDecision::too_many_cards(tier, limits.max_cards)
                }
                (GateVerdict::Confirm { .. }, Some(_)) => {
                    cards += 1;
                    batch.look.push(call);
                    continue;
                }
                (GateVerdict::Block { reason, message }, tier) => CallDecision::Block {
                    tier,
                    reason,
                    message,
                },
                (_, None) => not_decided(),
            };
            let record = call.decision_record(turn, decision);
            batch.records.push(record.noting("gate", judgement.facts));
        }
        batch
    }

    /// The record of the next action, judged once more now that it is its turn; none if its target
    /// is read first.
    pub(crate) fn act(&self, turn: TurnId, call: &Call) -> Option<NewRecord> {
        let judgement = self.judgement(call, call.effective_input(), call.is_edited());
        let decision = match (judgement.verdict, judgement.tier) {
            (GateVerdict::Run | GateVerdict::Act, Some(tier)) if !call.is_approved() => {
                CallDecision::Run {
                    tier,
                    target: judgement.target,
                    grant: None,
                }
            }
            // Approved, granted, or asked for only now: the target is read once more.
            (GateVerdict::Run | GateVerdict::Act | GateVerdict::Confirm { .. }, Some(_)) => {
                return None;
            }
            (GateVerdict::Block { reason, message }, tier) => CallDecision::Block {
                tier,
                reason,
                message,
            },
            (_, None) => not_decided(),
        };
        Some(
            call.decision_record(turn, decision)
                .noting("gate", judgement.facts),
        )
    }
}

fn not_decided() -> CallDecision {
    let (reason, message) = undecided();
    CallDecision::Block {
        tier: None,
        reason,
        message,
    }
}
