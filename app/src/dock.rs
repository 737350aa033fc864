//! The dock: the chat beside any other page, on the left or the right, as wide as the person wants
//! it; over the page where there is no room for both.
//!
//! It shows the conversation like the chat's own page, with the same parts, and only where that
//! page is not on view: there is one view of a conversation at a time.

mod ask;
mod beside;
mod panel;
mod place;
mod separator;
mod settings;

use std::time::Duration;

use kit::{browser, effect};
use leptos::prelude::*;
use protocol::{Command, ConversationId, Reference};

pub(crate) use ask::{ask, ask_why, question};
pub(crate) use beside::{Beside, offer};
pub(crate) use panel::DockPanel;
pub(crate) use place::Place;
use settings::DockSettings;
pub(crate) use settings::DockSide;

use crate::{
    channel::Channel,
    conversation::Conversation,
    conversations::ConversationList,
    route::{Page, Route},
};

/// Below this width the page and the list of conversations have no room beside the dock.
pub(crate) const NARROW: &str = "(max-width: 75rem)";

/// Below this width it is a sheet over the page: it opens only on request, and does not stay open.
const SHEET: &str = "(max-width: 56rem)";

fn is_sheet() -> bool {
    browser::matches_media(SHEET)
}

/// A handle on the dock.
#[derive(Clone, Copy)]
pub(crate) struct Dock {
    settings: RwSignal<DockSettings>,
    /// Its content; none until a conversation was chosen.
    shown: RwSignal<Option<DockContent>>,
    /// Things that the next new conversation refers to.
    pub(crate) about: RwSignal<Vec<Reference>>,
    /// True if the next new conversation only plans.
    pub(crate) plan: RwSignal<bool>,
    /// The subject of the page beside it.
    beside: RwSignal<Option<Beside>>,
    /// True if the composer should take the focus.
    wish: RwSignal<bool>,
    route: Route,
    list: ConversationList,
}

/// The key under which a tab keeps the conversation that it read last, and the mark behind the
/// address of the chat that leads there.
pub(crate) const LAST: &str = "last";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DockContent {
    New,
    Chat(ConversationId),
}

impl Dock {
    pub(crate) fn new(route: Route, list: ConversationList) -> Self {
        Self {
            settings: RwSignal::new(DockSettings::default()),
            shown: RwSignal::new(None),
            about: RwSignal::new(Vec::new()),
            plan: RwSignal::new(false),
            beside: RwSignal::new(None),
            wish: RwSignal::new(false),
            route,
            list,
        }
    }

    /// Opens it in the state that this device stored. Call it once, in the browser.
    pub(crate) fn start(self) {
        let mut settings = DockSettings::recall();
        // A dock that would cover the page opens only on request.
        settings.open &= !is_sheet();
        self.settings.set(settings);
        self.recall();
        let mut first = true;
        effect(move || {
            let settings = self.settings.get();
            settings.apply();
            if !std::mem::take(&mut first) {
                settings.keep();
            }
        });
        // A conversation read on its own page continues beside the next one.
        effect(move || {
            if let Page::Chat(id) = self.route.page() {
                self.shown.set(Some(DockContent::Chat(id)));
                browser::remember(LAST, &id.to_string());
            }
        });
        effect(move || {
            if self.is_shown() && self.shown.get().is_none() {
                self.choose();
            }
        });
        let mut first = true;
        effect(move || {
            self.route.page();
            if !std::mem::take(&mut first) {
                self.uncover();
            }
        });
    }

    /// Takes up the conversation that this tab read last, if it still exists: also after pages without
    /// the module, which lead back to it with [`LAST`] behind the address of the chat.
    fn recall(self) {
        let last: Option<ConversationId> = browser::recall(LAST).and_then(|id| id.parse().ok());
        let known = |id: &ConversationId| {
            let lines = self.list.lines.read_untracked();
            lines.iter().any(|line| line.id == *id)
        };
        if let Some(id) = last.filter(known) {
            self.shown.set(Some(DockContent::Chat(id)));
            let page = untrack(|| self.route.page());
            if page == Page::Home && browser::hash().as_deref() == Some(LAST) {
                self.route.go(Page::Chat(id));
            }
        }
    }

