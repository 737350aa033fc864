//! A message of the person, and the plate under which the answer to it stands.

use std::sync::Arc;

use leptos::prelude::*;
use protocol::Timestamp;
use transcript::RowKey;

use super::{row::anchor, view::Open};
use crate::{
    conversation::Said,
    format::upright,
    reference::reference_link,
    ui::{CopyButton, Moment},
};

#[component]
pub(super) fn UserRow(
    said: Arc<Said>,
    key: RowKey,
    at: Signal<Option<Timestamp>>,
) -> impl IntoView {
    let open = expect_context::<Open>();
    // Whose words a file holds, it does not say.
    let who = match open.conversation.is_closed() {
        true => "User",
        false => "You",
    };
    let references: Vec<_> = said.references.iter().map(reference_link).collect();
    let about = (!references.is_empty())
        .then(|| view! { <p class="user-message__about">"About " {references}</p> });
    view! {
        <div class="row row--user">
            <article class="user-message" id=anchor(key)>
                <h2 class="plate plate--user">{who} <Moment at /></h2>
                <div class="user-message__text">{upright(said.text.clone())}</div>
                {about}
                <div class="user-message__actions">
                    <CopyButton label="Copy your message" text=move || open.conversation.text_of(key) />
                </div>
            </article>
            <h2 class="plate plate--jarvis">"Jarvis"</h2>
        </div>
    }
    .into_any()
}
