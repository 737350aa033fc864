//! The frame around every page: header, list of conversations, toasts.

mod banner;
mod connection_mark;
mod data;
mod days;
mod header;
mod kill_switch;
mod notice_mark;
mod scroll_keys;
mod sidebar;
mod sidebar_item;
mod sidebar_search;
mod status_marks;
mod theme_switch;
mod toasts;
mod user_menu;
mod waiting;

use kit::{browser, effect, live, press};
use leptos::{ev, prelude::*};

use banner::{Banner, StorageBanner};
pub use data::Arrived;
use header::Header;
use kill_switch::KillSwitchBanner;
pub(crate) use notice_mark::{NOTICES, notices_elsewhere};
use scroll_keys::scroll;
use sidebar::Sidebar;
pub(crate) use sidebar::load_older;
pub(crate) use sidebar_item::{SidebarItem, line_marks};
use toasts::ToastStack;
pub(crate) use waiting::{TRAY, TimeLeft, waiting_entries};

use crate::{
    dock::{Dock, DockPanel, DockSide, NARROW},
    route::{Page, Route},
    texts::frame as texts,
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
    fn hidden(self) -> RwSignal<bool> {
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

#[component]
pub(crate) fn Frame(children: Children) -> impl IntoView {
    let layout = expect_context::<Layout>();
    let dock = expect_context::<Dock>();
    effect(move || {
        let keys = window_event_listener(ev::keydown, move |event| {
            if event.key() == "Escape" && layout.drawer.get_untracked() {
                event.prevent_default();
                layout.drawer.set(false);
            }
            scroll(&event);
        });
        on_cleanup(move || keys.remove());
    });
    view! {
        <div
            class="frame"
            class:frame--drawer=live(move || layout.drawer.get())
            class:frame--wide=live(move || layout.hidden().get())
            class:frame--docked=live(move || dock.is_shown())
            class:frame--dock-left=live(move || dock.is_shown() && dock.side() == DockSide::Left)
        >
            <a class="skip-link" href="#main">
                {texts::SKIP_TO_THE_PAGE}
            </a>
            <Header />
            <Sidebar />
            <button
                type="button"
                class="frame__scrim"
                tabindex="-1"
                aria-hidden="true"
                on:click=press(move || layout.drawer.set(false))
            ></button>
            <main class="frame__main" id="main" tabindex="-1">
                <KillSwitchBanner />
                <StorageBanner />
                <Banner />
                {children()}
            </main>
            <DockPanel />
            <ToastStack />
        </div>
    }
    .into_any()
}
