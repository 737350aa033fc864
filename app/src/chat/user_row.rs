//! A message of the person, and the header above its answer.

use std::sync::Arc;

use kit::{CopyButton, Icon, Moment, format::upright, icon, press};
use leptos::prelude::*;
use protocol::Timestamp;
use transcript::RowKey;

use super::{
    anchor::anchor,
    branching::{branching_at, button_id},
    fork::{fork_nav, standing},
    open_conversation::{BranchingState, OpenConversation},
};
use crate::{attachment::beside, conversation::SaidRow, texts::chat as texts};

#[component]
pub(super) fn UserRow(
    said: Arc<SaidRow>,
    key: RowKey,
    at: Signal<Option<Timestamp>>,
) -> impl IntoView {
    let open = expect_context::<OpenConversation>();
    // A file does not say whose words it contains.
    let who = if open.conversation.is_closed() {
        texts::USER
    } else {
        texts::YOU
    };
    // An imported conversation comes without its files.
    let about = beside(&said.references, !open.conversation.is_closed());
    // Only a message that began a turn can be changed.
    let own = match key {
        RowKey::User(message) if !said.read && !open.conversation.is_closed() => Some(message),
        _ => None,
    };
    let branching = open.branching;
    let edit = own.map(|message| {
        let edit = move || {
            branching.set(Some(BranchingState {
                at: key,
                message,
                edit: true,
            }));
        };
        view! {
            <button
                type="button"
                class="icon-button"
                id=button_id(key)
                title=texts::EDIT_AND_RUN_AGAIN
                on:click=press(edit)
            >
                {icon(Icon::EDIT)}
                <span class="visually-hidden">{texts::EDIT_THIS_MESSAGE_AND_RUN_IT_AGAIN}</span>
            </button>
        }
    });
    let nav = own.map(|message| fork_nav(&open, message));
    let form = own.map(|_| branching_at(&open, key));
    let standing = open
        .conversation
        .branch_at(key)
        .map(|branch| standing(&branch));
    let read = said
        .read
        .then(|| view! { <p class="user-message__read">{texts::READ_DURING_THE_TURN}</p> });
    let copied = open.conversation;
    view! {
        <div class="row row--user">
            <article class="user-message" id=anchor(key)>
                <h2 class="plate plate--user">{who} <Moment at /></h2>
                {words(&said.text)}
                {about} {read} {nav} {form}
                <div class="user-message__actions">
                    {edit}
                    <CopyButton label=texts::COPY_YOUR_MESSAGE text=move || copied.text_of(key) />
                </div>
            </article>
            {standing}
            <h2 class="visually-hidden">"Jarvis"</h2>
        </div>
    }
    .into_any()
}

/// Draws the text; none for a message of files alone.
pub(super) fn words(text: &str) -> Option<AnyView> {
    let text = (!text.is_empty()).then(|| upright(text.to_owned()))?;
    Some(view! { <div class="user-message__text">{text}</div> }.into_any())
}
