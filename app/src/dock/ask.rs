//! The button that asks about a thing on a page.

use kit::{browser, press};
use leptos::prelude::*;
use protocol::Reference;

use super::Dock;
use crate::{channel::Channel, reference, texts::dock as texts};

/// Draws a button that opens the chat beside the page, with `about` attached to the next message.
///
/// Only the identifier goes with the message: a name that somebody gave to a guest must not become
/// the person's word.
pub(crate) fn ask(about: Reference) -> AnyView {
    // For readers who cannot see beside what it is.
    let label = texts::ask_jarvis_about(&reference::label(&about));
    let dock = expect_context::<Dock>();
    view! {
        <button
            type="button"
            class="ask"
            aria-label=label
            on:click=press(move || dock.ask(about.clone()))
        >
            {texts::ASK}
        </button>
    }
    .into_any()
}

/// The field of the chat, while nothing is in it.
const EMPTY_FIELD: &str = ".composer__field:placeholder-shown";

/// Draws an [`ask`] beside a notice, with the question.
pub(crate) fn ask_why(about: Reference) -> AnyView {
    let label = texts::ask_why_about(&reference::label(&about));
    let dock = expect_context::<Dock>();
    view! {
        <button
            type="button"
            class="button button--small button--quiet"
            aria-label=label
            on:click=press(move || {
                dock.ask(about.clone());
                // When the field is there. A draft stays as it is.
                request_animation_frame(|| request_animation_frame(|| {
                    browser::write_in(EMPTY_FIELD, texts::WHAT_WENT_WRONG);
                    browser::focus_on(".composer__field");
                }));
            })
        >
            {texts::ASK_WHY}
        </button>
    }
    .into_any()
}

/// Draws a question that begins a conversation about a thing as soon as it is pressed.
pub(crate) fn question(about: Reference, text: &'static str) -> AnyView {
    let title = texts::begins_a_conversation_about(&reference::label(&about));
    let dock = expect_context::<Dock>();
    let channel = expect_context::<Channel>();
    view! {
        <button
            type="button"
            class="suggestion"
            title=title
            on:click=press(move || dock.put(channel, about.clone(), text))
        >
            {text}
        </button>
    }
    .into_any()
}
