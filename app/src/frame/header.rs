//! The bar at the top: name, pages, what the server runs on, connection, theme, person.

use leptos::prelude::*;

use super::{
    Layout, connection_mark::ConnectionMark, kill_switch::KillSwitch, status_marks::StatusMarks,
    theme_switch::ThemeSwitch, user_menu::UserMenu, waiting::Waiting,
};
use crate::{
    browser,
    ui::{Icon, icon, press},
};

#[component]
pub(super) fn Header() -> impl IntoView {
    let layout = expect_context::<Layout>();
    let toggle = move || {
        if browser::matches_media("(max-width: 56rem)") {
            layout.drawer.update(|open| *open = !*open);
        } else {
            layout.sidebar_hidden.update(|hidden| *hidden = !*hidden);
        }
    };
    view! {
        <header class="header">
            <button
                type="button"
                class="icon-button header__menu"
                aria-controls="conversations"
                title="Conversations"
                on:click=press(toggle)
            >
                {icon(Icon::SIDEBAR)}
                <span class="visually-hidden">"Show or hide the list of conversations"</span>
            </button>
            <a href="/" class="header__name">
                <span class="reactor" aria-hidden="true"></span>
                <span class="header__title">"Jarvis"</span>
            </a>
            <nav class="tabs" aria-label="Dashboard">
                <a href="/" class="tabs__tab tabs__tab--here" aria-current="true">
                    "Chat"
                </a>
            </nav>
            <StatusMarks />
            <div class="header__end">
                <Waiting />
                <ConnectionMark />
                <KillSwitch />
                <ThemeSwitch />
                <UserMenu />
            </div>
        </header>
    }
    .into_any()
}
