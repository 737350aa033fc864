//! Short messages at the edge of the page.

use leptos::prelude::*;

use crate::{
    channel::Channel,
    notice::NoticeContent,
    ui::{ErrorCard, Icon, Key, each, icon, press},
};

#[component]
pub(super) fn NoticeStack() -> impl IntoView {
    let notices = expect_context::<Channel>().notices;
    view! {
        <div class="notices" role="status" aria-live="polite">
            {each(move || notices.shown.get(), |notice| Key::Number(notice.n), move |notice| {
                view! { <div class="notice">
                    {match notice.content {
                        NoticeContent::Done(text) => view! { <p>{text}</p> }.into_any(),
                        NoticeContent::Error(error) => view! { <ErrorCard error /> }.into_any(),
                    }}
                    <button
                        type="button"
                        class="icon-button"
                        title="Dismiss"
                        on:click=press(move || notices.dismiss(notice.n))
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
