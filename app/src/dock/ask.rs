//! The button that asks about a thing on a page.

use leptos::prelude::*;
use protocol::Reference;

use super::Dock;
use crate::{reference, ui::press};

/// Draws a button that opens the chat beside the page, with `about` attached to the next message.
///
/// Only the identifier goes with the message: a name that somebody gave to a guest must not become
/// the person's word.
pub(crate) fn ask(about: Reference) -> AnyView {
    let dock = expect_context::<Dock>();
    let label = format!("Ask Jarvis about {}", reference::label(&about));
    view! {
        <button
            type="button"
            class="ask"
            aria-label=label
            on:click=press(move || dock.ask(about.clone()))
        >
            "Ask"
        </button>
    }
    .into_any()
}
