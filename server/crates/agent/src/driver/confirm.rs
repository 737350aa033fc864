//! Cards: how a person is asked, changes the input and decides, and how a card expires.
//!
//! The decision and the start of a call are two records, and between them the gate is asked again
//! and the target is read again: another state is another digest, and the card comes back with what
//! changed.

use protocol::{
    BlockedReason, CallId, CommandId, Confirmation, Decision, ErrorBody, Grant, GrantId,
    GrantLimit, GrantTerms, MAX_COMMENT_BYTES, Resolution, Tier, Timestamp, TurnId, UserId,
    Verdict,
};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::{
    Actor, Ended,
    calls::{Done, origin, tool_call},
    card::{Card, Why},
    commit::Refused,
    judgement::Judgement,
    mail::reply,
    tend::Standing,
};
use crate::{
    GrantRules,
    digest::call_key,
    error,
    gate::Verdict as Gate,
    input_edit,
    machine::{Call, Judged, grant_given},
    output::clean_line,
    ports::{Durability, JournalError, NewRecord, Person, Preview, Reconciled, ToolCall},
    rights,
};

/// A change of an input whose target is being read.
pub(super) struct Edit {
    pub(super) digest: String,
    pub(super) input: Value,
    pub(super) person: Person,
    pub(super) command: Option<(UserId, CommandId)>,
    pub(super) answer: oneshot::Sender<Result<(), ErrorBody>>,
}

impl Actor {
    /// Takes in the target of a call as it was just read.
    pub(super) async fn on_preview(
        &mut self,
        id: CallId,
        preview: Result<Preview, ErrorBody>,
    ) -> Result<(), Ended> {
        // The read took its time, so nothing from before it counts: the call may have ended, and
        // role, policy and kill switch may have changed. The gate is asked again, and its refusal
        // goes before whatever was read. A target that could not be read is never offered: nobody
        // can approve what they cannot see.
        let turn = self.conversation.running_turn();
        let (Some(turn), Some(call)) = (turn, self.conversation.open_call(id).cloned()) else {
            return Ok(());
        };
        if let Some(edit) = self.edits.remove(&id) {
            return self.on_edited(turn, &call, edit, preview).await;
        }
        let input = call.effective_input().clone();
        let standing = self.standing().await;
        let judgement = self.judgement(&call, &input, call.is_edited(), &standing);
        let record = match (preview, &judgement.verdict) {
            (_, Gate::Block { reason, message }) => {
                block(turn, &call, judgement.tier, *reason, message)
            }
            (Err(error), _) => block(
                turn,
                &call,
                judgement.tier,
                BlockedReason::NotVerified,
                &clean_line(&error.message),
            ),
            (Ok(preview), _) => {
                self.after_preview(turn, &call, &input, &preview, &judgement, &standing)
            }
        };
        let record = record.noting("gate", judgement.facts);
        self.run_now(&call, record).await
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
        standing: &Standing,
    ) -> NewRecord {
        let second = self.second(call, preview, standing);
        let ask = |why| {
            let card = Card {
                input,
                preview,
                judgement,
                standing,
            };
            self.question(turn, call, &card, why)
        };
        let run = |grant| {
            call.judged(
                turn,
                Judged::Run {
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
                asked.digest == self.digest(call, input, preview, standing)
                    && (second.is_none() || asked.second.is_some())
            });
            return match same {
                true => run(None),
                false => ask(Why::Drifted),
            };
        }
        // A card that was shown is answered by a person alone, and one that takes two persons by no
        // grant.
        if call.asked.is_none() && second.is_none() && !self.is_denied(call, input) {
            let key = call_key(&call.name, input);
            let now = self.shared.env.now();
            let next = self.conversation.plan().act;
            let rules = &standing.live.policy().grants;
            // Until it is its turn it is queued; then its target is read again.
            if let Some(grant) = self.conversation.grants().covering(&key, now, rules) {
                return match next.is_some_and(|next| next.id == call.id) {
                    true => run(Some(grant.id)),
                    false => call.judged(
                        turn,
                        Judged::Queue {
                            tier: judgement.tier.unwrap_or(Tier::Red),
                            target: Some(clean_line(&preview.target)),
                        },
                    ),
                };
            }
        }
        ask(Why::New)
    }

