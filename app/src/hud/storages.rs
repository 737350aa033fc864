//! Storages with how full they are.

use leptos::prelude::*;
use protocol::StoragePart;

use super::{
    board::Board,
    figure::{known, meter, past, percent, share, used_of},
};
use crate::{
    format::upright,
    ui::{Key, each, live_view},
};

pub(super) fn storages(board: &Board) -> AnyView {
    let all = board.storages();
    let names = {
        let all = all.clone();
        move || all.names()
    };
    let board = board.clone();
    let lines = each(
        names,
        |name| Key::Name(name.clone()),
        move |name| {
            let storage = all.get(&name);
            let board = board.clone();
            live_view(
                move || match storage.as_ref().map(|storage| storage.get()) {
                    Some(storage) => line(&board, &storage),
                    None => ().into_any(),
                },
            )
        },
    );
    view! { <ul class="storages">{lines}</ul> }.into_any()
}

fn line(board: &Board, storage: &StoragePart) -> AnyView {
    let warning = board
        .cluster()
        .map_or(100.0, |cluster| f64::from(cluster.storage_warning_percent));
    let class = match storage.past.is_some() {
        true => "storage storage--past",
        false => "storage",
    };
    let total = storage.total.value().copied();
    let full = share(storage.used.value().copied(), total);
    let place = match &storage.node {
        Some(node) => format!("on {}", upright(node.clone())),
        None => "shared".to_owned(),
    };
    let kind = storage
        .kind
        .clone()
        .map(|kind| format!(" · {}", upright(kind)));
    view! {
        <li class=class>
            <div class="storage__head">
                <h3>{upright(storage.name.clone())}</h3>
                <span class="storage__place">{place} {kind}</span>
                <span class="storage__full">{full.map(percent)}</span>
            </div>
            {meter(full, warning)}
            <p class="storage__use">{known(&storage.used, |used| used_of(*used, total))}</p>
            {storage.past.as_ref().map(|it| view! { <p class="past">{past(it)}</p> })}
        </li>
    }
    .into_any()
}
