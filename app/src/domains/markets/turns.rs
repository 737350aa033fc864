//! The assistant's newest turns on this chart, each of which can be undone as one.

use kit::{live, press};
use leptos::prelude::*;

use super::{drawing::Drawing, page_state::ChartPageState, texts};

/// The most turns that can be undone here; a single drawing can be deleted at any time.
const MOST: usize = 3;

/// The changes of a turn that nobody has changed since.
struct Turn {
    group: String,
    drawings: Vec<Drawing>,
}

pub(super) fn turns(shared: ChartPageState) -> AnyView {
    let mut turns: Vec<Turn> = Vec::new();
    for drawing in shared.listed() {
        let Some(group) = drawing.turn().map(str::to_owned) else {
            continue;
        };
        match turns.iter_mut().find(|turn| turn.group == group) {
            Some(turn) => turn.drawings.push(drawing),
            None => turns.push(Turn {
                group,
                drawings: vec![drawing],
            }),
        }
    }
    turns.truncate(MOST);
    if turns.is_empty() {
        return ().into_any();
    }
    let lines: Vec<_> = turns.into_iter().map(|turn| line(shared, turn)).collect();
    view! {
        <ul class="panel__turns" aria-label=texts::drawings::ASSISTANTS_TURNS>
            {lines}
        </ul>
    }
    .into_any()
}

fn line(shared: ChartPageState, Turn { group, drawings }: Turn) -> AnyView {
    let names = drawings.iter().take(3).map(Drawing::title);
    let mut names = names.collect::<Vec<_>>().join(", ");
    if drawings.len() > 3 {
        names.push_str(&texts::drawings::and_more(drawings.len() - 3));
    }
    let text = texts::drawings::one_turn(drawings.len());
    let undo = move || {
        if untrack(|| shared.channel.bars()).is_none() {
            shared.undo(&group);
        }
    };
    view! {
        <li class="panel__turn">
            <p>{text} <span class="panel__names">{names}</span></p>
            <button
                type="button"
                class="button button--small"
                aria-disabled=live(move || shared.channel.bars().map(|_| "true"))
                on:click=press(undo)
            >
                {texts::drawings::UNDO_TURN}
            </button>
        </li>
    }
    .into_any()
}
