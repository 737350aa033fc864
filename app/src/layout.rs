//! The parts of the frame that are open: everything that opens one of them knows this, and not the frame.

use kit::browser;
use leptos::prelude::*;

use crate::{
    dock::{Dock, NARROW},
    route::{Page, Route},
};

/// The open parts of the frame.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// True while the list of conversations lies over the page, on narrow screens.
    pub(crate) drawer: RwSignal<bool>,
    route: Route,
    /// True while it is hidden beside conversations, on wide screens.
    beside_chat: RwSignal<bool>,
    /// The same beside the panel of a domain, which needs the room: at first it is.
    beside_panel: RwSignal<bool>,
}

impl Layout {
    pub(crate) fn new(route: Route) -> Self {
        Self {
            drawer: RwSignal::new(false),
            route,
            beside_chat: RwSignal::new(false),
            beside_panel: RwSignal::new(true),
        }
    }

    /// Returns whether the list is hidden beside the page on view.
    pub(crate) fn hidden(self) -> RwSignal<bool> {
        match self.route.page() {
            Page::Panel(_) => self.beside_panel,
            _ => self.beside_chat,
        }
    }

    /// Shows or hides the list of conversations.
    pub(crate) fn toggle(self, dock: Dock) {
        if list_lies_over(dock) {
            self.drawer.update(|open| *open = !*open)
        } else {
            untrack(|| self.hidden()).update(|hidden| *hidden = !*hidden)
        }
    }

    /// Shows the list of conversations, in either form.
    pub(crate) fn open(self, dock: Dock) {
        if list_lies_over(dock) {
            self.drawer.set(true)
        } else {
            untrack(|| self.hidden()).set(false)
        }
    }
}

/// Returns whether the list of conversations lies over the page, as it does where there is little
/// room.
fn list_lies_over(dock: Dock) -> bool {
    browser::matches_media(if untrack(|| dock.is_shown()) {
        NARROW
    } else {
        "(max-width: 56rem)"
    })
}
