//! Decisions on a call whose target was just read: it runs, waits for its turn, or a card asks.

use protocol::{BlockedReason, ErrorBody, Tier, TurnId};
use serde_json::{Value, json};

use super::{
    Moment,
    card::{Card, Why},
    judgement::Judgement,
};
use crate::{
    digest::call_key,
    error,
    gate::GateVerdict,
    machine::{Call, CallDecision},
    output::clean_line,
    ports::{NewRecord, Person, Preview},
};

/// A changed input, as a person sent it.
pub(crate) struct Edited<'a> {
    /// The digest of the card that they changed.
    pub(crate) digest: &'a str,
    pub(crate) input: &'a Value,
    pub(crate) person: &'a Person,
}

impl Moment<'_> {
    /// The record for a call whose target was read.
    ///
    /// The read took its time, so nothing from before it counts: role, policy and kill switch may
    /// have changed. The gate is asked again, and its refusal goes before whatever was read. A
    /// target that could not be read is never offered: nobody can approve what they cannot see.
    pub(crate) fn previewed(
        &self,
        turn: TurnId,
        call: &Call,
        preview: Result<&Preview, &ErrorBody>,
    ) -> NewRecord {
        let input = call.effective_input();
        let judgement = self.judgement(call, input, call.is_edited());
        let record = match (preview, &judgement.verdict) {
            (_, GateVerdict::Block { reason, message }) => {
                block(turn, call, judgement.tier, *reason, message)
            }
            (Err(error), _) => block(
                turn,
                call,
                judgement.tier,
                BlockedReason::NotVerified,
                &clean_line(&error.message),
            ),
            (Ok(preview), _) => match self.policy().protects(&preview.objects) {
                Some(message) => block(
                    turn,
                    call,
                    judgement.tier,
                    BlockedReason::Protected,
                    &clean_line(&message),
                ),
                None => self.after_preview(turn, call, input, preview, &judgement),
            },
        };
        record.noting("gate", judgement.facts)
    }

    /// Decides on a call that the gate lets run with a person's approval, now that its target was
    /// read: it runs, waits for its turn, or a card asks for it.
    fn after_preview(
        &self,
        turn: TurnId,
        call: &Call,
        input: &Value,
        preview: &Preview,
        judgement: &Judgement,
    ) -> NewRecord {
        let second = self.second(call, preview);
        let ask = |why| {
            let card = Card {
                input,
                preview,
                judgement,
            };
            self.question(turn, call, &card, why)
        };
        let run = |grant| {
            call.decision_record(
                turn,
                CallDecision::Run {
                    tier: judgement.tier.unwrap_or(Tier::Red),
                    target: Some(clean_line(&preview.target)),
                    grant,
                },
            )
        };
        if call.is_approved() {
            // An approval counts for exactly what was shown: the digest of now must be the same.
            // And if that takes two persons, the card said so, and whoever approved it was the
            // second.
            let same = call.asked.as_ref().is_some_and(|asked| {
                asked.digest == self.digest(call, input, preview)
                    && (second.is_none() || asked.second.is_some())
            });
            return if same { run(None) } else { ask(Why::Drifted) };
        }
        // A card that was shown is answered by a person alone, and one that takes two persons by no
        // grant.
        let coverable = preview.grantable && second.is_none();
        if call.asked.is_none() && coverable && !self.is_denied(call, input) {
            let key = call_key(&call.name, input);
            let next = self.conversation.plan().act;
            let rules = &self.policy().grants;
            // Until it is its turn it is queued; then its target is read again.
            if let Some(grant) = self.conversation.grants().covering(&key, self.now, rules) {
                return if next.is_some_and(|next| next.id == call.id) {
                    run(Some(grant.id))
                } else {
                    call.decision_record(
                        turn,
                        CallDecision::Queue {
                            tier: judgement.tier.unwrap_or(Tier::Red),
                            target: Some(clean_line(&preview.target)),
                        },
                    )
                };
            }
        }
        ask(Why::New)
    }

    /// The records of a card with a changed input whose target was read, or the refusal.
    ///
    /// The card may have changed or expired while the target was read: it must still be the one
    /// that the person edited, and the gate must allow the new input.
    pub(crate) fn edited(
        &self,
        turn: TurnId,
        call: &Call,
        edit: &Edited<'_>,
        preview: Result<&Preview, &ErrorBody>,
    ) -> Result<Vec<NewRecord>, ErrorBody> {
        self.conversation.asked(call.id, edit.digest, self.now)?;
        let judgement = self.judgement(call, edit.input, true);
        if let GateVerdict::Block { message, .. } = &judgement.verdict {
            return Err(error::not_allowed(message.clone()));
        }
        let preview = preview.map_err(Clone::clone)?;
        if let Some(message) = self.policy().protects(&preview.objects) {
            return Err(error::not_allowed(clean_line(&message)));
        }
        let card = Card {
            input: edit.input,
            preview,
            judgement: &judgement,
        };
        let record = self.question(turn, call, &card, Why::Edited);
        let record = record.noting("gate", judgement.facts.clone()).noting(
            "edited_by",
            json!({ "name": edit.person.name, "via": edit.person.via.record() }),
        );
        // Another input is asked for like the first one, so the sign-in link is noted too.
        let mut records = vec![record];
        records.extend(self.conversation.asked_by_link(edit.person));
        Ok(records)
    }
}

fn block(
    turn: TurnId,
    call: &Call,
    tier: Option<Tier>,
    reason: BlockedReason,
    message: &str,
) -> NewRecord {
    call.decision_record(
        turn,
        CallDecision::Block {
            tier,
            reason,
            message: message.to_owned(),
        },
    )
}
