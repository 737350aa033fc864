//! Announcements for screen readers: finished blocks, and the state of the turn.

use kit::live_text;
use leptos::prelude::*;
use transcript::Phase;

use crate::{conversation::Conversation, texts::chat as texts};

#[component]
pub(super) fn Announcer(conversation: Conversation) -> impl IntoView {
    let said = conversation.announcement();
    let turn = conversation.turn();
    let state = move || match &*turn.read() {
        None => "",
        Some(turn) if turn.waiting.is_some() => texts::WAITING_FOR_THE_MODEL,
        Some(turn) => match turn.phase {
            Phase::Asking => texts::JARVIS_IS_THINKING,
            Phase::Answering => texts::JARVIS_IS_ANSWERING,
            Phase::Waiting => texts::JARVIS_NEEDS_YOUR_DECISION,
            Phase::Tools => texts::JARVIS_IS_RUNNING_A_TOOL,
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
