//! The activity of the running turn, while nothing else shows it.

use kit::{format, live_text, live_view};
use leptos::prelude::*;
use protocol::ErrorCode;
use transcript::{ActiveTurn, Phase};

use crate::{channel::Channel, conversation::Conversation, texts::chat as texts};

#[component]
pub(super) fn TurnState(conversation: Conversation) -> impl IntoView {
    let turn = conversation.turn();
    let shown = move || match &*turn.read() {
        None => ShownState::Nothing,
        Some(turn) if turn.stopping => ShownState::Stopping,
        Some(turn) if turn.waiting.is_some() => ShownState::Waiting,
        Some(turn) if turn.phase == Phase::Asking => ShownState::Asking,
        Some(_) => ShownState::Nothing,
    };
    let turn = conversation.turn();
    live_view(move || match shown() {
        ShownState::Nothing => ().into_any(),
        ShownState::Asking => asking(turn.clone()),
        ShownState::Waiting => waiting(turn.clone()),
        ShownState::Stopping => view! {
            <div class="turn-state turn-state--waiting">
                <span class="spinner" aria-hidden="true"></span>
                <span>{texts::STOPPING_ACTIONS_MAY_FINISH}</span>
            </div>
        }
        .into_any(),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShownState {
    Nothing,
    Asking,
    Waiting,
    Stopping,
}

fn asking(turn: ArcRwSignal<Option<ActiveTurn>>) -> AnyView {
    let channel = expect_context::<Channel>();
    let seconds = move || {
        let now = channel.clock.second()?;
        let started = turn.read().as_ref()?.started;
        let seconds = format::between(started, now) / 1000;
        (seconds >= 3).then(|| format::span(seconds))
    };
    view! {
        <div class="turn-state">
            <span class="reactor reactor--busy" aria-hidden="true"></span>
            <span>{texts::THINKING}</span>
            <span class="turn-state__time">{live_text(move || seconds().unwrap_or_default())}</span>
        </div>
    }
    .into_any()
}

fn waiting(turn: ArcRwSignal<Option<ActiveTurn>>) -> AnyView {
    let channel = expect_context::<Channel>();
    let text = move || {
        let turn = turn.read();
        let waiting = turn.as_ref()?.waiting.as_ref()?;
        let reason = reason(waiting.error.code, &waiting.error.message);
        let seconds = channel
            .clock
            .second()
            .map_or(0, |now| format::between(now, waiting.until).div_ceil(1000));
        Some(if seconds > 0 {
            texts::retrying_in_s(&reason, seconds)
        } else {
            texts::retrying(&reason)
        })
    };
    view! {
        <div class="turn-state turn-state--waiting">
            <span class="spinner" aria-hidden="true"></span>
            <span>{live_text(move || text().unwrap_or_default())}</span>
        </div>
    }
    .into_any()
}

fn reason(code: ErrorCode, message: &str) -> String {
    let known = match code {
        ErrorCode::ModelOverloaded => texts::THE_MODEL_IS_OVERLOADED,
        ErrorCode::ModelRateLimited => texts::THE_MODEL_IS_LIMITING_REQUESTS,
        ErrorCode::ModelUnreachable => texts::NO_CONNECTION_TO_THE_MODEL,
        ErrorCode::ModelTimeout => texts::THE_MODEL_STOPPED_RESPONDING,
        _ => return message.trim_end_matches('.').to_owned(),
    };
    known.to_owned()
}
