//! Messages on their way to the server, and those that it refused.

use kit::{ErrorCard, Key, each, live_text, press};
use leptos::prelude::*;
use protocol::{Command, ConversationId, ErrorBody};

use super::{open_conversation::OpenConversation, user_row::words};
use crate::{
    attachment::beside,
    channel::{Channel, Connection, Pending, PendingState},
    texts::chat as texts,
};

#[component]
pub(super) fn PendingMessages(id: ConversationId) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let shown = move || {
        channel
            .pending
            .read()
            .iter()
            .filter(|pending| {
                pending.state != PendingState::Seen
                    && pending
                        .command
                        .message()
                        .is_some_and(|sent| sent.conversation == id)
            })
            .cloned()
            .collect::<Vec<_>>()
    };
    each(shown, key, message)
}

fn key(pending: &Pending) -> Key {
    Key::of((
        pending.id,
        matches!(pending.state, PendingState::Refused(_)),
    ))
}

fn message(pending: Pending) -> AnyView {
    let channel = expect_context::<Channel>();
    let Some(sent) = pending.command.message() else {
        return ().into_any();
    };
    let text = sent.text.to_owned();
    let about = beside(sent.references, true);
    let foot = match &pending.state {
        PendingState::Refused(error) => refused(&pending, error.clone()),
        _ => {
            let word = move || {
                match channel.connection.get() {
                    Connection::Live => texts::SENDING,
                    _ => texts::WAITING_FOR_THE_CONNECTION,
                }
                .to_owned()
            };
            view! { <p class="user-message__state">{live_text(word)}</p> }.into_any()
        }
    };
    view! {
        <div class="row row--user row--pending">
            <article class="user-message">
                <h2 class="plate plate--user">{texts::YOU}</h2>
                {words(&text)}
                {about}
                {foot}
            </article>
        </div>
    }
    .into_any()
}

fn refused(pending: &Pending, error: ErrorBody) -> AnyView {
    let channel = expect_context::<Channel>();
    let open = use_context::<OpenConversation>().map(|open| (open.edit, open.about));
    let id = pending.id;
    let command: Command = pending.command.clone();
    let sent = pending.command.message();
    let text = sent.map(|sent| sent.text.to_owned());
    let references = sent.map_or_else(Vec::new, |sent| sent.references.to_vec());
    let again = move || {
        channel.dismiss(id);
        channel.command(command.clone());
    };
    let change = move || {
        channel.dismiss(id);
        if let Some((edit, about)) = open {
            edit.set(text.clone());
            about.set(references.clone());
        }
    };
    view! {
        <ErrorCard error>
            <button type="button" class="button button--small" on:click=press(again)>
                {texts::SEND_AGAIN}
            </button>
            <button type="button" class="button button--small" on:click=press(change)>
                {texts::EDIT}
            </button>
        </ErrorCard>
    }
    .into_any()
}
