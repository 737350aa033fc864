//! Short messages at the edge of the page.

use leptos::prelude::*;

use crate::{
    channel::Channel,
    toast::ToastContent,
    ui::{ErrorCard, Icon, Key, each, icon, press},
};

#[component]
pub(super) fn ToastStack() -> impl IntoView {
    let toasts = expect_context::<Channel>().toasts;
    view! {
        <div class="toasts" role="status" aria-live="polite">
            {each(move || toasts.shown.get(), |toast| Key::Number(toast.n), move |toast| {
                view! { <div class="toast">
                    {match toast.content {
                        ToastContent::Done(text) => view! { <p>{text}</p> }.into_any(),
                        ToastContent::Error(error) => view! { <ErrorCard error /> }.into_any(),
                    }}
                    <button
                        type="button"
                        class="icon-button"
                        title="Dismiss"
                        on:click=press(move || toasts.dismiss(toast.n))
                    >
                        {icon(Icon::CLOSE)}
                        <span class="visually-hidden">"Dismiss"</span>
                    </button>
                </div> }
                    .into_any()
            })}
        </div>
    }
    .into_any()
}