    /// The records of a person's decision on a card.
    pub(super) fn decide(
        &self,
        id: CallId,
        digest: &str,
        decision: Decision,
        person: &Person,
        standing: &Standing,
    ) -> Result<Vec<NewRecord>, ErrorBody> {
        let now = self.shared.env.now();
        let is_asker = person.id == self.stored.owner;
        // For anybody else there is no such conversation.
        if !is_asker && !self.conversation.is_second(id) {
            return Err(error::conversation_not_found());
        }
        // Refuses a card that changed, expired or was decided. Of several deciders who pass here
        // one wins: the write compares the head of the journal.
        let (call, asked) = self.conversation.asked(id, digest, now)?;
        let turn = self.conversation.running_turn();
        let turn = turn.ok_or_else(error::turn_not_found)?;
        // The card may be older than the two-person rule.
        let second = asked.second.is_some() || self.takes_two(call, &asked, standing);
        rights::reaches_card(&person.via, &asked.assurance, second)?;
        let by = Some(person);
        let key = call_key(&call.name, &asked.input);
        // The newest decision on the very same call replaces the grants before it.
        let older = || -> Result<Vec<NewRecord>, ErrorBody> {
            let grants = self.conversation.grants().for_key(&key, now);
            grants
                .map(|grant| self.conversation.revoke(grant, person))
                .collect()
        };
        match decision {
            Decision::Deny { comment } => {
                let comment = comment.filter(|comment| !comment.trim().is_empty());
                if comment
                    .as_ref()
                    .is_some_and(|c| c.len() > MAX_COMMENT_BYTES)
                {
                    return Err(error::not_allowed(format!(
                        "The comment is longer than {} KiB.",
                        MAX_COMMENT_BYTES / 1024
                    )));
                }
                let mut records = older()?;
                records.push(call.decided(turn, &asked, Verdict::Denied { comment }, by));
                Ok(records)
            }
            Decision::Approve { grant, word } => {
                // Denying is always possible. Approving needs a switch that is known to be off.
                if standing.kill_switch != Some(false) {
                    return Err(error::not_allowed(
                        "The kill switch is on: actions are blocked.",
                    ));
                }
                if second && is_asker {
                    return Err(error::second_needed());
                }
                rights::is_assured(&asked.assurance, word.as_deref())?;
                let approved = call.decided(turn, &asked, Verdict::Approved, by);
                let mut records = vec![match second {
                    true => approved.noting(
                        "second",
                        json!({
                            "asked_by": {
                                "user": self.stored.owner,
                                "name": self.asker(),
                                "link_by": self.conversation.link_makers(),
                            },
                            "confirmed_by": {
                                "user": person.id,
                                "name": person.name,
                                "via": person.via.record(),
                                "link_by": person.via.link_by(),
                            },
                        }),
                    ),
                    false => approved,
                }];
                if let Some(terms) = grant {
                    if second {
                        return Err(error::not_allowed("This call needs approval every time."));
                    }
                    check_terms(&asked, terms, now, &standing.live.policy().grants)?;
                    records.extend(older()?);
                    let grant = Grant {
                        id: GrantId::new(now, self.shared.env.random()),
                        tool: call.name.clone(),
                        target: asked.target.clone(),
                        sentence: asked.sentence.clone(),
                        key: key.clone(),
                        terms,
                    };
                    records.push(grant_given(grant, person));
                }
                Ok(records)
            }
            Decision::Unknown => Err(error::unknown_command()),
        }
    }

