//! Documents that calls of this process made: another call never takes one for its own.

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
