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
    button(about, "ask", texts::ASK, texts::ASK_JARVIS_ABOUT)
}

/// Draws an [`ask`] beside a notice.
pub(crate) fn ask_why(about: Reference) -> AnyView {
    button(
        about,
        "button button--small button--quiet",
        texts::ASK_WHY,
        texts::ASK_WHY_ABOUT,
    )
}

/// `label`: for readers who cannot see beside what it is; the name of the thing follows.
fn button(about: Reference, class: &'static str, text: &'static str, label: &str) -> AnyView {
    let dock = expect_context::<Dock>();
    let label = format!("{label} {}", reference::label(&about));
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
