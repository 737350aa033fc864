//! A button that copies a text to the clipboard and confirms it.

use std::time::Duration;

use leptos::prelude::*;

use super::{Icon, icon, live_text, live_view, press};
use crate::{browser, channel::Channel};

/// Copies the result of `text` when pressed. `label` names it.
#[component]
pub(crate) fn CopyButton(
    label: &'static str,
    text: impl Fn() -> Option<String> + 'static,
) -> impl IntoView {
    let channel = expect_context::<Channel>();
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
                channel.toasts.error(protocol::ErrorBody::new(
                    protocol::ErrorCode::Internal,
                    "The browser blocked copying.",
                ));
            }
        });
    };
    view! {
        <button type="button" class="icon-button copy-button" title=label on:click=press(copy)>
            {live_view(move || icon(if copied.get() { Icon::CHECK } else { Icon::COPY }))}
            <span class="visually-hidden" aria-live="polite">
                {live_text(move || if copied.get() { "Copied" } else { label }.to_owned())}
            </span>
        </button>
    }
    .into_any()
}
