//! The page of the cluster: a summary in one line, nodes, tasks, storages, guests.

use homelab_wire::ClusterPart;
use leptos::prelude::*;
use protocol::{BoardPage, Known};

use super::{
    act::act_panel,
    backups::backups,
    board::{HudBoard, live_board},
    figure::{age, unknown_because},
    guests::guests,
    nodes::nodes,
    notices::notices,
    storages::storages,
    tasks::tasks,
};
use crate::{
    channel::{Channel, Connection},
    format::upright,
    ui::{live, live_view},
};

/// Draws the HUD of a board from a page's data; live from then on.
pub(super) fn hud_view(page: BoardPage) -> AnyView {
    let channel = expect_context::<Channel>();
    let board = live_board(page);
    // Without a connection, nothing is current.
    let stale = {
        let board = board.clone();
        live(move || {
            let silent = board
                .reading("overview")
                .is_some_and(|it| it.trouble.is_some());
            let away = !matches!(
                channel.connection.get(),
                Connection::Live | Connection::Connecting
            );
            silent || away
        })
    };
    let head = {
        let board = board.clone();
        live_view(move || head(&board))
    };
    view! {
        {act_panel(&board)}
        <div class="hud" class:hud--past=stale>
            {head}
            {notices(&board)}
            <section class="hud__section" aria-labelledby="hud-nodes">
                <h2 id="hud-nodes">"Nodes"</h2>
                {nodes(&board)}
            </section>
            {section(&board, "tasks", "Tasks", |cluster| cluster.tasks_lack.clone(), tasks(&board))}
            {section(
                &board,
                "overview",
                "Storage",
                |cluster| cluster.storages_lack.clone(),
                storages(&board),
            )}
            {section(&board, "backups", "Backups", |_| Vec::new(), backups(&board))}
            {section(
                &board,
                "overview",
                "Guests",
                |cluster| cluster.guests_lack.clone(),
                guests(&board),
            )}
        </div>
    }
    .into_any()
}

/// Draws the summary in one line.
fn head(board: &HudBoard) -> AnyView {
    let Some(cluster) = board.cluster() else {
        return view! {
            <header class="hud__head">
                <h1>{upright(board.system().name.clone())}</h1>
                <p role="status">"No data yet."</p>
            </header>
        }
        .into_any();
    };
    let name = match &cluster.name {
        Known::Value(name) => upright(name.clone()),
        Known::Unknown { .. } => upright(board.system().name.clone()),
    };
    let simulated = board.system().simulated.then(|| {
        view! { <span class="mark">"Simulated"</span> }
    });
    let reading = board.reading("overview").map(|reading| {
        view! {
            <p class="hud__source">
                "Seen " {age(reading.at)} " · " <code>{upright(reading.source)}</code>
            </p>
        }
    });
    view! {
        <header class="hud__head">
            <h1>{name}</h1>
            {simulated}
            <p class="hud__line">{line(&cluster)}</p>
            {reading}
        </header>
    }
    .into_any()
}

/// Draws `Quorate · 4 of 4 nodes online · 12 of 20 guests running`.
fn line(cluster: &ClusterPart) -> AnyView {
    let quorum = match &cluster.quorate {
        Known::Value(true) => view! { <span class="state state--good">"quorate"</span> }.into_any(),
        Known::Value(false) => {
            view! { <span class="state state--bad">"no quorum"</span> }.into_any()
        }
        Known::Unknown { unknown } => {
            let text = format!("quorum unknown: {}", upright(unknown.clone()));
            view! { <span class="state state--unknown">{text}</span> }.into_any()
        }
    };
    let nodes = match &cluster.nodes {
        Known::Value(count) => {
            format!("{} of {} nodes online", count.online, count.total).into_any()
        }
        Known::Unknown { unknown } => (unknown_because(unknown), " nodes").into_any(),
    };
    let guests = match &cluster.guests {
        Known::Value(count) => {
            let unknown = match count.silent {
                0 => String::new(),
                silent => format!(", {silent} unknown"),
            };
            format!(
                "{} of {} guests running{unknown}",
                count.running, count.total
            )
            .into_any()
        }
        Known::Unknown { unknown } => (unknown_because(unknown), " guests").into_any(),
    };
    view! {
        {quorum}
        <span>{nodes}</span>
        <span>{guests}</span>
    }
    .into_any()
}

/// Draws a section of the page, with the reasons why its list may lack rows or be old.
fn section(
    board: &HudBoard,
    reading: &'static str,
    name: &'static str,
    lacks: fn(&ClusterPart) -> Vec<String>,
    content: AnyView,
) -> AnyView {
    let id = format!("hud-{}", name.to_ascii_lowercase());
    let board = board.clone();
    let notes = live_view(move || {
        let trouble = board.reading(reading).and_then(|reading| reading.trouble);
        let mut notes: Vec<String> = Vec::new();
        if let Some(trouble) = trouble {
            notes.push(format!("Out of date: {}.", upright(trouble)));
        }
        if let Some(cluster) = board.cluster() {
            let lacks = lacks(&cluster).into_iter();
            notes.extend(
                lacks.map(|reason| format!("This list may be incomplete: {}.", upright(reason))),
            );
        }
        let notes = notes.into_iter().map(|note| view! { <li>{note}</li> });
        let notes: Vec<_> = notes.collect();
        (!notes.is_empty())
            .then(|| view! { <ul class="reasons">{notes}</ul> })
            .into_any()
    });
    view! {
        <section class="hud__section" aria-labelledby=id>
            <h2 id=id.clone()>{name}</h2>
            {notes}
            {content}
        </section>
    }
    .into_any()
}
