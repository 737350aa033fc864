//! Storages and their use: all of them, the fullest first, and one with its course.

use homelab_wire::{StoragePart, TrendPart};
use kit::{
    Key, each,
    format::{size, upright},
    live_view,
};
use leptos::prelude::*;
use protocol::{Known, Reference};

use super::{
    board::HudBoard,
    figure::{Level, bar, known, past, percent, share, used_of, whole},
    link::link,
    sparkline::storage_sparkline,
    texts,
};
use crate::{dock::ask, domains::homelab::ClusterObject};

pub(super) fn storages(board: &HudBoard) -> AnyView {
    let all = board.storages();
    let names = {
        let all = all.clone();
        Memo::new(move |_| {
            // They are few, and to sort them is 4 KB of code.
            let mut names: Vec<(Option<u64>, String)> = Vec::new();
            all.visit(|name, storage| {
                let total = storage.total.value().copied();
                let full = share(storage.used.value().copied(), total);
                // In whole percent, so that lines do not keep swapping places.
                let full = full.map(|full| full.round() as u64);
                let at = names.partition_point(|(other, _)| *other >= full);
                names.insert(at, (full, name.to_owned()));
            });
            names.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
        })
    };
    let board = board.clone();
    let lines = each(
        move || names.get(),
        |name| Key::of(name.clone()),
        move |name| {
            let storage = all.get(&name);
            let board = board.clone();
            live_view(
                move || match storage.as_ref().map(|storage| storage.get()) {
                    Some(storage) => dense_line(&board, &name, &storage),
                    None => ().into_any(),
                },
            )
        },
    );
    view! { <ul class="stores">{lines}</ul> }.into_any()
}

/// Draws a storage in one line with a thin bar.
fn dense_line(board: &HudBoard, name: &str, storage: &StoragePart) -> AnyView {
    let class = if storage.past.is_some() {
        "store store--past"
    } else {
        "store"
    };
    let total = storage.total.value().copied();
    let full = share(storage.used.value().copied(), total);
    let level = Level::of_storage(full, board.cluster().as_ref());
    let place = match &storage.node {
        Some(node) => upright(node.clone()),
        None => texts::storages::SHARED.to_owned(),
    };
    let trend = board.trend(name).and_then(|trend| match trend.per_day {
        Known::Value(per_day) => Some(course(per_day, trend.full_in)),
        Known::Unknown { .. } => None,
    });
    let mut about = format!("{} · {place}", upright(storage.name.clone()));
    // A narrow list has no room for it.
    if let Some(used) = storage.used.value() {
        about.push_str(" · ");
        about.push_str(&used_of(*used, total));
    }
    if let Some(trend) = trend {
        about.push_str(" · ");
        about.push_str(&trend);
    }
    let old = storage.past.as_ref().map(|it| {
        view! { <span class="past">{past(it)}</span> }
    });
    view! {
        <li class=class title=about>
            {link(&ClusterObject::Storage(name.to_owned()), storage.name.clone())}
            <span class="store__place">{place}</span>
            <span class="store__use">{known(&storage.used, |used| used_of(*used, total))}</span>
            <span class=level.class("store__full")>{full.map(whole)}</span>
            {bar(full, level)}
            {old}
        </li>
    }
    .into_any()
}

pub(super) fn line(board: &HudBoard, name: &str, storage: &StoragePart) -> AnyView {
    let class = if storage.past.is_some() {
        "storage storage--past"
    } else {
        "storage"
    };
    let total = storage.total.value().copied();
    let full = share(storage.used.value().copied(), total);
    let place = match &storage.node {
        Some(node) => texts::storages::on(&upright(node.clone())),
        None => texts::storages::SHARED.to_owned(),
    };
    let kind = storage
        .kind
        .clone()
        .map(|kind| format!(" · {}", upright(kind)));
    let id = match &storage.node {
        Some(node) => format!("{node}/{}", storage.name),
        None => storage.name.clone(),
    };
    view! {
        <li class=class>
            <div class="storage__head">
                <h3>{link(&ClusterObject::Storage(name.to_owned()), storage.name.clone())}</h3>
                <span class="storage__place">{place} {kind}</span>
                <span class="storage__full">{full.map(percent)}</span>
                {ask(Reference::new("storage", id))}
            </div>
            {bar(full, Level::of_storage(full, board.cluster().as_ref()))}
            <p class="storage__use">{known(&storage.used, |used| used_of(*used, total))}</p>
            {board.trend(name).map(|it| trend(&it))}
            {storage.past.as_ref().map(|it| view! { <p class="past">{past(it)}</p> })}
        </li>
    }
    .into_any()
}

/// Draws the use over time, and the forecast.
fn trend(trend: &TrendPart) -> AnyView {
    let text = match &trend.per_day {
        Known::Unknown { unknown } => texts::storages::trend_unknown(&upright(unknown.clone())),
        Known::Value(per_day) => course(*per_day, trend.full_in),
    };
    let drawn = trend.used.iter().flatten().count() > 1;
    view! {
        <div class="storage__trend">
            {drawn.then(|| storage_sparkline(trend))}
            <p class="storage__use" title=upright(trend.source.clone())>
                {text}
            </p>
        </div>
    }
    .into_any()
}

/// Formats `Last week: grows by 1.2 GiB a day; full in about 40 d`.
fn course(per_day: f64, full_in: Option<u64>) -> String {
    let a_day = size(per_day.abs() as u64);
    let course = match per_day {
        more if more >= 1.0 => texts::storages::grows(&a_day),
        less if less <= -1.0 => texts::storages::shrinks(&a_day),
        _ => texts::storages::STABLE.to_owned(),
    };
    match full_in {
        Some(seconds) if seconds < 86_400 => texts::storages::full_within_a_day(&course),
        Some(seconds) => texts::storages::full_in_days(&course, seconds / 86_400),
        None => texts::storages::last_week(&course),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses() {
        for (per_day, full_in, expect) in [
            (0.0, None, "Last week: stable"),
            (
                1_073_741_824.0,
                Some(3_500_000),
                "Last week: grows by 1.0 GiB a day; full in about 40 d",
            ),
            (
                2048.0,
                Some(10),
                "Last week: grows by 2.0 KiB a day; full within a day",
            ),
            (-1024.0, None, "Last week: shrinks by 1.0 KiB a day"),
        ] {
            assert_eq!(course(per_day, full_in), expect);
        }
    }
}
