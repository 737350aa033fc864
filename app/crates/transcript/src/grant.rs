//! Confirmations, their decisions, and standing grants.

use protocol::{CallId, Confirmation, Grant, GrantId, Timestamp, Verdict};

use crate::{
    entries::StandingGrant,
    fold::{RowChange, Transcript},
    row::{AskedRow, Decided, ToolState},
};

impl Transcript {
    pub(crate) fn ask(
        &mut self,
        call: CallId,
        confirmation: &Confirmation,
        at: Timestamp,
        changes: &mut Vec<RowChange>,
    ) {
        self.change_call(call, changes, |row| {
            row.tier = Some(confirmation.tier);
            row.target = Some(confirmation.target.clone());
            row.input = Some(confirmation.input.clone());
            row.state = ToolState::Waiting;
            row.asked = Some(Box::new(AskedRow {
                confirmation: confirmation.clone(),
                at,
                decided: None,
            }));
        });
    }

    pub(crate) fn decide(
        &mut self,
        call: CallId,
        verdict: &Verdict,
        by: Option<&str>,
        at: Timestamp,
        changes: &mut Vec<RowChange>,
    ) {
        self.change_call(call, changes, |row| {
            row.state = match verdict {
                Verdict::Approved => ToolState::Approved,
                Verdict::Denied { .. } => ToolState::Denied,
                Verdict::Expired => ToolState::Expired,
                Verdict::Withdrawn | Verdict::Unknown => ToolState::Withdrawn,
            };
            if let Some(asked) = &mut row.asked {
                asked.decided = Some(Decided {
                    verdict: verdict.clone(),
                    by: by.map(str::to_owned),
                    at,
                });
            }
        });
    }

    pub(crate) fn give_grant(
        &mut self,
        grant: &Grant,
        by: &str,
        at: Timestamp,
        changes: &mut Vec<RowChange>,
    ) {
        self.grants.push(StandingGrant {
            grant: grant.clone(),
            by: by.to_owned(),
            at,
            used: 0,
            revoked: None,
        });
        changes.push(RowChange::Grants);
    }

    pub(crate) fn revoke_grant(&mut self, id: GrantId, by: &str, changes: &mut Vec<RowChange>) {
        if let Some(standing) = self.grants.iter_mut().find(|g| g.grant.id == id) {
            standing.revoked = Some(by.to_owned());
            changes.push(RowChange::Grants);
        }
    }

    pub(crate) fn use_grant(&mut self, id: Option<GrantId>, changes: &mut Vec<RowChange>) {
        if let Some(id) = id
            && let Some(standing) = self.grants.iter_mut().find(|g| g.grant.id == id)
        {
            standing.used += 1;
            changes.push(RowChange::Grants);
        }
    }
}
