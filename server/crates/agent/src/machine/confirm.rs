//! The records of cards: asked, decided, expired, withdrawn; of grants and of resolved outcomes.

use std::sync::Arc;

use protocol::{
    Confirmation, ErrorBody, EventBody, Grant, GrantId, Resolution, Timestamp, TurnId, Verdict,
};
use serde_json::json;

use super::{
    block::result_block,
    state::{Call, Conversation},
};
use crate::{
    digest::call_key,
    error,
    output::clean_text,
    ports::{Approval, NewRecord, Person},
    raw_json::json as raw,
    texts,
};

impl Call {
    /// The record of a card, the first one for a call or another.
    pub(crate) fn ask(&self, turn: TurnId, confirmation: Confirmation) -> NewRecord {
        let audit = self.audit();
        NewRecord::event(EventBody::ConfirmationRequested {
            turn,
            call: self.id,
            confirmation: Box::new(confirmation),
        })
        .audited(audit)
    }

    /// The record of a verdict on a card; `by` is none if it expired.
    pub(crate) fn decided(
        &self,
        turn: TurnId,
        asked: &Confirmation,
        verdict: Verdict,
        by: Option<&Person>,
    ) -> NewRecord {
        // The `tool_result` of a call that will not run; an approved one gets its own later.
        let said = match &verdict {
            Verdict::Approved => None,
            Verdict::Denied { comment: None } => Some(json!({ "denied": texts::calls::DENIED })),
            Verdict::Denied {
                comment: Some(comment),
            } => Some(json!({
                "denied": texts::calls::DENIED,
                "comment": clean_text(comment),
            })),
            Verdict::Expired => Some(json!({
                "expired": texts::calls::NOT_DECIDED_IN_TIME
            })),
            Verdict::Withdrawn | Verdict::Unknown => Some(json!({
                "withdrawn": texts::calls::WITHDRAWN
            })),
        };
        let record = NewRecord {
            body: EventBody::ConfirmationDecided {
                turn,
                call: self.id,
                digest: asked.digest.clone(),
                verdict,
                by: by.map(|by| by.name.clone()),
                via: by.and_then(|by| by.via.record()),
            },
            raw: said.map(|said| result_block(&self.use_id, &raw(&said), &[], true)),
            audit: None,
            trace: Default::default(),
        };
        record.audited(self.audit())
    }
}

impl Call {
    /// A person's approval of its newest card.
    pub(super) fn approved(&self, digest: &str, by: Option<&str>, at: Timestamp) -> Approval {
        let second = self
            .asked
            .as_deref()
            .and_then(|asked| asked.second.as_ref());
        let people = second.map(|second| &*second.asker).into_iter().chain(by);
        Approval {
            digest: digest.to_owned(),
            by: people.map(str::to_owned).collect(),
            at,
        }
    }
}

impl Conversation {
    /// The approval in the same write as a grant for the same call.
    pub(super) fn approval_of(&self, key: &str) -> Option<Approval> {
        let mut approved = self.last_calls().filter(|call| call.is_approved());
        let call = approved.find(|call| call_key(&call.name, call.effective_input()) == key)?;
        call.approval.clone()
    }

    /// The call that waits for a decision on exactly this digest.
    pub(crate) fn asked(
        &self,
        call: protocol::CallId,
        digest: &str,
        now: Timestamp,
    ) -> Result<(&Call, Arc<Confirmation>), ErrorBody> {
        let found = self.waiting_call(call);
        let Some((call, asked)) = found.and_then(|call| Some((call, call.asked.clone()?))) else {
            return Err(error::already_decided(self.decided.get(&call)));
        };
        if now >= asked.expires {
            return Err(error::question_expired());
        }
        if asked.digest != digest {
            return Err(error::card_changed());
        }
        Ok((call, asked))
    }

    /// The record of a grant that is revoked.
    pub(crate) fn revoke(&self, grant: GrantId, by: &Person) -> Result<NewRecord, ErrorBody> {
        if !self.grants().has(grant) {
            return Err(error::grant_not_found());
        }
        let revoked = EventBody::GrantRevoked {
            grant,
            by: by.name.clone(),
            via: by.via.record(),
        };
        Ok(NewRecord::event(revoked).audited(json!({})))
    }

    /// The record of what became of a call whose outcome was unknown.
    pub(crate) fn resolved(
        &self,
        call: protocol::CallId,
        resolution: Resolution,
        by: Option<&Person>,
        message: String,
    ) -> Result<NewRecord, ErrorBody> {
        let unknown = self.unknown_call(call).ok_or_else(error::outcome_known)?;
        let audit = json!({ "tool": unknown.name, "input": unknown.input });
        Ok(NewRecord::event(EventBody::OutcomeResolved {
            call,
            resolution,
            by: by.map(|by| by.name.clone()),
            via: by.and_then(|by| by.via.record()),
            message,
        })
        .audited(audit))
    }

    /// The records of the cards that nobody decided in time.
    pub(crate) fn expired(&self, turn: TurnId, now: Timestamp) -> Vec<NewRecord> {
        self.waiting()
            .filter(|(_, expires)| *expires <= now)
            .filter_map(|(call, _)| {
                let asked = call.asked.as_deref()?;
                Some(call.decided(turn, asked, Verdict::Expired, None))
            })
            .collect()
    }

    /// Withdraws every open card.
    pub(super) fn withdraw_questions(&self, turn: TurnId, by: Option<&Person>) -> Vec<NewRecord> {
        self.waiting()
            .filter_map(|(call, _)| {
                let asked = call.asked.as_deref()?;
                Some(call.decided(turn, asked, Verdict::Withdrawn, by))
            })
            .collect()
    }
}

/// The record of a grant: within its terms the same call runs without a card.
pub(crate) fn grant_given(grant: Grant, by: &Person) -> NewRecord {
    let given = EventBody::GrantGiven {
        grant,
        by: by.name.clone(),
        via: by.via.record(),
    };
    NewRecord::event(given).audited(json!({}))
}
