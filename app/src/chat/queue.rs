//! Messages that wait for the running turn to end.

use kit::{Icon, Key, each, icon, live, press};
use leptos::prelude::*;
use protocol::{Command, MAX_REFERENCES};
use transcript::QueuedMessage;

use super::open_conversation::OpenConversation;
use crate::{channel::Channel, conversation::Conversation, reference::label, texts::chat as texts};

#[component]
pub(super) fn Queue(conversation: Conversation) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let OpenConversation { edit, about, .. } = expect_context();
    let id = conversation.id();
    let queue = conversation.queue();
    let empty = {
        let queue = queue.clone();
        Memo::new(move |_| queue.read().is_empty())
    };
    let withdraw = move |queued: &QueuedMessage| {
        let message = queued.message;
        edit.set(Some(queued.text.clone()));
        // References go first too, as the words go above newer text.
        about.update(|about| {
            about.retain(|known| !queued.references.contains(known));
            about.splice(..0, queued.references.iter().cloned());
            about.truncate(MAX_REFERENCES);
        });
        channel.command(Command::Withdraw {
            conversation: id,
            message,
        });
    };
    view! {
        <ul class="queue" aria-label=texts::WAITING_MESSAGES hidden=live(move || empty.get())>
            {each(
                move || queue.get(),
                |queued| Key::of(queued.message),
                move |queued| {
                    let mark = if queued.steers { texts::AT_THE_NEXT_STEP } else { texts::NEXT };
                    let text = queued.text.clone();
                    let name = if text.is_empty() { texts::WITHDRAW_THE_FILES.to_owned() } else { texts::withdraw(&text) };
                    let files = files(&queued);
                    view! {
                <li class="queue__item">
                    <span class="queue__mark">
                        {mark}
                    </span>
                    <span class="queue__text" title=text>{text.clone()}</span>
                    {files}
                    <button
                        type="button"
                        class="icon-button icon-button--small"
                        title=texts::WITHDRAW
                        on:click=press(move || withdraw(&queued))
                    >
                        {icon(Icon::CLOSE)}
                        <span class="visually-hidden">
                            {name}
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

/// Draws the files of a queued message, by name.
fn files(queued: &QueuedMessage) -> Option<AnyView> {
    let files = queued.references.iter().filter(|it| it.file.is_some());
    let names: Vec<_> = files.map(label).collect();
    (!names.is_empty()).then(|| {
        let names = names.join("; ");
        view! {
            <span class="queue__files" title=names>
                {icon(Icon::ATTACH)} <span class="visually-hidden">{texts::WITH_FILES}</span> {names.clone()}
            </span>
        }
        .into_any()
    })
}
