//! A person's decision on a card.

use protocol::{
    CallId, Confirmation, Decision, ErrorBody, Grant, GrantId, GrantLimit, GrantTerms,
    MAX_COMMENT_BYTES, Timestamp, Verdict,
};
use serde_json::json;

use super::Moment;
use crate::{
    GrantRules,
    digest::call_key,
    error,
    machine::grant_given,
    ports::{NewRecord, Person},
    rights, texts,
};

impl Moment<'_> {
    /// The records of a person's decision on a card.
    /// `grant_id` is the id of a grant, if the decision gives one.
    pub(crate) fn answered(
        &self,
        id: CallId,
        digest: &str,
        decision: Decision,
        person: &Person,
        grant_id: GrantId,
    ) -> Result<Vec<NewRecord>, ErrorBody> {
        let now = self.now;
        let is_asker = person.id == self.owner;
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
        let second = asked.second.is_some() || self.takes_two(call, &asked);
        rights::reaches_card(&person.via, &asked.assurance, second || call.relayed)?;
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
                    return Err(error::not_allowed(texts::gate::comment_is_too_long(
                        MAX_COMMENT_BYTES / 1024,
                    )));
                }
                let mut records = older()?;
                records.push(call.decided(turn, &asked, Verdict::Denied { comment }, by));
                Ok(records)
            }
            Decision::Approve { grant, word } => {
                // Denying is always possible. Approving needs a switch that is known to be off.
                if self.facts.kill_switch != Some(false) {
                    return Err(error::not_allowed(texts::gate::KILL_SWITCH_BLOCKS_ACTIONS));
                }
                if second && is_asker {
                    return Err(error::second_needed());
                }
                rights::is_assured(&asked.assurance, word.as_deref())?;
                let approved = call.decided(turn, &asked, Verdict::Approved, by);
                let mut records = vec![if second {
                    approved.noting(
                        "second",
                        json!({
                            "asked_by": {
                                "user": self.owner,
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
                    )
                } else {
                    approved
                }];
                if let Some(terms) = grant {
                    if second {
                        return Err(error::not_allowed(texts::gate::NEEDS_APPROVAL_EVERY_TIME));
                    }
                    check_terms(&asked, terms, now, &self.policy().grants)?;
                    records.extend(older()?);
                    let grant = Grant {
                        id: grant_id,
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
        return Err(error::not_allowed(texts::gate::NEEDS_APPROVAL_EVERY_TIME));
    }
    if !(1..=uses).contains(&terms.uses) {
        return Err(error::not_allowed(texts::gate::grant_uses_out_of_range(
            uses,
        )));
    }
    if terms.until <= now || terms.until.0.saturating_sub(now.0) > longest {
        return Err(error::not_allowed(match minutes {
            1440 => texts::gate::GRANT_ENDS_WITHIN_24_HOURS.to_owned(),
            minutes => texts::gate::grant_ends_within_minutes(minutes),
        }));
    }
    Ok(())
}