    /// Starts a change of the input: its target is read first.
    pub(super) async fn edit(&mut self, id: CallId, edit: Edit) {
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
        let second = asked.second.is_some();
        let reached = rights::reaches_card(&edit.person.via, &asked.assurance, second);
        if let Err(error) = reached {
            return reply(edit.answer, Err(error));
        }
        let Some(tool) = self.shared.tools.get(&call.name).cloned() else {
            return reply(edit.answer, Err(error::internal()));
        };
        if let Err(error) = input_edit::check(&tool.spec, &asked.input, &edit.input) {
            return reply(edit.answer, Err(error));
        }
        if self.is_under_way(id) {
            let busy = error::not_allowed("The target is being checked; try again in a moment.");
            return reply(edit.answer, Err(busy));
        }
        let looked = ToolCall {
            input: edit.input.clone(),
            ..tool_call(self.slot.id, &call)
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
        edit: Edit,
        preview: Result<Preview, ErrorBody>,
    ) -> Result<(), Ended> {
        // The card may have changed or expired while the target was read: it must still be the one
        // that the person edited, and the gate must allow the new input.
        let now = self.shared.env.now();
        let standing = self.standing().await;
        let judgement = self.judgement(call, &edit.input, true, &standing);
        let refusal = match (
            self.conversation.asked(call.id, &edit.digest, now).err(),
            &judgement.verdict,
            &preview,
        ) {
            (Some(error), ..) => Some(error),
            (None, Gate::Block { message, .. }, _) => Some(error::not_allowed(message.clone())),
            (None, _, Err(error)) => Some(error.clone()),
            (None, _, Ok(_)) => None,
        };
        let result = match (refusal, preview) {
            (None, Ok(preview)) => {
                let card = Card {
                    input: &edit.input,
                    preview: &preview,
                    judgement: &judgement,
                    standing: &standing,
                };
                let record = self.question(turn, call, &card, Why::Edited);
                let record = record.noting("gate", judgement.facts.clone()).noting(
                    "edited_by",
                    json!({ "name": edit.person.name, "via": edit.person.via.record() }),
                );
                // Another input is asked for like the first one, so the sign-in link is noted too.
                let mut records = vec![record];
                records.extend(self.conversation.asked_by_link(&edit.person));
                match self.write(records, edit.command, Durability::Power).await {
                    Ok(()) | Err(Refused::Not(JournalError::Duplicate)) => Ok(()),
                    Err(Refused::Not(journal)) => Err(error::of_journal(&journal)),
                    Err(Refused::Ended(ended)) => {
                        reply(edit.answer, Err(error::internal()));
                        return Err(ended);
                    }
                }
            }
            (refusal, _) => {
                let refusal = refusal.unwrap_or_else(error::internal);
                self.unless_done(edit.command, refusal).await
            }
        };
        reply(edit.answer, result);
        Ok(())
    }

    /// Expires the cards that nobody decided in time.
    pub(super) async fn expire(&mut self) -> Result<(), Ended> {
        let now = self.shared.env.now();
        let Some(turn) = self.conversation.running_turn() else {
            return Ok(());
        };
        let records: Vec<_> = self
            .conversation
            .waiting()
            .filter(|(_, expires)| *expires <= now)
            .filter_map(|(call, _)| {
                let asked = call.asked.as_deref()?;
                Some(call.decided(turn, asked, Verdict::Expired, None))
            })
            .collect();
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
            origin: origin(self.slot.id, unknown.place, unknown.own),
        };
        let since = unknown.since;
        let tool = self.shared.tools.get(&call.name).cloned();
        let tool = tool.ok_or_else(|| error::not_allowed("The tool no longer exists."))?;
        if !self.checks.has(id) {
            self.checks.reconcile(&tool, call, since);
        }
        Ok(())
    }

    /// Records what the checks have found.
    pub(super) async fn on_checks(&mut self, done: Vec<Done>) -> Result<(), Ended> {
        for done in done {
            let Done::Reconciled(call, found) = done else {
                continue;
            };
            let (resolution, message) = match found {
                Reconciled::Done(Ok(output)) => (
                    Resolution::Done,
                    format!("It took effect: {}", output.summary),
                ),
                Reconciled::Done(Err(error)) => (
                    Resolution::NotDone,
                    format!("It ended with an error: {}", error.0.message),
                ),
                Reconciled::NotDone(why) => (
                    Resolution::NotDone,
                    format!("It did not take effect: {why}"),
                ),
                Reconciled::Unknown(known) => {
                    (Resolution::Unknown, format!("Still unknown. {known}"))
                }
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
            Resolution::Done => "It took effect.",
            Resolution::NotDone => "It did not take effect.",
            Resolution::Unknown => return Err(error::unknown_command()),
        };
        self.conversation
            .resolved(call, resolution, Some(person), message.to_owned())
    }
}

fn block(
    turn: TurnId,
    call: &Call,
    tier: Option<Tier>,
    reason: BlockedReason,
    message: &str,
) -> NewRecord {
    call.judged(
        turn,
        Judged::Block {
            tier,
            reason,
            message: message.to_owned(),
        },
    )
}

fn check_terms(
    asked: &Confirmation,
    terms: GrantTerms,
    now: Timestamp,
    rules: &GrantRules,
) -> Result<(), ErrorBody> {
    let GrantLimit { uses, minutes } = rules.limit();
    let longest = i64::from(minutes) * 60_000;
    if !asked.grantable || !rules.allowed {
        return Err(error::not_allowed("This call needs approval every time."));
    }
    if !(1..=uses).contains(&terms.uses) {
        return Err(error::not_allowed(format!(
            "A grant covers 1 to {uses} calls."
        )));
    }
    if terms.until <= now || terms.until.0.saturating_sub(now.0) > longest {
        return Err(error::not_allowed(match minutes {
            1440 => "A grant ends within 24 hours.".to_owned(),
            minutes => format!("A grant ends within {minutes} minutes."),
        }));
    }
    Ok(())
}
