//! The packs of the next conversation, as buttons under its message, with what each of them is for. The
//! server stores the choice with the account when the conversation starts.

use kit::{live, live_text, press};
use leptos::prelude::*;
use protocol::Pack;

use crate::{channel::Channel, texts::chat as texts};

/// Draws a button for each pack.
pub(super) fn buttons(channel: Channel) -> AnyView {
    let packs = channel.packs;
    let button = move |(place, pack): (usize, Pack)| {
        let is_chosen = move || packs.read().get(place).is_some_and(|pack| pack.usual);
        let toggle = move || {
            packs.update(|packs| {
                if let Some(pack) = packs.get_mut(place) {
                    pack.usual = !pack.usual;
                }
            });
        };
        view! {
            <button
                type="button"
                class="button button--small pack"
                title=pack.about
                aria-pressed=live(move || is_chosen().to_string())
                on:click=press(toggle)
            >
                {pack.label}
            </button>
        }
        .into_any()
    };
    let buttons: Vec<_> = packs
        .get_untracked()
        .into_iter()
        .enumerate()
        .map(button)
        .collect();
    if buttons.is_empty() {
        return ().into_any();
    }
    let lacks = move || {
        let packs = packs.read();
        let chosen = packs.iter().filter(|pack| pack.usual);
        let lacks: Vec<_> = chosen.filter_map(|pack| pack.lacks.as_deref()).collect();
        lacks.join(" ")
    };
    view! {
        <div class="packs" role="group" aria-label=texts::PACKS_OF_THIS_CONVERSATION>
            {buttons}
        </div>
        <p class="packs__lacks" aria-live="polite">
            {live_text(lacks)}
        </p>
    }
    .into_any()
}
