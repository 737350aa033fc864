//! Announcements for screen readers: finished blocks, and the state of the turn.

use kit::live_text;
use leptos::prelude::*;
use transcript::Phase;

use crate::conversation::Conversation;

#[component]
pub(super) fn Announcer(conversation: Conversation) -> impl IntoView {
    let said = conversation.announcement();
    let turn = conversation.turn();
    let state = move || match &*turn.read() {
        None => "",
        Some(turn) if turn.waiting.is_some() => "Waiting for the model",
        Some(turn) => match turn.phase {
            Phase::Asking => "Jarvis is thinking",
            Phase::Answering => "Jarvis is answering",
            Phase::Waiting => "Jarvis needs your decision",
            Phase::Tools => "Jarvis is running a tool",
        },
    };
    view! {
        <div class="visually-hidden" role="status">
            {live_text(move || state().to_owned())}
        </div>
        <div class="visually-hidden" aria-live="polite" aria-atomic="true">
            {live_text(move || said.get())}
        </div>
    }
    .into_any()
}
