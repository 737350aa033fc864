//! The frame around every page: header, list of conversations, toasts.

mod banner;
mod connection_mark;
mod data;
mod days;
mod dock_button;
mod header;
mod kill_switch;
mod notice_mark;
mod scroll_keys;
mod sidebar;
mod sidebar_search;
mod status_marks;
mod theme_switch;
mod toasts;
mod user_menu;
mod waiting;

use kit::{effect, live, press};
use leptos::{ev, prelude::*};

use banner::{Banner, StorageBanner};
pub use data::Arrived;
use header::Header;
use kill_switch::KillSwitchBanner;
pub(crate) use notice_mark::{NOTICES, notices_elsewhere};
use scroll_keys::scroll;
use sidebar::Sidebar;
use toasts::ToastStack;
#[cfg(feature = "ssr")]
pub(crate) use waiting::card_page;
pub(crate) use waiting::{TRAY, TimeLeft, waiting_entries};

use crate::{
    chat::NewConversation,
    dock::{Dock, DockPanel, DockSide},
    layout::Layout,
    page::ChatPage,
    route::Page,
    texts::frame as texts,
};

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
            <DockPanel content=docked />
            <ToastStack />
        </div>
    }
    .into_any()
}

/// Draws the chat in the dock.
fn docked(page: Page) -> AnyView {
    match page {
        Page::Chat(id) => view! { <ChatPage id /> }.into_any(),
        _ => view! { <NewConversation /> }.into_any(),
    }
}
