//! Toasts: short messages at the edge of the page.

use kit::{ErrorCard, Icon, Key, ToastContent, each, icon, press};
use leptos::prelude::*;
use protocol::ConversationId;

use crate::{
    api,
    channel::Channel,
    route::{Page, Route},
    sidebar_item::undo_id,
    texts::frame as texts,
};

#[component]
pub(super) fn ToastStack() -> impl IntoView {
    let toasts = expect_context::<Channel>().toasts;
    view! {
        <div class="toasts" role="status" aria-live="polite">
            {each(move || toasts.shown.get(), |toast| Key::of(toast.n), move |toast| {
                view! { <div class="toast">
                    {match toast.content {
                        ToastContent::Error(error) => view! { <ErrorCard error /> }.into_any(),
                        ToastContent::Deleted { id, title, here } => deleted(toast.n, id, title, here),
                    }}
                    <button
                        type="button"
                        class="icon-button"
                        title=texts::DISMISS
                        on:click=press(move || toasts.dismiss(toast.n))
                    >
                        {icon(Icon::CLOSE)}
                        <span class="visually-hidden">{texts::DISMISS}</span>
                    </button>
                </div> }
                    .into_any()
            })}
        </div>
    }
    .into_any()
}

/// Draws the message of a deletion, which can be undone while it is shown.
fn deleted(n: u64, id: ConversationId, title: String, here: bool) -> AnyView {
    let channel = expect_context::<Channel>();
    let route = expect_context::<Route>();
    let undo = move || {
        channel.toasts.dismiss(n);
        leptos::task::spawn_local(async move {
            match api::restore(id).await {
                // Its entry arrives over the socket, in every tab.
                Ok(()) if here => route.go(Page::Chat(id)),
                Ok(()) => {}
                Err(error) => channel.toasts.error(error.0),
            }
        });
    };
    view! {
        <p>{texts::deleted(&title)}</p>
        <button
            type="button"
            class="button button--small toast__undo"
            id=undo_id(id)
            on:click=press(undo)
        >
            {texts::UNDO}
        </button>
    }
    .into_any()
}
