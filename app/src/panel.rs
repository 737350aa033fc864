//! The interface of a domain to the frame, the routes and the texts, as a table.
//!
//! The table is installed at the start: nothing here names a domain.

#[cfg(feature = "hydrate")]
use std::pin::Pin;
use std::sync::OnceLock;

use leptos::prelude::*;
use protocol::{Questions, Reference};
use serde_json::Value;

/// One domain in the browser.
pub struct Panel {
    /// Its toolset: without it on the server there is no tab.
    pub(crate) toolset: &'static str,
    pub(crate) tab: PanelTab,
    /// Returns the canonical address of one of its pages; none for any other address.
    pub(crate) page: fn(path: &str) -> Option<String>,
    /// Returns the address as which a page is drawn. Pages that share it share their elements.
    pub(crate) drawn_as: fn(path: &str) -> String,
    pub(crate) view: fn(path: &str) -> AnyView,
    /// Loads the code of a page. False if it cannot be loaded.
    #[cfg(feature = "hydrate")]
    pub(crate) load: fn(path: &str) -> Pin<Box<dyn Future<Output = bool>>>,
    /// The kinds of its things.
    pub(crate) kinds: &'static [PanelKind],
    /// Recognises an identifier in text by its form, such as a task's.
    pub(crate) word: fn(word: &str) -> Option<Reference>,
    /// Names of its tools for people, where the words of the identifier are not enough.
    pub(crate) tools: &'static [(&'static str, &'static str)],
    /// Returns the page of a thing that a call made, from its result and the page on view, and the
    /// words of the link to it.
    pub(crate) made: fn(result: &Value, here: &str) -> Option<(String, &'static str)>,
    /// The mark while its system is a simulation, and its meaning.
    pub(crate) simulated: Option<(&'static str, &'static str)>,
    /// Suggestions in the chat beside its pages.
    pub(crate) beside: &'static [&'static str],
}

/// The panel's tab in the header, and its shortcut.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PanelTab {
    pub(crate) path: &'static str,
    pub(crate) name: &'static str,
    /// The word under which a person's keys for it are stored, and its default keys.
    pub(crate) keys: Option<(&'static str, &'static str)>,
    /// The shortcut's description in the list of shortcuts.
    pub(crate) goes: &'static str,
}

/// A kind of thing that calls, events and texts are about.
pub(crate) struct PanelKind {
    pub(crate) name: &'static str,
    /// Returns the address of its page; none without a page, and for an invalid identifier.
    pub(crate) path: fn(id: &str) -> Option<String>,
    pub(crate) label: fn(id: &str) -> String,
}

static TABLE: OnceLock<&'static [Panel]> = OnceLock::new();

/// Installs the table. Later tables are ignored.
pub(crate) fn install(panels: &'static [Panel]) {
    TABLE.get_or_init(|| panels);
}

/// The most questions that an empty chat suggests: two rows on a phone.
const SUGGESTIONS: usize = 6;

/// The toolsets that the server has, and what they can be asked.
#[derive(Clone)]
struct Present {
    toolsets: Vec<String>,
    questions: Vec<Questions>,
}

/// In the browser, where shortcuts have no page's context: one tab has one server.
#[cfg(not(feature = "ssr"))]
static PRESENT: OnceLock<Present> = OnceLock::new();

/// Sets the toolsets that the server has, and their example questions, for this page.
pub(crate) fn tell_present(toolsets: Vec<String>, questions: Vec<Questions>) {
    let present = Present {
        toolsets,
        questions,
    };
    #[cfg(not(feature = "ssr"))]
    PRESENT.get_or_init(|| present);
    #[cfg(feature = "ssr")]
    provide_context(present);
}

fn told() -> Option<Present> {
    #[cfg(not(feature = "ssr"))]
    return PRESENT.get().cloned();
    #[cfg(feature = "ssr")]
    use_context()
}

/// Returns the panels whose toolset the server has.
pub(crate) fn present() -> impl Iterator<Item = &'static Panel> {
    let present = told();
    all().iter().filter(move |panel| {
        let mut toolsets = present.iter().flat_map(|it| &it.toolsets);
        toolsets.any(|name| name == panel.toolset)
    })
}

/// Returns the example questions of the toolsets that the server has.
pub(crate) fn questions() -> Vec<Questions> {
    told().map(|present| present.questions).unwrap_or_default()
}

/// Returns what an empty chat suggests: the toolsets take turns, so that each is among them.
pub(crate) fn suggestions() -> Vec<String> {
    let mut left: Vec<_> = questions()
        .into_iter()
        .map(|it| it.suggested.into_iter())
        .collect();
    let mut found = Vec::new();
    while found.len() < SUGGESTIONS {
        let before = found.len();
        found.extend(left.iter_mut().filter_map(Iterator::next));
        if found.len() == before {
            break;
        }
    }
    found.truncate(SUGGESTIONS);
    found
}

/// Returns all panels, in the order of their tabs.
pub(crate) fn all() -> &'static [Panel] {
    TABLE.get().copied().unwrap_or_default()
}

/// Returns the panel of a page, if the server has its toolset, and the page's canonical address.
pub(crate) fn shown(path: &str) -> Option<(&'static Panel, String)> {
    let (panel, path) = at(path)?;
    let is_there = present().any(|it| it.toolset == panel.toolset);
    is_there.then_some((panel, path))
}

/// Returns the panel of a page, and the page's canonical address.
pub(crate) fn at(path: &str) -> Option<(&'static Panel, String)> {
    all()
        .iter()
        .find_map(|panel| Some((panel, (panel.page)(path)?)))
}

/// Returns the thing whose identifier a word is, recognised by its form.
pub(crate) fn named(word: &str) -> Option<Reference> {
    all().iter().find_map(|panel| (panel.word)(word))
}

/// Returns a kind of thing by its name.
pub(crate) fn kind(name: &str) -> Option<&'static PanelKind> {
    let mut kinds = all().iter().flat_map(|panel| panel.kinds);
    kinds.find(|kind| kind.name == name)
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn toolsets_take_turns_in_an_empty_chat() {
        let asked = |toolset: &str, suggested: &[&str]| Questions {
            toolset: toolset.to_owned(),
            suggested: suggested.iter().map(|&text| text.to_owned()).collect(),
            more: vec!["Never suggested?".to_owned()],
        };
        Owner::new_root(None).with(|| {
            assert_eq!(suggestions(), [""; 0]);
            let first = asked("one", &["1a", "1b", "1c", "1d", "1e"]);
            let questions = vec![first, asked("two", &["2a", "2b"])];
            tell_present(Vec::new(), questions);
            assert_eq!(suggestions(), ["1a", "2a", "1b", "2b", "1c", "1d"]);
        });
    }
}
