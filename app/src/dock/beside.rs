//! The subject of the page beside the dock, if it has one: it goes with every message.

use kit::{browser, live_view, press};
use leptos::prelude::*;
use protocol::{ConversationId, MAX_REFERENCES, Reference};

use super::{Dock, DockContent, Place, is_sheet, settings::window_width};
use crate::{
    channel::Channel,
    conversation::{Conversation, RowViewContent},
    reference::label,
    texts::dock as texts,
};

/// The subject of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Beside {
    pub(crate) about: Reference,
    /// Suggested questions about it.
    pub(crate) ask: &'static [&'static str],
}

impl Dock {
    /// Sets the subject of the page, or that it has none.
    pub(crate) fn stand_beside(self, beside: Option<Beside>) {
        if self.beside.try_with_untracked(|known| *known != beside) == Some(true) {
            self.beside.set(beside);
        }
    }

    /// Opens the dock, once per device, beside a page that is made for it, a quarter of the window
    /// wide. `key` is the storage key that records this. Returns whether it has a new conversation now that nobody
    /// asked for.
    pub(crate) fn welcome(self, key: &str) -> bool {
        if is_sheet() || browser::recall_here(key).is_some() {
            return false;
        }
        browser::remember_here(key, "seen");
        // Nobody asked for the conversation that was read last either, which is about something else.
        let is_closed = !self.settings.read_untracked().open;
        if is_closed {
            self.show(DockContent::New);
        }
        self.settings.update(|settings| {
            settings.open = true;
            if settings.is_usual_width() {
                settings.width = window_width() / 4;
            }
        });
        // The effect that stores the settings may not have run yet.
        self.settings.get_untracked().keep();
        is_closed
    }

    /// Returns the conversation visible in it.
    pub(crate) fn conversation(self) -> Option<ConversationId> {
        match (self.is_shown(), self.shown.get()) {
            (true, Some(DockContent::Chat(id))) => Some(id),
            _ => None,
        }
    }

    /// Shows a conversation beside the page once it is open; a new one if none is given.
    pub(crate) fn turn_to(self, id: Option<ConversationId>) {
        self.show(id.map_or(DockContent::New, DockContent::Chat));
    }

    /// Opens it with a conversation.
    pub(crate) fn take_up(self, id: ConversationId) {
        self.turn_to(Some(id));
        self.open();
    }

    /// Returns whether it has a new conversation, open or not.
    pub(crate) fn is_new(self) -> bool {
        self.shown.get_untracked() == Some(DockContent::New)
    }

    /// Shows a row of a conversation beside the page.
    pub(crate) fn lead(self, channel: Channel, id: ConversationId, row: String) {
        self.show(DockContent::Chat(id));
        self.settings.update(|settings| settings.open = true);
        channel.opened.wanted.set(Some((id, row)));
    }
}

impl Place {
    /// Returns the subject of the page beside. None where the chat is the page.
    pub(crate) fn beside(self) -> Option<Beside> {
        self.dock?.beside.get()
    }

    /// Adds the subject of the page beside to the references of a message.
    pub(crate) fn with_page(self, mut about: Vec<Reference>) -> Vec<Reference> {
        if let Some(Beside { about: page, .. }) = untrack(|| self.beside())
            && !about.contains(&page)
        {
            about.insert(0, page);
            about.truncate(MAX_REFERENCES);
        }
        about
    }
}

/// Offers a new conversation if this one is not about the page beside it.
pub(crate) fn offer(conversation: &Conversation) -> AnyView {
    let place = Place::here();
    let Some(dock) = place.dock else {
        return ().into_any();
    };
    let rows = conversation.rows();
    let other = Memo::new(move |_| {
        let page = place.beside()?.about;
        let rows = rows.read();
        let mut said = rows.iter().filter_map(|row| match &row.content {
            RowViewContent::User(said) => Some(said),
            _ => None,
        });
        let mut any = false;
        let about = said.any(|said| {
            any = true;
            said.references.iter().any(|it| it.kind == page.kind)
        });
        (any && !about).then_some(page)
    });
    live_view(move || match other.get() {
        None => ().into_any(),
        Some(page) => {
            let begin = move || {
                dock.show(DockContent::New);
                dock.wish.set(true);
            };
            let name = label(&page);
            let not_about = texts::this_chat_is_not_about(&name);
            let text = texts::new_conversation_about(&name);
            view! {
                <div class="dock__offer">
                    <p>{not_about}</p>
                    <button type="button" class="button button--small" on:click=press(begin)>
                        {text}
                    </button>
                </div>
            }
            .into_any()
        }
    })
}
