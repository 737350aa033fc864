//! The names by which texts refer to things that have a page, as the toolsets gave them last.
//! Changes are sent to everybody.
//!
//! Names that mean two things, or are more than plain words, are dropped: only names that the
//! server sends become links.

use std::{
    collections::{BTreeMap, VecDeque},
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::{FutureExt, future::join_all};
use protocol::{Name, ServerFrame};

use super::{frame::SharedFrame, lists::Lists, queue::Subscription};
use crate::{
    ports::{Person, Scope, Toolset},
    sync::lock,
};

/// Timeout of a toolset, which then keeps the names that it had.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest name that becomes a link, in bytes.
const MAX_NAME: usize = 80;
/// The most names that are sent: a page that looks for thousands would slow down.
const MAX_NAMES: usize = 5_000;

pub(crate) struct Names {
    toolsets: Vec<Arc<dyn Toolset>>,
    state: Mutex<NamesState>,
}

#[derive(Default)]
struct NamesState {
    /// By toolset.
    said: Vec<Option<Vec<Name>>>,
    names: Vec<Name>,
    /// None while there are no names.
    frame: Option<SharedFrame>,
    asking: bool,
}

impl Names {
    pub(crate) fn new(toolsets: &[Arc<dyn Toolset>]) -> Self {
        Self {
            toolsets: toolsets.to_vec(),
            state: Mutex::default(),
        }
    }

    /// Subscribes to the names and to a person's list. Whoever reaches only some toolsets gets no
    /// names.
    pub(crate) fn subscribe(&self, lists: &Lists, person: &Person) -> Subscription {
        // Under the lock, so that no change comes in between.
        let state = lock(&self.state);
        let first = state.frame.clone().filter(|_| person.scope == Scope::All);
        lists.subscribe(person, VecDeque::from_iter(first))
    }

    /// Asks the toolsets, and tells everybody if the names have changed. Does nothing while that is
    /// already under way.
    pub(crate) async fn learn(&self, lists: &Lists) {
        if std::mem::replace(&mut lock(&self.state).asking, true) {
            return;
        }
        let asked = self.toolsets.iter().map(async |toolset| {
            let names = AssertUnwindSafe(toolset.names()).catch_unwind();
            tokio::time::timeout(PATIENCE, names).await.ok()?.ok()?
        });
        let said = join_all(asked).await;
        let mut state = lock(&self.state);
        state.asking = false;
        state.said.resize(said.len(), None);
        for (known, said) in state.said.iter_mut().zip(said) {
            if said.is_some() {
                *known = said;
            }
        }
        let names = unambiguous(state.said.iter().flatten().flatten());
        if names != state.names {
            let frame = SharedFrame::new(&ServerFrame::Names {
                names: names.clone(),
            });
            state.names = names;
            state.frame = Some(frame.clone());
            lists.everybody(&frame);
        }
    }
}

/// The names that mean one thing each and can be told from the text around them.
fn unambiguous<'a>(names: impl Iterator<Item = &'a Name>) -> Vec<Name> {
    let mut known: BTreeMap<&str, Option<&Name>> = BTreeMap::new();
    for name in names.filter(|name| is_plain(&name.name)) {
        known
            .entry(&name.name)
            .and_modify(|known| *known = known.filter(|known| known.of == name.of))
            .or_insert(Some(name));
    }
    let names = known.into_values().flatten().map(|name| Name {
        note: name.note.chars().take(MAX_NAME).collect(),
        ..name.clone()
    });
    names.take(MAX_NAMES).collect()
}

/// True if a name is words of letters, digits, `-`, `_` and `.`, with a letter among them. Anything
/// else stays plain text.
fn is_plain(name: &str) -> bool {
    let plain = |word: &str| {
        let mut chars = word.chars();
        chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
            && word.starts_with(|c: char| c.is_ascii_alphanumeric())
            && word.ends_with(|c: char| c.is_ascii_alphanumeric())
    };
    (2..=MAX_NAME).contains(&name.len())
        && name.contains(|c: char| c.is_ascii_alphabetic())
        && name.split(' ').all(plain)
}

#[cfg(test)]
mod tests {
    use protocol::Reference;

    use super::*;

    #[test]
    fn only_plain_names_of_one_thing_become_links() {
        let name = |name: &str, kind: &str, id: &str| Name::new(name, Reference::new(kind, id));
        let said = [
            name("pve", "node", "pve"),
            name("web", "guest", "101"),
            name("web", "guest", "102"),
            // Twice the same is no doubt.
            name("db", "guest", "103"),
            name("db", "guest", "103"),
            name("VM 103", "guest", "103"),
            // A third one does not bring the name back.
            name("web", "guest", "101"),
            name("", "guest", "104"),
            name("x", "guest", "104"),
            name("117", "guest", "104"),
            name("a  b", "guest", "104"),
            name("-rf", "guest", "104"),
            name("[x](https://evil)", "guest", "104"),
            name("</a><script>", "guest", "104"),
            name("no\u{202e}de", "guest", "104"),
            name("w\u{430}tch", "guest", "104"),
            name(&"a".repeat(81), "guest", "104"),
        ];
        let names = unambiguous(said.iter());
        let names: Vec<_> = names.iter().map(|name| name.name.as_str()).collect();
        assert_eq!(names, ["VM 103", "db", "pve"]);
    }
}
