//! From something on the board to a question about it: the composer is filled with what it is about.

use leptos::prelude::*;

use crate::{chat::draft, ui::press};

/// A link to the chat, with `about` in the composer.
///
/// `about` becomes the person's own words. So it holds identifiers alone: a name that somebody gave to
/// a guest must not become something that the person said.
pub(super) fn ask(about: String) -> AnyView {
    let label = format!("Ask Jarvis about {about}");
    let fill = press(move || {
        let before = draft::recall(draft::NEXT).unwrap_or_default();
        if !before.contains(&about) {
            let gap = if before.is_empty() { "" } else { "\n" };
            draft::keep(draft::NEXT, &format!("{before}{gap}About {about}: "));
        }
    });
    view! {
        <a href="/" class="ask" aria-label=label on:click=fill>
            "Ask"
        </a>
    }
    .into_any()
}
