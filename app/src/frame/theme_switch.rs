//! A button that cycles through dark, light and the system's choice.

use kit::{Icon, effect, icon, live_text, live_view, press, theme::Theme};
use leptos::prelude::*;

use crate::texts::frame as texts;

#[component]
pub(super) fn ThemeSwitch() -> impl IntoView {
    // Only the document knows the page's theme; the first tree does not depend on it.
    let theme = RwSignal::new(None::<Theme>);
    effect(move || theme.set(Some(Theme::of_page())));
    let next = move || {
        let next = match theme.get_untracked().unwrap_or_default() {
            Theme::Dark => Theme::Light,
            Theme::Light => Theme::System,
            Theme::System => Theme::Dark,
        };
        next.choose();
        theme.set(Some(next));
    };
    let picture = live_view(move || {
        icon(match theme.get().unwrap_or_default() {
            Theme::Dark => Icon::MOON,
            Theme::Light => Icon::SUN,
            Theme::System => Icon::SCREEN,
        })
    });
    let name = move || match theme.get() {
        Some(theme) => texts::theme(theme.label()),
        None => texts::THEME.to_owned(),
    };
    view! {
        <button type="button" class="button button--small" on:click=press(next)>
            {picture}
            <span>{live_text(name)}</span>
        </button>
    }
    .into_any()
}
