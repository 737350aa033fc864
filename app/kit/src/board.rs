//! Parts of a board, as signals for a page.

use std::collections::BTreeMap;

use leptos::prelude::*;
use protocol::FromJson;
use serde_json::Value;

/// All parts of a kind, in the order of their names.
#[derive(Clone)]
pub struct BoardParts<T: Send + Sync + 'static> {
    all: ArcRwSignal<BTreeMap<String, ArcRwSignal<T>>>,
    /// Number of changes of any part.
    version: ArcRwSignal<u64>,
}

impl<T: Send + Sync + 'static> Default for BoardParts<T> {
    fn default() -> Self {
        Self {
            all: ArcRwSignal::default(),
            version: ArcRwSignal::new(0),
        }
    }
}

impl<T: FromJson + Clone + PartialEq + Send + Sync + 'static> BoardParts<T> {
    /// Returns the names of all parts.
    #[inline]
    pub fn names(&self) -> Vec<String> {
        self.all.read().keys().cloned().collect()
    }

    /// Returns a part as a signal of its changes.
    #[inline]
    pub fn get(&self, name: &str) -> Option<ArcRwSignal<T>> {
        self.all.read().get(name).cloned()
    }

    /// Returns all parts as they are now; changes when any of them does.
    #[inline]
    pub fn all(&self) -> Vec<(String, T)> {
        self.version.track();
        let all = self.all.read();
        all.iter()
            .map(|(name, part)| (name.clone(), part.get_untracked()))
            .collect()
    }

    /// Shows each part as it is now to `see`, without copying it; changes when any of them does.
    #[inline]
    pub fn visit(&self, mut see: impl FnMut(&str, &T)) {
        self.version.track();
        for (name, part) in self.all.read().iter() {
            see(name, &part.read_untracked());
        }
    }

    /// Takes over a part as the board has it now.
    #[inline]
    pub fn put(&self, name: &str, value: Value) {
        let Some(part) = T::from_json(value) else {
            leptos::logging::error!("unreadable part of the board: {name}");
            return;
        };
        let known = self.all.read_untracked().get(name).cloned();
        match known {
            Some(signal) => {
                if *signal.read_untracked() != part {
                    signal.set(part);
                }
            }
            None => self.all.update(|all| {
                all.insert(name.to_owned(), ArcRwSignal::new(part));
            }),
        }
        self.version.update(|version| *version += 1);
    }

    /// Drops a part, if it is there.
    #[inline]
    pub fn remove(&self, name: &str) {
        if self.all.read_untracked().contains_key(name) {
            self.all.update(|all| {
                all.remove(name);
            });
            self.version.update(|version| *version += 1);
        }
    }
}

/// The parts of one kind, whatever their type.
pub trait PartShelf: Send + Sync {
    /// See [`BoardParts::put`].
    fn put(&self, name: &str, value: Value);
    /// See [`BoardParts::remove`].
    fn remove(&self, name: &str);
    /// See [`BoardParts::names`].
    fn names(&self) -> Vec<String>;
}

impl<T: FromJson + Clone + PartialEq + Send + Sync + 'static> PartShelf for BoardParts<T> {
    fn put(&self, name: &str, value: Value) {
        BoardParts::put(self, name, value);
    }

    fn remove(&self, name: &str) {
        BoardParts::remove(self, name);
    }

    fn names(&self) -> Vec<String> {
        BoardParts::names(self)
    }
}
