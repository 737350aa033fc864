//! Storage conditions: full or not available.

use homelab_wire::StoragePart;

use super::{SurveyState, capital, full, read};
use crate::{config::NoticeKind, texts};

impl SurveyState<'_> {
    pub(super) fn storages(&mut self) {
        if self.lacks("storages_lack") {
            self.unsure_of_storages_that_are_not_listed();
        }
        let storages: Vec<(String, StoragePart)> = self
            .parts("storage")
            .filter_map(|(name, part)| Some((name.to_owned(), read(part)?)))
            .collect();
        for (key, storage) in &storages {
            self.storage(key, storage);
        }
    }

    fn storage(&mut self, key: &str, storage: &StoragePart) {
        let name = &storage.name;
        let about = match &storage.node {
            Some(node) => texts::storage_on(name, node),
            None => format!("storage {name}"),
        };
        let (away, full_key) = (format!("storage/{key}/away"), format!("storage/{key}/full"));
        if storage.past.is_some() || storage.state.value().is_none() {
            self.unsure(&full_key);
            let node = storage.node.as_deref();
            if node.is_some_and(|node| self.is_off(node)) {
                // Its node already has a notice.
                self.unsure(&away);
            } else {
                let text = texts::conditions::is_not_available(&capital(&about));
                self.add(&away, NoticeKind::Storage, false, &about, text);
            }
            return;
        }
        match full(storage.used.value(), storage.total.value().copied()) {
            Some(percent) => {
                let text = texts::conditions::is_full(&capital(&about), percent);
                self.fills(&full_key, percent, &about, text);
            }
            None => self.unsure(&full_key),
        }
    }

    /// Returns whether a node is not known to be online.
    fn is_off(&self, node: &str) -> bool {
        let state = self.value(&format!("node/{node}"), "state");
        state.and_then(|state| state.as_str()) != Some("online")
    }

    fn unsure_of_storages_that_are_not_listed(&mut self) {
        let missing: Vec<String> = self
            .known
            .iter()
            .filter(|key| {
                let part = key.rsplit_once('/').map_or("", |(part, _)| part);
                key.starts_with("storage/") && !self.picture.contains_key(part)
            })
            .cloned()
            .collect();
        self.survey.unknown.extend(missing);
    }
}
