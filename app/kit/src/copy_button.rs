//! A button that copies a text to the clipboard and confirms it.

use std::time::Duration;

use leptos::prelude::*;

use crate::{
    browser,
    icon::{Icon, icon},
    live::{live_text, live_view, press},
    texts,
    toast::Toasts,
};

/// Copies the result of `text` when pressed. `label` names it.
#[component]
pub fn CopyButton(
    label: &'static str,
    text: impl Fn() -> Option<String> + 'static,
) -> impl IntoView {
    copy_button(label, Box::new(text))
}

/// Draws the button, in code that all buttons share.
fn copy_button(label: &'static str, text: Box<dyn Fn() -> Option<String>>) -> AnyView {
    let toasts = expect_context::<Toasts>();
    let copied = RwSignal::new(false);
    let copy = move || {
        let Some(text) = text() else {
            return;
        };
        leptos::task::spawn_local(async move {
            if browser::copy(text).await {
                copied.try_set(true);
                set_timeout(
                    move || {
                        copied.try_set(false);
                    },
                    Duration::from_secs(2),
                );
            } else {
                toasts.error(protocol::ErrorBody::new(
                    protocol::ErrorCode::Internal,
                    texts::THE_BROWSER_BLOCKED_COPYING,
                ));
            }
        });
    };
    view! {
        <button type="button" class="icon-button copy-button" title=label on:click=press(copy)>
            {live_view(move || icon(if copied.get() { Icon::CHECK } else { Icon::COPY }))}
            <span class="visually-hidden" aria-live="polite">
                {live_text(move || if copied.get() { texts::COPIED } else { label }.to_owned())}
            </span>
        </button>
    }
    .into_any()
}
