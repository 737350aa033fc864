//! Standing grants of a conversation.

use protocol::{Grant, GrantId, Timestamp};

use crate::{GrantRules, ports::Approval};

/// The grants that were given and not revoked, with the uses so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grants(Vec<Given>);

#[derive(Debug, Clone)]
struct Given {
    grant: Grant,
    /// The approval with which it was given.
    approval: Option<Approval>,
    at: Timestamp,
    used: u32,
}

impl Given {
    fn is_open(&self, now: Timestamp) -> bool {
        self.used < self.grant.terms.uses && now < self.grant.terms.until
    }

    /// True if the policy in force allows it now, whatever it allowed when the grant was given.
    fn holds(&self, now: Timestamp, rules: &GrantRules) -> bool {
        let limit = rules.limit();
        let age = now.0.saturating_sub(self.at.0);
        rules.allowed && self.used < limit.uses && age < i64::from(limit.minutes) * 60_000
    }
}

impl Grants {
    pub(super) fn give(&mut self, grant: &Grant, at: Timestamp, approval: Option<Approval>) {
        self.0.push(Given {
            grant: grant.clone(),
            approval,
            at,
            used: 0,
        });
    }

    /// The approval of the card with which a grant was given.
    pub(super) fn approval(&self, id: GrantId) -> Option<&Approval> {
        let given = self.0.iter().find(|given| given.grant.id == id)?;
        given.approval.as_ref()
    }

    pub(super) fn revoke(&mut self, id: GrantId) {
        self.0.retain(|given| given.grant.id != id);
    }

    pub(super) fn used(&mut self, id: GrantId) {
        for given in &mut self.0 {
            if given.grant.id == id {
                given.used = given.used.saturating_add(1);
            }
        }
    }

    /// The grant that covers a call now; see [`crate::digest::call_key`].
    pub(crate) fn covering(&self, key: &str, now: Timestamp, rules: &GrantRules) -> Option<&Grant> {
        let covers = |given: &&Given| {
            given.grant.key == key && given.is_open(now) && given.holds(now, rules)
        };
        self.0.iter().find(covers).map(|given| &given.grant)
    }

    /// All grants that still cover something, for the same calls as this key.
    pub(crate) fn for_key(&self, key: &str, now: Timestamp) -> impl Iterator<Item = GrantId> {
        let open = self
            .0
            .iter()
            .filter(move |given| given.grant.key == key && given.is_open(now));
        open.map(|given| given.grant.id)
    }

    /// True if there is such a grant to revoke.
    pub(crate) fn has(&self, id: GrantId) -> bool {
        self.0.iter().any(|given| given.grant.id == id)
    }
}
