//! Messages that wait for the running turn to end.

use leptos::prelude::*;
use protocol::Command;

use super::view::Open;
use crate::{
    channel::Channel,
    conversation::Conversation,
    ui::{Icon, Key, each, icon, live, press},
};

#[component]
pub(super) fn Queue(conversation: Conversation) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let edit = expect_context::<Open>().edit;
    let id = conversation.id();
    let queue = conversation.queue();
    let empty = {
        let queue = queue.clone();
        Memo::new(move |_| queue.read().is_empty())
    };
    let withdraw = move |message, text: String| {
        edit.set(Some(text));
        channel.command(Command::Withdraw {
            conversation: id,
            message,
        });
    };
    view! {
        <ul class="queue" aria-label="Waiting messages" hidden=live(move || empty.get())>
            {each(
                move || queue.get(),
                |queued| Key::Message(queued.message),
                move |queued| {
                    view! {
                <li class="queue__item">
                    <span class="queue__mark">"Next"</span>
                    <span class="queue__text">{queued.text.clone()}</span>
                    <button
                        type="button"
                        class="icon-button icon-button--small"
                        title="Withdraw"
                        on:click={
                            let text = queued.text.clone();
                            press(move || withdraw(queued.message, text.clone()))
                        }
                    >
                        {icon(Icon::CLOSE)}
                        <span class="visually-hidden">
                            {format!("Withdraw “{}”", queued.text)}
                        </span>
                    </button>
                </li>
                    }
                    .into_any()
                },
            )}
        </ul>
    }
    .into_any()
}
