//! The button that denies a call, with a comment.

use kit::{live, on, press};
use leptos::{ev, html, prelude::*};
use protocol::{Decision, MAX_COMMENT_BYTES};

use super::ConfirmCard;

use crate::texts::confirm as texts;

#[component]
pub(super) fn Deny(card: ConfirmCard, comment: NodeRef<html::Textarea>) -> impl IntoView {
    let name = card
        .asked
        .with_value(|asked| kit::format::exposed(&asked.sentence));
    let deny = move || {
        if untrack(|| card.is_idle()) {
            return;
        }
        let comment = comment
            .get_untracked()
            .map(|field| field.value().trim().to_owned())
            .filter(|comment| !comment.is_empty());
        card.decide(Decision::Deny { comment });
    };
    let label = if card.own {
        texts::DONT_RUN
    } else {
        texts::DENY
    };
    view! {
        <button
            type="button"
            class="button confirm__deny"
            aria-label=format!("{label}: {name}")
            // Not disabled: it would lose the focus before the answer arrives.
            aria-disabled=live(move || card.is_idle().then_some("true"))
            on:click=press(deny)
        >
            {label}
        </button>
    }
    .into_any()
}

/// Draws the field for the reason of a denial.
pub(super) fn comment(field: NodeRef<html::Textarea>) -> AnyView {
    view! {
        <label class="confirm__comment">
            <span class="visually-hidden">{texts::COMMENT_FOR_JARVIS_IF_YOU_DENY}</span>
            <textarea
                class="field"
                rows="1"
                maxlength=MAX_COMMENT_BYTES / 4
                placeholder=texts::TELL_JARVIS_WHY_OPTIONAL
                node_ref=field
                on:keydown=on(move |event: ev::KeyboardEvent| {
                    // Escape would stop the turn.
                    if event.key() == "Escape" {
                        event.prevent_default();
                    }
                })
            ></textarea>
        </label>
    }
    .into_any()
}
