//! The place of a part of the chat: on its own page, or beside another.

use kit::browser;
use leptos::prelude::*;
use protocol::ConversationId;

use super::{Dock, DockContent};
use crate::{
    channel::Channel,
    conversations::Opened,
    route::{Page, Route},
};

/// The place of a part of the chat.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    route: Route,
    pub(super) dock: Option<Dock>,
    opened: Opened,
}

/// Marks the context of everything in the dock.
#[derive(Clone, Copy)]
pub(super) struct Docked;

impl Place {
    /// Returns the place of the calling component.
    pub(crate) fn here() -> Self {
        let docked = use_context::<Docked>().is_some();
        Self {
            route: expect_context(),
            dock: docked.then(expect_context),
            opened: expect_context::<Channel>().opened,
        }
    }

    /// Returns whether it is beside another page, which has its own title and keys.
    pub(crate) fn is_docked(self) -> bool {
        self.dock.is_some()
    }

    /// Shows a conversation here.
    pub(crate) fn show(self, id: ConversationId) {
        match self.dock {
            Some(dock) => {
                dock.show(DockContent::Chat(id));
                dock.wish.set(true);
            }
            None => self.route.go(Page::Chat(id)),
        }
    }

    /// Shows a conversation here, at one of its rows.
    pub(crate) fn show_at(self, id: ConversationId, row: String) {
        self.show(id);
        if self.dock.is_none() {
            let address = format!("{}#{row}", Page::Chat(id).path());
            let history = window().history();
            browser::report(history.and_then(|history| {
                history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address))
            }));
        }
        self.opened.wanted.set(Some((id, row)));
    }

    /// Shows a new conversation here.
    pub(crate) fn begin(self) {
        match self.dock {
            Some(dock) => {
                dock.show(DockContent::New);
                dock.wish.set(true);
            }
            None => {
                self.route.go(Page::Home);
                browser::focus_on(".composer__field");
            }
        }
    }

    /// Returns whether the composer here should take the focus, once for each request.
    pub(crate) fn wants_focus(self) -> bool {
        let wish = self.dock.is_some_and(|dock| dock.wish.get());
        if let Some(dock) = self.dock.filter(|_| wish) {
            dock.wish.set(false);
        }
        wish
    }
}
