//! The bar at the top: name, pages, status of the server, connection, person.

use kit::{Icon, icon, live, live_text, press};
use leptos::prelude::*;

use super::{
    connection_mark::ConnectionMark, dock_button::DockButton, kill_switch::KillSwitch,
    notice_mark::NoticeMark, status_marks::StatusMarks, user_menu::UserMenu, waiting::Waiting,
};
use crate::{
    dock::Dock,
    keys::{KeyAct, Keys},
    layout::Layout,
    palette::Palette,
    panel,
    route::{Page, Route},
    texts::frame as texts,
};

#[component]
pub(super) fn Header() -> impl IntoView {
    let layout = expect_context::<Layout>();
    let dock = expect_context::<Dock>();
    let keys = expect_context::<Keys>();
    let palette = expect_context::<Palette>();
    view! {
        <header class="header">
            <button
                type="button"
                class="icon-button header__menu"
                aria-controls="conversations"
                title=texts::CONVERSATIONS
                on:click=press(move || layout.toggle(dock))
            >
                {icon(Icon::SIDEBAR)}
                <span class="visually-hidden">{texts::SHOW_OR_HIDE_THE_CONVERSATIONS}</span>
            </button>
            <a href="/" class="header__name">
                <span class="reactor" aria-hidden="true"></span>
                <span class="header__title">"Jarvis"</span>
            </a>
            <Tabs />
            <button
                type="button"
                class="header__search"
                aria-label=texts::SEARCH_OR_RUN_A_COMMAND
                on:click=press(move || palette.show())
            >
                {icon(Icon::SEARCH)}
                <span class="header__search-text">{texts::SEARCH_OR_RUN_A_COMMAND}</span>
                <kbd>{live_text(move || keys.shown(KeyAct::Palette))}</kbd>
            </button>
            <StatusMarks />
            <div class="header__end">
                <DockButton />
                <NoticeMark />
                <Waiting />
                <ConnectionMark />
                <KillSwitch />
                <UserMenu />
            </div>
        </header>
    }
    .into_any()
}

#[component]
fn Tabs() -> impl IntoView {
    let route = expect_context::<Route>();
    let dock = expect_context::<Dock>();
    // The chat is where one left it; from the chat itself, the tab starts anew.
    let chat = move || match route.page() {
        Page::Home | Page::Chat(_) => "/".to_owned(),
        _ => dock.page().path(),
    };
    let tab = move |href: &'static str, name: &'static str| {
        let leads = move || if href == "/" { chat() } else { href.to_owned() };
        let is_here = move || {
            let here = match route.page() {
                Page::Feed(_) => "/feed",
                Page::Panel(path) => panel::at(&path).map_or("", |(panel, _)| panel.tab.path),
                Page::Home | Page::Chat(_) | Page::Shared(_) | Page::NoChat | Page::Nowhere => "/",
            };
            here == href
        };
        let class = live(move || {
            if is_here() {
                "tabs__tab tabs__tab--here"
            } else {
                "tabs__tab"
            }
        });
        let current = live(move || is_here().then_some("true"));
        view! {
            // Also for the page on view: a chat may lie over it.
            <a href=live(leads) class=class aria-current=current on:click=press(move || dock.uncover())>
                {name}
            </a>
        }
        .into_any()
    };
    let panels: Vec<_> = panel::present()
        .map(|panel| tab(panel.tab.path, panel.tab.name))
        .collect();
    view! {
        <nav class="tabs" aria-label=texts::DASHBOARD>
            {tab("/", texts::CHAT)}
            {panels}
            {tab("/feed", texts::FEED)}
        </nav>
    }
    .into_any()
}
