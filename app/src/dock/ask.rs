//! The button that asks about a thing on a page.

use kit::press;
use leptos::prelude::*;
use protocol::Reference;

use super::Dock;
use crate::{reference, texts::dock as texts};

/// Draws a button that opens the chat beside the page, with `about` attached to the next message.
///
/// Only the identifier goes with the message: a name that somebody gave to a guest must not become
/// the person's word.
pub(crate) fn ask(about: Reference) -> AnyView {
    let label = texts::ask_jarvis_about(&reference::label(&about));
    button(about, "ask", texts::ASK, label)
}

/// Draws an [`ask`] beside a notice.
pub(crate) fn ask_why(about: Reference) -> AnyView {
    let label = texts::ask_why_about(&reference::label(&about));
    button(
        about,
        "button button--small button--quiet",
        texts::ASK_WHY,
        label,
    )
}

/// `label`: for readers who cannot see beside what it is.
fn button(about: Reference, class: &'static str, text: &'static str, label: String) -> AnyView {
    let dock = expect_context::<Dock>();
    view! {
        <button
            type="button"
            class=class
            aria-label=label
            on:click=press(move || dock.ask(about.clone()))
        >
            {text}
        </button>
    }
    .into_any()
}
