//! Parts that the forms of these pages share: the field that is still empty, and the button below.

use kit::{live, press};
use leptos::prelude::*;

use crate::{panel_pieces::ActsBeside, texts::panel_pieces as texts};

/// The field that was empty at the last press. Copies are the same.
#[derive(Clone, Copy)]
pub(super) struct LackingField(RwSignal<Option<&'static str>>);

impl LackingField {
    pub(super) fn new() -> Self {
        Self(RwSignal::new(None))
    }

    pub(super) fn clear(self) {
        self.0.set(None);
    }

    /// Notes the first field without a text. Returns whether all of them have one.
    pub(super) fn are_filled(self, fields: [(&'static str, &str); 2]) -> bool {
        let mut fields = fields.into_iter();
        let empty = fields.find(|(_, text)| text.trim().is_empty());
        self.0.set(empty.map(|(name, _)| name));
        empty.is_none()
    }

    /// Asks for the field, if there is one.
    pub(super) fn sentence(self) -> Option<String> {
        self.0.get().map(texts::fill_in_first)
    }
}

/// Draws the button of a form; the line of the identifier `why` says why it cannot be pressed.
pub(super) fn form_button(
    acts: ActsBeside,
    why: &'static str,
    name: &'static str,
    go: impl FnMut() + 'static,
) -> AnyView {
    let bar = live(move || acts.why_not().map(|_| "true"));
    view! {
        <button
            type="button"
            class="button"
            aria-disabled=bar
            aria-describedby=why
            on:click=press(go)
        >
            {name}
        </button>
    }
    .into_any()
}
