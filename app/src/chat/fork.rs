//! Navigation from a message to its siblings in other branches.

use kit::{Icon, format::upright, icon, live_view, press};
use leptos::prelude::*;
use protocol::{Effect, EffectOutcome, Fork, MessageId};
use transcript::Branch;

use super::view::OpenConversation;
use crate::dock::Place;

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
    let name = format!("Version {} of {count} of this message", at + 1);
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
    let before = to(at.checked_sub(1), "before", "Previous version");
    let after = to(Some(at + 1), "after", "Next version");
    view! {
        <div class="fork" role="group" id=anchor(fork.message) aria-label=name>
            {before} <span class="fork__place">{format!("{} of {count}", at + 1)}</span> {after}
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
    let head = match count {
        1 => "1 action ran in another branch. It isn't undone here.".to_owned(),
        _ => format!("{count} actions ran in other branches. They aren't undone here."),
    };
    let lines: Vec<_> = branch.effects.iter().map(line).collect();
    let more = (branch.more > 0).then(|| view! { <li>{format!("and {} older", branch.more)}</li> });
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
        EffectOutcome::Done => "took effect",
        EffectOutcome::Failed => "failed",
        EffectOutcome::NotDone => "did not take effect",
        EffectOutcome::Unknown => "outcome unknown",
    };
    let target = effect
        .target
        .clone()
        .map(|target| format!(" on {}", upright(target)));
    view! {
        <li>
            <code>{upright(effect.tool.clone())}</code>
            {target} {format!(": {outcome}")}
        </li>
    }
    .into_any()
}
