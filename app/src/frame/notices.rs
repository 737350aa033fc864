//! Short messages at the edge of the page.

use leptos::prelude::*;

use crate::{
    channel::Channel,
    notice::NoticeContent,
    ui::{ErrorCard, Icon, icon},
};

#[component]
pub(super) fn NoticeStack() -> impl IntoView {
    let notices = expect_context::<Channel>().notices;
    view! {
        <div class="notices" role="status" aria-live="polite">
            <For each=move || notices.shown.get() key=|notice| notice.n let:notice>
                <div class="notice">
                    {match notice.content {
                        NoticeContent::Done(text) => view! { <p>{text}</p> }.into_any(),
                        NoticeContent::Error(error) => view! { <ErrorCard error /> }.into_any(),
                    }}
                    <button
                        type="button"
                        class="icon-button"
                        title="Dismiss"
                        on:click=move |_| notices.dismiss(notice.n)
                    >
                        {icon(Icon::CLOSE)}
                        <span class="visually-hidden">"Dismiss"</span>
                    </button>
                </div>
            </For>
        </div>
    }
    .into_any()
}
