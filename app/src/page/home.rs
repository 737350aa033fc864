//! `/`: a new conversation.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::chat::NewConversation;

#[component]
pub(crate) fn HomePage() -> impl IntoView {
    view! {
        <Title text="" />
        <NewConversation />
    }
    .into_any()
}
