//! Small elements that several parts of the panel have.

use kit::press;
use leptos::prelude::*;

use super::texts;

/// Draws a heading, to which `aria-labelledby` refers.
pub(super) fn heading(id: &'static str, text: &'static str) -> AnyView {
    view! { <h2 id=id>{text}</h2> }.into_any()
}

/// Draws the heading of a section that is a heading for screen readers only.
pub(super) fn hidden_heading(id: &'static str, text: &'static str) -> AnyView {
    view! {
        <h2 id=id class="visually-hidden">
            {text}
        </h2>
    }
    .into_any()
}

/// Draws words for screen readers only.
pub(super) fn hidden(text: &'static str) -> AnyView {
    view! { <span class="visually-hidden">{text}</span> }.into_any()
}

/// Says why a list or a page is empty.
pub(super) fn nothing(text: &'static str) -> AnyView {
    view! { <p class="hud__none">{text}</p> }.into_any()
}

/// Draws the button that shows all rows of a list or only the first ones; nothing if none is hidden.
pub(super) fn more(hidden: usize, expanded: RwSignal<bool>, class: &'static str) -> AnyView {
    if hidden == 0 {
        return ().into_any();
    }
    let text = if expanded.get() {
        texts::SHOW_FEWER.to_owned()
    } else {
        texts::show_more(hidden)
    };
    let turn = press(move || expanded.update(|it| *it = !*it));
    view! { <button type="button" class=class on:click=turn>{text}</button> }.into_any()
}

/// Draws a word in a box.
pub(super) fn chip(text: &'static str) -> AnyView {
    view! { <span class="chip">{text}</span> }.into_any()
}

/// Draws the mark of a simulated system.
pub(super) fn simulated(text: &'static str) -> AnyView {
    view! { <span class="mark">{text}</span> }.into_any()
}

/// Draws reasons why something is unknown or incomplete; nothing without any.
pub(super) fn reasons(reasons: Vec<String>) -> AnyView {
    if reasons.is_empty() {
        return ().into_any();
    }
    let lines = reasons.into_iter().map(|text| view! { <li>{text}</li> });
    view! { <ul class="reasons">{lines.collect::<Vec<_>>()}</ul> }.into_any()
}
