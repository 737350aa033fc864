//! The runs that cards showed last: only exactly these are queued.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use field_package::ids::Sha256Hex;
use protocol::CallId;

/// Calls that are remembered. A card is made anew just before its call runs, so few are enough.
const MOST: usize = 4_096;

/// Digest of the core that the newest card of each call showed.
#[derive(Default)]
pub(crate) struct ShownRuns(Mutex<HashMap<CallId, Sha256Hex>>);

impl ShownRuns {
    pub(crate) fn note(&self, call: CallId, core: Sha256Hex) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.len() >= MOST {
            shown.clear();
        }
        shown.insert(call, core);
    }

    /// True if the newest card of this call showed exactly this.
    pub(crate) fn has(&self, call: CallId, core: &Sha256Hex) -> bool {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.get(&call) == Some(core)
    }
}
