//! From something on a page to a question about it.

use leptos::prelude::*;
use protocol::Reference;

use super::Dock;
use crate::{reference, ui::press};

/// A button that opens the chat beside the page, with `about` attached to the next message.
///
/// Only the identifier goes with the message: a name that somebody gave to a guest must not become
/// something that the person said.
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
