//! Names of the drawings that were read or written lately, for a line of the feed, which cannot wait
//! for a look at the store.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::{ChartDrawings, say};
use crate::drawing::{Drawing, is_private};

/// The most names that are kept. Beyond it all are forgotten, and come again with the next read.
const MOST: usize = 10_000;

/// Names by the drawings' identifiers. Clones share them.
#[derive(Clone, Default)]
pub(super) struct DrawingNames(Arc<Mutex<HashMap<String, KnownName>>>);

struct KnownName {
    /// Version of the drawing that has it.
    version: u64,
    name: String,
}

impl ChartDrawings {
    /// The name of a drawing as it was read or written last. None of one that a person alone sees: it
    /// is not known here who asks.
    pub(super) fn name_of(&self, id: &str) -> Option<String> {
        let names = self.names.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(names.get(id)?.name.clone())
    }

    /// Keeps the names of drawings that were just read or written.
    pub(super) fn learn_names(&self, drawings: &[Drawing]) {
        let mut names = self.names.0.lock().unwrap_or_else(PoisonError::into_inner);
        for drawing in drawings.iter().filter(|it| !is_private(it)) {
            let known = names.get(&drawing.id);
            if known.is_some_and(|known| known.version >= drawing.version) {
                continue;
            }
            if names.len() >= MOST {
                names.clear();
            }
            let known = KnownName {
                version: drawing.version,
                name: say::named(drawing),
            };
            names.insert(drawing.id.clone(), known);
        }
    }
}
