//! The replacement of the list of conversations: search results, the archive, folders, or the list
//! to choose from. Its code is loaded on first use.

mod archive;
mod choose;
mod folders;
mod found;
mod pages;
mod view;

use kit::press;
use leptos::prelude::*;

use crate::texts::palette as texts;
pub(crate) use view::finder_view;
#[cfg(feature = "hydrate")]
pub(crate) use view::preload_finder;

/// The content of the sidebar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Looking {
    /// The list of conversations.
    List,
    /// The results of a search for these words.
    For(String),
    Archive,
    /// The names of the folders.
    Folders,
    /// The conversations of the folder of this name.
    Folder(String),
    /// The list with a mark at each, to archive or move several.
    Choose,
}

/// A handle on the content of the sidebar, and on whether somebody is typing a search.
#[derive(Clone, Copy)]
pub(crate) struct Finder {
    pub(crate) looking: RwSignal<Looking>,
    pub(crate) typing: RwSignal<bool>,
}

impl Finder {
    pub(crate) fn new() -> Self {
        Self {
            looking: RwSignal::new(Looking::List),
            typing: RwSignal::new(false),
        }
    }

    /// Goes back to the list.
    pub(crate) fn leave(self) {
        self.typing.set(false);
        self.look(Looking::List);
    }

    pub(crate) fn look(self, looking: Looking) {
        if *self.looking.read_untracked() != looking {
            self.looking.set(looking);
        }
    }
}

/// Draws the head of a view: its words, and the way back to the list.
fn head(finder: Finder, words: AnyView) -> AnyView {
    view! {
        <div class="finder__head">
            {words}
            <button
                type="button"
                class="button button--small"
                on:click=press(move || finder.leave())
            >
                {texts::BACK_TO_THE_LIST}
            </button>
        </div>
    }
    .into_any()
}
