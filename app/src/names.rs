//! Names of things that have a page, as the server sent them: only these become links.
//!
//! A settled block is searched once. Text is never changed; a whole word that is such a name
//! becomes a link.

use std::sync::{Arc, PoisonError, RwLock};

use kit::format::upright;
use markdown::Block;
use protocol::{Name, Reference};

use crate::{panel, reference::path_of};

/// The names. Clones share them. There are none before the socket has brought them, so that the
/// first tree in the browser matches the server's.
#[derive(Clone, Default)]
pub(crate) struct Names(Arc<RwLock<Vec<Name>>>);

impl Names {
    /// Replaces all names; their order matters.
    pub(crate) fn set(&self, names: Vec<Name>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = names;
    }

    /// Returns all names, in their order.
    pub(crate) fn all(&self) -> Vec<Name> {
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        names.clone()
    }

    /// Returns the name that was given to a thing, with its kind, identifier and place; none for a
    /// thing whose name is its identifier.
    pub(crate) fn title(&self, of: &Reference) -> Option<String> {
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let given = |it: &&Name| {
            it.of == *of && !it.note.is_empty() && of.id.rsplit('/').next() != Some(&*it.name)
        };
        let Name { name, note, .. } = names.iter().find(given)?;
        Some(upright(format!("{name} · {note}")))
    }

    /// Returns the page of the thing that a word names.
    pub(crate) fn path(&self, word: &str) -> Option<String> {
        if let Some(named) = panel::named(word) {
            return path_of(&named);
        }
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let found = names.binary_search_by(|known| known.name.as_str().cmp(word));
        path_of(&names.get(found.ok()?)?.of)
    }

    /// Turns the names in settled blocks into links.
    pub(crate) fn link(&self, blocks: &mut [Block]) {
        for block in blocks {
            markdown::link_words(block, &|word| self.path(word));
        }
    }

    /// Returns whether a text may contain a name.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        markdown::has_words(text, &|word| self.path(word))
    }
}

/// Returns how well a thing fits what was typed, from 0 for the best; none if it does not. Both texts
/// are in lower case.
pub(crate) fn rank(name: &str, of: &Reference, typed: &str) -> Option<u8> {
    // A storage's identifier begins with its node, which would find all of them.
    let number = if of.id.contains('/') { "" } else { &*of.id };
    if !typed.is_empty() && number == typed {
        Some(0)
    } else if !typed.is_empty() && number.starts_with(typed) {
        Some(1)
    } else {
        rank_text(name, typed)
    }
}

/// The same for any text.
pub(crate) fn rank_text(text: &str, typed: &str) -> Option<u8> {
    let words = || text.split(|c: char| !c.is_alphanumeric());
    if text == typed {
        Some(0)
    } else if text.starts_with(typed) {
        Some(1)
    } else if words().any(|word| word.starts_with(typed)) {
        Some(2)
    } else if text.contains(typed) {
        Some(3)
    } else {
        let mut parts = typed.split_whitespace();
        parts.all(|part| text.contains(part)).then_some(4)
    }
}

#[cfg(test)]
mod tests {
    use markdown::parse;

    use super::*;

    #[test]
    fn only_what_the_server_named_is_a_link() {
        panel::install(crate::domains::PANELS);
        let names = Names::default();
        let text = "Look at nextcloud, not at nextcloud-2.";
        assert!(!names.are_in(text));
        names.set(vec![
            Name::new("nas", Reference::new("storage", "pve/nas")),
            Name::new("nextcloud", Reference::new("guest", "101")),
        ]);
        assert!(names.are_in(text));
        for (word, path) in [
            ("nextcloud", Some("/guest/101")),
            ("nas", Some("/storage/pve/nas")),
            ("Nextcloud", None),
            ("", None),
        ] {
            assert_eq!(names.path(word).as_deref(), path, "{word}");
        }
        let mut blocks = parse(text);
        names.link(&mut blocks);
        let drawn = format!("{blocks:?}");
        assert_eq!(drawn.matches("href").count(), 1);
        assert!(drawn.contains(r#"href: "/guest/101""#), "{drawn}");
    }
}
