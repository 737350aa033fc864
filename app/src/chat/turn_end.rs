//! The end of a turn: its outcome and usage, and how to continue if it failed or ended at a limit.

use std::sync::Arc;

use kit::{ErrorCard, Icon, Moment, effect, format, icon, live, press};
use leptos::prelude::*;
use protocol::{Command, Timestamp, TurnOutcome, Usage};
use transcript::RowKey;

use super::{
    branching::{again, branching_at, button_id},
    open_conversation::{OpenConversation, is_last},
};
use crate::{
    channel::Channel,
    conversation::EndOfTurn,
    texts::{chat as texts, common},
    words,
};

#[component]
pub(super) fn TurnEnd(
    end: Arc<EndOfTurn>,
    key: RowKey,
    at: Signal<Option<Timestamp>>,
) -> impl IntoView {
    let open = expect_context::<OpenConversation>();
    let last = is_last(&open, key);
    let name = match end.outcome {
        TurnOutcome::Failed { .. } => Some(common::TRY_AGAIN),
        TurnOutcome::Stopped | TurnOutcome::Truncated | TurnOutcome::Limited { .. } => {
            Some(texts::CONTINUE)
        }
        _ => None,
    };
    let name = name.filter(|_| !open.conversation.is_closed());
    let retry = name.map(|name| view! { <Retry turn=end.turn last name /> });
    // A person's own call has no message to run again.
    let own = open.conversation.origin().read_untracked().own;
    let again = (!own && !open.conversation.is_closed()).then(|| regenerate(&open, key, end.turn));
    let form = branching_at(&open, key);
    let class = match end.outcome {
        TurnOutcome::Answered => "row turn-end",
        TurnOutcome::Failed { .. } => "row turn-end turn-end--failed",
        TurnOutcome::Limited { .. } => "row turn-end turn-end--short turn-end--limited",
        _ => "row turn-end turn-end--short",
    };
    let (error, button) = match &end.outcome {
        TurnOutcome::Failed { error } | TurnOutcome::Limited { error } => {
            let error = error.clone();
            (Some(view! { <ErrorCard error>{retry}</ErrorCard> }), None)
        }
        _ => (None, retry),
    };
    view! {
        <div class=class class:turn-end--last=live(move || last.get())>
            {error}
            <div class="turn-end__line">
                <span class="turn-end__outcome">{words::turn_outcome(&end.outcome)}</span>
                {facts(&end)}
                <Moment at />
                {button} {again}
            </div>
            {form}
        </div>
    }
    .into_any()
}

/// Runs the turn's message again, in a branch.
fn regenerate(open: &OpenConversation, key: RowKey, turn: protocol::TurnId) -> AnyView {
    let channel = expect_context::<Channel>();
    let open = open.clone();
    let press_it = move || {
        if let Some(message) = open.conversation.opening(turn) {
            again(&open, channel, key, message);
        }
    };
    view! {
        <button
            type="button"
            class="button button--small button--quiet turn-end__again"
            id=button_id(key)
            title=texts::RUN_AGAIN_AND_KEEP_THIS_ANSWER
            on:click=press(press_it)
        >
            {icon(Icon::RETRY)}
            {texts::REGENERATE}
        </button>
    }
    .into_any()
}

fn facts(end: &EndOfTurn) -> AnyView {
    let usage = end.usage;
    let took = format::duration(end.took);
    // Hidden from people who read through a link.
    if usage == Usage::default() && end.cost.is_none() {
        let title = texts::TIME_WITHOUT_WAITS;
        return view! { <span title=title>{took}</span> }.into_any();
    }
    let cached = (usage.cache_read > 0).then(|| format::count(usage.cache_read));
    let input = texts::tokens_in(&format::count(usage.total_input()), cached.as_deref());
    let mut output = texts::tokens_out(&format::count(usage.output));
    if usage.estimated {
        output.push_str(texts::ESTIMATED);
    }
    let cost = end
        .cost
        .map_or(texts::COST_UNKNOWN.to_owned(), format::cost);
    view! {
        <details class="turn-end__usage">
            <summary title=texts::TIME_TOKENS_AND_COST>{took}</summary>
            <span title=texts::TOKENS_THAT_THE_MODEL_READ>{input}</span>
            <span title=texts::TOKENS_THAT_THE_MODEL_WROTE>{output}</span>
            <span title=texts::COST_OF_THIS_TURN>{cost}</span>
        </details>
    }
    .into_any()
}

#[component]
fn Retry(turn: protocol::TurnId, last: Memo<bool>, name: &'static str) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let open = expect_context::<OpenConversation>();
    let id = open.conversation.id();
    let asked = RwSignal::new(false);
    let retry = move || {
        asked.set(true);
        channel.command(Command::Retry {
            conversation: id,
            turn,
        });
    };
    // A refusal leaves the row as it is: the button must come back.
    effect(move || {
        let waiting = channel.pending.read().iter().any(
            |pending| matches!(pending.command, Command::Retry { turn: of, .. } if of == turn),
        );
        if !waiting {
            asked.set(false);
        }
    });
    view! {
        <button
            type="button"
            class="button button--small"
            hidden=live(move || !last.get())
            disabled=live(move || asked.get())
            on:click=press(retry)
        >
            {icon(Icon::RETRY)}
            {name}
        </button>
    }
    .into_any()
}
