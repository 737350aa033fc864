//! A message of the person, and the plate under which the answer to it stands.

use std::sync::Arc;

use leptos::prelude::*;
use protocol::Timestamp;
use transcript::RowKey;

use super::view::Open;
use crate::{
    format::upright,
    ui::{CopyButton, Moment},
};

#[component]
pub(super) fn UserRow(text: Arc<str>, key: RowKey, at: Signal<Option<Timestamp>>) -> impl IntoView {
    let open = expect_context::<Open>();
    view! {
        <div class="row row--user">
            <article class="user-message">
                <h2 class="plate plate--user">"You" <Moment at /></h2>
                <div class="user-message__text">{upright(text.to_string())}</div>
                <div class="user-message__actions">
                    <CopyButton label="Copy your message" text=move || open.conversation.text_of(key) />
                </div>
            </article>
            <h2 class="plate plate--jarvis">"Jarvis"</h2>
        </div>
    }
    .into_any()
}
