//! What takes the place of the list of conversations: what a search finds, or the archive. Its code is
//! loaded when it is first wanted.

mod archive;
mod found;
mod view;

use leptos::prelude::*;

pub(crate) use view::finder_view;
#[cfg(feature = "hydrate")]
pub(crate) use view::preload_finder;

/// What the sidebar shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Looking {
    /// The list.
    List,
    /// Where these words stand.
    For(String),
    Archive,
}

/// What the sidebar shows, and whether somebody is typing what it will show.
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

    /// Back to the list.
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
