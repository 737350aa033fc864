//! The guests on a node, for the node's page.

use homelab_wire::GuestPart;
use kit::{Key, each, format::upright, live_view};
use leptos::prelude::*;

use crate::domains::homelab::{
    board::HudBoard,
    guests::tile,
    pieces::{heading, nothing, reasons},
    texts,
};

/// Draws the guests on a node, those that run first.
pub(super) fn guests_of(board: &HudBoard, node: &str) -> AnyView {
    let (all, node) = (board.guests(), node.to_owned());
    let here = {
        let all = all.clone();
        Memo::new(move |_| {
            let mut here: Vec<_> = all.all();
            here.retain(|(_, guest)| guest.node == node);
            here.sort_by_cached_key(|(_, guest)| order(guest));
            here.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        })
    };
    let entries = each(
        move || here.get(),
        |name| Key::of(name.clone()),
        move |name| {
            let guest = all.get(&name);
            let content = live_view(move || match guest.as_ref().map(|guest| guest.get()) {
                Some(guest) => tile(&guest),
                None => ().into_any(),
            });
            view! { <li class="tile">{content}</li> }.into_any()
        },
    );
    let known = board.clone();
    let instead = live_view(move || {
        let cluster = known.cluster();
        match cluster.as_ref().and_then(|it| it.guests.reason()) {
            _ if !here.read().is_empty() => ().into_any(),
            Some(unknown) => reasons(vec![texts::things::unknown(&upright(unknown.to_owned()))]),
            None => nothing(texts::guests::NO_GUESTS),
        }
    });
    view! {
        <section class="hud__section" aria-labelledby="thing-guests">
            {heading("thing-guests", texts::guests::GUESTS)}
            <ul class="tiles" aria-labelledby="thing-guests">
                {entries}
            </ul>
            {instead}
        </section>
    }
    .into_any()
}

/// Those that run before the others, then by number.
fn order(guest: &GuestPart) -> (bool, u64) {
    let runs = guest.state.value().is_some_and(|state| state == "running");
    (!runs, guest.vmid)
}
