//! What a domain shows in the browser, as a table that the frame, the routes and the texts read.
//!
//! The table is handed in at the start: nothing here names a domain.

#[cfg(feature = "hydrate")]
use std::pin::Pin;
use std::sync::OnceLock;

use leptos::prelude::*;
use protocol::Reference;
use serde_json::Value;

/// One domain in the browser.
pub struct Panel {
    /// The toolset that it belongs to: without it on the server there is no tab.
    pub(crate) toolset: &'static str,
    pub(crate) tab: Tab,
    /// The address of one of its pages as it is written; none for an address that is none of them.
    pub(crate) page: fn(path: &str) -> Option<String>,
    /// The address as which a page is drawn. Pages that share it share their elements.
    pub(crate) drawn_as: fn(path: &str) -> String,
    pub(crate) view: fn(path: &str) -> AnyView,
    /// Loads the code of a page. False if it cannot be loaded.
    #[cfg(feature = "hydrate")]
    pub(crate) load: fn(path: &str) -> Pin<Box<dyn Future<Output = bool>>>,
    /// The kinds of its things.
    pub(crate) kinds: &'static [Kind],
    /// Recognises an identifier in text by its form, such as a task's.
    pub(crate) word: fn(word: &str) -> Option<Reference>,
    /// Names of its tools for people, where the words of the identifier are not enough.
    pub(crate) tools: &'static [(&'static str, &'static str)],
    /// The page of what a call has made, from its result and the page that is shown, and the words
    /// of the link there.
    pub(crate) made: fn(result: &Value, here: &str) -> Option<(String, &'static str)>,
    /// The mark while its system is a simulation, and what that means.
    pub(crate) simulated: Option<(&'static str, &'static str)>,
    /// Questions that the page of a new conversation offers.
    pub(crate) questions: &'static [&'static str],
    /// Questions that the chat beside its pages offers.
    pub(crate) beside: &'static [&'static str],
}

/// The panel's tab in the header, and its shortcut.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tab {
    pub(crate) path: &'static str,
    pub(crate) name: &'static str,
    /// The word under which a person's own keys for it are kept, and its keys as they come.
    pub(crate) keys: Option<(&'static str, &'static str)>,
    /// The shortcut's description in the list of shortcuts.
    pub(crate) goes: &'static str,
}

/// A kind of thing that calls, events and texts are about.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// The address of its page; none without one, and for what cannot be an identifier.
    pub(crate) path: fn(id: &str) -> Option<String>,
    pub(crate) label: fn(id: &str) -> String,
}

static TABLE: OnceLock<&'static [Panel]> = OnceLock::new();

/// Hands the table in. Later tables are ignored.
pub(crate) fn install(panels: &'static [Panel]) {
    TABLE.get_or_init(|| panels);
}

/// The toolsets that the server has.
#[derive(Clone)]
struct Present(Vec<String>);

/// In the browser, where shortcuts have no page's context: one tab has one server.
#[cfg(not(feature = "ssr"))]
static PRESENT: OnceLock<Present> = OnceLock::new();

/// Tells which toolsets the server has, for this page.
pub(crate) fn tell_present(toolsets: Vec<String>) {
    let present = Present(toolsets);
    #[cfg(not(feature = "ssr"))]
    PRESENT.get_or_init(|| present);
    #[cfg(feature = "ssr")]
    provide_context(present);
}

/// The panels that the server has something for.
pub(crate) fn present() -> impl Iterator<Item = &'static Panel> {
    #[cfg(not(feature = "ssr"))]
    let present = PRESENT.get().cloned();
    #[cfg(feature = "ssr")]
    let present = use_context::<Present>();
    all().iter().filter(move |panel| {
        let mut toolsets = present.iter().flat_map(|it| &it.0);
        toolsets.any(|name| name == panel.toolset)
    })
}

/// All panels, in the order of their tabs.
pub(crate) fn all() -> &'static [Panel] {
    TABLE.get().copied().unwrap_or_default()
}

/// The panel of a page that the server has something for, and the page's address as it is written.
pub(crate) fn shown(path: &str) -> Option<(&'static Panel, String)> {
    let (panel, path) = at(path)?;
    let is_there = present().any(|it| it.toolset == panel.toolset);
    is_there.then_some((panel, path))
}

/// The panel of a page, and the page's address as it is written.
pub(crate) fn at(path: &str) -> Option<(&'static Panel, String)> {
    all()
        .iter()
        .find_map(|panel| Some((panel, (panel.page)(path)?)))
}

/// The thing whose identifier a word is, recognised by its form.
pub(crate) fn named(word: &str) -> Option<Reference> {
    all().iter().find_map(|panel| (panel.word)(word))
}

/// A kind of thing by its name.
pub(crate) fn kind(name: &str) -> Option<&'static Kind> {
    let mut kinds = all().iter().flat_map(|panel| panel.kinds);
    kinds.find(|kind| kind.name == name)
}
