//! What is known of calls of this process: the documents that they made, which another call never takes
//! for its own, and what their cards showed.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use protocol::CallId;

/// More than are made within the window in which a document is looked for.
const MOST: usize = 500;

/// A document that a call made.
#[derive(Debug)]
struct Claim {
    doctype: String,
    name: String,
    by: CallId,
}

/// The documents made last.
#[derive(Debug, Default)]
pub(crate) struct Claims(Mutex<VecDeque<Claim>>);

impl Claims {
    pub(crate) fn claim(&self, doctype: &str, name: &str, by: CallId) {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        claims.push_front(Claim {
            doctype: doctype.to_owned(),
            name: name.to_owned(),
            by,
        });
        claims.truncate(MOST);
    }

    /// True if another call made it.
    pub(crate) fn is_of_another(&self, doctype: &str, name: &str, by: CallId) -> bool {
        let claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut claims = claims.iter();
        claims.any(|it| it.doctype == doctype && it.name == name && it.by != by)
    }
}

/// Digests of what cards showed, for calls whose effect only the ERP computes: what it computes when
/// the call runs has to be the same.
#[derive(Debug, Default)]
pub(crate) struct ShownEffects(Mutex<VecDeque<(CallId, String)>>);

impl ShownEffects {
    /// Keeps what the newest card of a call showed.
    pub(crate) fn keep(&self, call: CallId, digest: String) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.retain(|it| it.0 != call);
        shown.push_front((call, digest));
        shown.truncate(MOST);
    }

    /// True if the card of a call showed something else. A call that was never shown has no card.
    pub(crate) fn differs(&self, call: CallId, digest: &str) -> bool {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.iter().any(|it| it.0 == call && it.1 != digest)
    }
}
