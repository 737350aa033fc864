//! Navigation from a message to its siblings in other branches.

use kit::{Icon, format::upright, icon, live_view, press};
use leptos::prelude::*;
use protocol::{Effect, EffectOutcome, Fork, MessageId};
use transcript::Branch;

use super::open_conversation::OpenConversation;
use crate::{dock::Place, texts::branching as texts};

/// Draws `‹ 2 of 3 ›`, while a message has siblings.
pub(super) fn fork_nav(open: &OpenConversation, message: MessageId) -> AnyView {
    let forks = open.conversation.forks();
    let place = Place::here();
    live_view(move || {
        let forks = forks.read();
        let fork = forks.iter().find(|fork| fork.message == message);
        fork.map(|fork| nav(fork, place)).into_any()
    })
}

/// Returns the id of a message's arrows on the page, which is also its anchor.
fn anchor(message: MessageId) -> String {
    format!("{message}-fork")
}

fn nav(fork: &Fork, place: Place) -> AnyView {
    let (at, count) = (fork.at as usize, fork.ways.len());
    let name = texts::version_of_this_message(at + 1, count);
    let to = |to: Option<usize>, shape: &'static str, what: &'static str| {
        let way = to.and_then(|to| fork.ways.get(to).copied());
        let go = move || {
            if let Some(way) = way {
                place.show_at(way.conversation, anchor(way.message));
            }
        };
        view! {
            <button
                type="button"
                class=format!("icon-button icon-button--small fork__{shape}")
                title=what
                disabled=way.is_none()
                on:click=press(go)
            >
                {icon(Icon::CHEVRON)}
                <span class="visually-hidden">{what}</span>
            </button>
        }
        .into_any()
    };
    let before = to(at.checked_sub(1), "before", texts::PREVIOUS_VERSION);
    let after = to(Some(at + 1), "after", texts::NEXT_VERSION);
    view! {
        <div class="fork" role="group" id=anchor(fork.message) aria-label=name>
            {before} <span class="fork__place">{texts::place_of(at + 1, count)}</span> {after}
        </div>
    }
    .into_any()
}

/// Draws the effects of other branches, above the answer in this one.
pub(super) fn standing(branch: &Branch) -> AnyView {
    if branch.effects.is_empty() {
        return ().into_any();
    }
    let count = branch.effects.len() + branch.more as usize;
    let head = texts::actions_ran_in_other_branches(count);
    let lines: Vec<_> = branch.effects.iter().map(line).collect();
    let more = (branch.more > 0).then(|| view! { <li>{texts::and_older(branch.more)}</li> });
    view! {
        <details class="standing">
            <summary>{icon(Icon::WARNING)} {head}</summary>
            <ul>{lines} {more}</ul>
        </details>
    }
    .into_any()
}

fn line(effect: &Effect) -> AnyView {
    let outcome = match effect.outcome {
        EffectOutcome::Done => texts::TOOK_EFFECT,
        EffectOutcome::Failed => texts::FAILED,
        EffectOutcome::NotDone => texts::DID_NOT_TAKE_EFFECT,
        EffectOutcome::Unknown => texts::OUTCOME_UNKNOWN,
    };
    let target = effect
        .target
        .clone()
        .map(|target| texts::on(&upright(target)));
    view! {
        <li>
            <code>{upright(effect.tool.clone())}</code>
            {target} {format!(": {outcome}")}
        </li>
    }
    .into_any()
}
