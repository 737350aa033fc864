//! Standing grants of a conversation.

use protocol::{Grant, GrantId, Timestamp};

/// The grants that were given and not taken back, with what is left of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grants(Vec<(Grant, u32)>);

impl Grants {
    pub(super) fn give(&mut self, grant: &Grant) {
        self.0.push((grant.clone(), grant.terms.uses));
    }

    pub(super) fn revoke(&mut self, id: GrantId) {
        self.0.retain(|(grant, _)| grant.id != id);
    }

    pub(super) fn used(&mut self, id: GrantId) {
        for (grant, left) in &mut self.0 {
            if grant.id == id {
                *left = left.saturating_sub(1);
            }
        }
    }

    /// The grant that covers a call now; see [`crate::digest::call_key`].
    pub(crate) fn covering(&self, key: &str, now: Timestamp) -> Option<&Grant> {
        self.0
            .iter()
            .find(|(grant, left)| grant.key == key && *left > 0 && now < grant.terms.until)
            .map(|(grant, _)| grant)
    }

    /// All grants that still cover something, for the same calls as this key.
    pub(crate) fn for_key(&self, key: &str, now: Timestamp) -> impl Iterator<Item = GrantId> {
        let open = self
            .0
            .iter()
            .filter(move |(grant, left)| grant.key == key && *left > 0 && now < grant.terms.until);
        open.map(|(grant, _)| grant.id)
    }

    /// Whether there is such a grant that could be taken back.
    pub(crate) fn has(&self, id: GrantId) -> bool {
        self.0.iter().any(|(grant, _)| grant.id == id)
    }
}