    /// Closes the sheet that covers the page, when a person goes to a page.
    pub(crate) fn uncover(self) {
        if is_sheet() && self.settings.read_untracked().open {
            self.settings.update(|settings| settings.open = false);
        }
    }

    /// Opens or closes it, if the page has room for it. Returns whether it has.
    pub(crate) fn toggle_here(self) -> bool {
        let has_place = untrack(|| self.has_place());
        if has_place {
            self.toggle();
        }
        has_place
    }

    /// Returns the last conversation that was read, on its own page or here, as a page.
    pub(crate) fn page(self) -> Page {
        match self.shown.get() {
            Some(DockContent::Chat(id)) => Page::Chat(id),
            Some(DockContent::New) | None => Page::Home,
        }
    }

    /// Returns whether it is open beside the page on view.
    pub(crate) fn is_shown(self) -> bool {
        self.settings.read().open && self.has_place()
    }

    pub(crate) fn side(self) -> DockSide {
        self.settings.read().side
    }

    /// Returns whether it shows this conversation now.
    pub(crate) fn shows(self, id: ConversationId) -> bool {
        untrack(|| self.is_shown() && self.shown.get() == Some(DockContent::Chat(id)))
    }

    /// Returns whether the page may have a dock: the pages of the chat do not.
    pub(crate) fn has_place(self) -> bool {
        !matches!(
            self.route.page(),
            Page::Home | Page::Chat(_) | Page::Shared(_) | Page::NoChat
        )
    }

    pub(crate) fn toggle(self) {
        // Not as the scrutinee of the `match`: that would keep the signal borrowed while it is
        // written.
        let open = self.settings.read_untracked().open;
        if open { self.close() } else { self.open() }
    }

    fn open(self) {
        if !self.settings.read_untracked().open {
            browser::leave_focus();
            self.settings.update(|settings| settings.open = true);
        }
        self.wish.set(true);
    }

    fn close(self) {
        self.settings.update(|settings| settings.open = false);
        browser::return_focus("dock-button");
    }

    /// Opens it with a new conversation beside the page on view, or one that was just gone to.
    pub(crate) fn begin(self) {
        // Going to a page closes a sheet that covers it, once the effects have run.
        set_timeout(
            move || {
                self.show(DockContent::New);
                self.open();
            },
            Duration::ZERO,
        );
    }

    /// Opens it with a new conversation about a thing.
    pub(crate) fn ask(self, about: Reference) {
        self.about.update(|list| {
            // A draft about something else gets both references.
            list.retain(|known| *known != about);
            let over = (list.len() + 1).saturating_sub(protocol::MAX_REFERENCES);
            list.drain(..over);
            list.push(about);
        });
        self.show(DockContent::New);
        self.open();
    }

    /// Begins a conversation about a thing with a question, and opens it.
    fn put(self, channel: Channel, about: Reference, question: &str) {
        let id = browser::new_conversation_id();
        channel
            .opened
            .insert(Conversation::new(id, channel.names()));
        let mut start = Command::start(id, question);
        if let Command::Start {
            references, packs, ..
        } = &mut start
        {
            references.push(about);
            // As under the composer, which may never have been open.
            *packs = channel.chosen_packs();
        }
        channel.command(start);
        self.show(DockContent::Chat(id));
        self.open();
    }

    fn show(self, content: DockContent) {
        if self.shown.get_untracked() != Some(content) {
            self.shown.set(Some(content));
        }
    }

    /// Returns the newest conversation, if there is one.
    fn choose(self) {
        let newest = self.list.lines.read_untracked().first().map(|line| line.id);
        self.show(newest.map_or(DockContent::New, DockContent::Chat));
    }
}
