//! The button in the header that opens and closes the dock.

use kit::{Icon, icon, live, press};
use leptos::prelude::*;

use crate::{
    dock::Dock,
    keys::{KeyAct, Keys},
    texts::dock as texts,
};

#[component]
pub(super) fn DockButton() -> impl IntoView {
    let dock = expect_context::<Dock>();
    let keys = expect_context::<Keys>();
    let open = Memo::new(move |_| dock.is_shown());
    let name = texts::CHAT_BESIDE_THIS_PAGE;
    view! {
        <button
            type="button"
            id="dock-button"
            class="icon-button dock-button"
            class:dock-button--open=live(move || open.get())
            hidden=live(move || !dock.has_place())
            aria-expanded=live(move || open.get().to_string())
            aria-controls="dock"
            title=live(move || keys.title(name, KeyAct::Dock))
            on:click=press(move || dock.toggle())
        >
            {icon(Icon::DOCK)}
            <span class="visually-hidden">{name}</span>
        </button>
    }
    .into_any()
}
