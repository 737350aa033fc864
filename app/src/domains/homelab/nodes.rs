//! The nodes side by side: the last hour of each in three small lines.

use homelab_wire::NodePart;
use kit::{
    Icon, Key, each,
    format::{size, upright},
    icon, live_text, live_view,
};
use leptos::prelude::*;
use protocol::Known;

use super::{
    act::{Subject, menu_button},
    board::HudBoard,
    figure::{Level, known, past, share, unknown_because, whole},
    link::link,
    pieces::{self, hidden},
    sparkline::{Scale, trace},
    tally::HudTally,
    texts,
};
use crate::domains::homelab::ClusterObject;

pub(super) fn nodes(board: &HudBoard, tally: Memo<HudTally>) -> AnyView {
    let all = board.nodes();
    let names = {
        let all = all.clone();
        move || all.names()
    };
    let board = board.clone();
    let cards = each(
        names,
        |name| Key::of(name.clone()),
        move |name| {
            let board = board.clone();
            let node = all.get(&name);
            live_view(move || match node.as_ref().map(|node| node.get()) {
                Some(node) => card(&board, tally, &node),
                None => ().into_any(),
            })
        },
    );
    view! { <div class="nodes">{cards}</div> }.into_any()
}

fn card(board: &HudBoard, tally: Memo<HudTally>, node: &NodePart) -> AnyView {
    let class = if node.past.is_some() {
        "node node--past"
    } else {
        "node"
    };
    let cpu = node.cpu_percent.value().copied();
    let memory = share(node.memory_used.value().copied(), node.memory_total);
    let io_wait = node.io_wait_percent.as_ref();
    let waits = io_wait.and_then(|it| it.value().copied());
    let used = match (&node.memory_used, memory) {
        (Known::Unknown { unknown }, _) => unknown_because(unknown),
        (Known::Value(_), Some(memory)) => whole(memory).into_any(),
        (Known::Value(used), None) => size(*used).into_any(),
    };
    let of = |text: String| view! { <small>{text}</small> }.into_any();
    let threads = node
        .threads
        .map(|count| of(texts::nodes::of_total(&count.to_string())));
    let total = node
        .memory_total
        .map(|total| of(texts::nodes::of_total(&size(total).replace(".0 ", " "))));
    let history = |of: fn(&homelab_wire::HistoryPart) -> &Vec<Option<f64>>, scale, level| {
        let (board, name) = (board.clone(), node.name.clone());
        live_view(move || match board.history(&name) {
            Some(history) => trace(of(&history), scale, level),
            None => ().into_any(),
        })
    };
    let guests = {
        let name = node.name.clone();
        live_text(move || match tally.read().on_node(&name) {
            (_, 0) => texts::nodes::NO_GUESTS.to_owned(),
            (running, total) => texts::nodes::guests_running(running, total),
        })
    };
    let (cpu_level, memory_level) = (Level::of(cpu), Level::of(memory));
    let wait_level = Level::of_io_wait(waits);
    let role = node.role.clone().map(upright);
    let celsius = node.celsius.value().map(|celsius| {
        let degrees = (celsius.round() as i64).to_string();
        format!("{} · ", texts::figures::celsius(&degrees))
    });
    let figures = [
        (texts::figures::inline::STATE, node.state.reason()),
        (texts::figures::inline::CPU, node.cpu_percent.reason()),
        (texts::figures::inline::MEMORY, node.memory_used.reason()),
        (texts::figures::inline::UPTIME, node.uptime.reason()),
        (texts::figures::inline::TEMPERATURE, node.celsius.reason()),
    ];
    view! {
        <article class=class aria-label=upright(texts::node(&node.name))>
            <header class="node__head">
                <h3>
                    {dot(&node.state)} {link(&ClusterObject::Node(node.name.clone()), node.name.clone())}
                </h3>
                <span class="node__role" title=role>{role.clone()}</span>
                {node.protected.then(protected)}
                {menu_button(Subject::Node(node.name.clone()), upright(texts::some_node(&node.name)))}
            </header>
            {node.past.as_ref().map(|it| view! { <p class="past">{past(it)}</p> })}
            <dl class="node__figures">
                {figure(
                    texts::figures::CPU,
                    history(|it| &it.cpu, Scale::Share, cpu_level),
                    cpu_level,
                    (known(&node.cpu_percent, |cpu| whole(*cpu)), threads).into_any(),
                )}
                {figure(
                    texts::figures::MEMORY,
                    history(|it| &it.memory, Scale::Share, memory_level),
                    memory_level,
                    (used, total).into_any(),
                )}
                {io_wait
                    .map(|io_wait| {
                        figure(
                            texts::figures::IO_WAIT,
                            history(|it| &it.io_wait, Scale::Wait, wait_level),
                            wait_level,
                            known(io_wait, |wait| whole(*wait)),
                        )
                    })}
            </dl>
            {reasons(node, &figures)}
            <footer class="node__foot">
                <span>{guests}</span>
                <span>
                    {celsius} {texts::nodes::UP}
                    {known(&node.uptime, |uptime| units::age(*uptime))}
                </span>
            </footer>
        </article>
    }
    .into_any()
}

/// Draws the lock of a protected node.
fn protected() -> AnyView {
    view! {
        <span class="node__lock" title=texts::nodes::PROTECTED>
            {icon(Icon::LOCK)}
            {hidden(texts::nodes::IS_PROTECTED)}
        </span>
    }
    .into_any()
}

/// Draws a figure with its last hour.
fn figure(name: &'static str, trace: AnyView, level: Level, value: AnyView) -> AnyView {
    view! {
        <div class="node__figure">
            <dt>{name}</dt>
            <dd class="node__trace">{trace}</dd>
            <dd class=level.class("node__value")>{value}</dd>
        </div>
    }
    .into_any()
}

/// Draws a light for a state, with its word unless that is the usual one.
fn dot(state: &Known<String>) -> AnyView {
    match state.value().map(String::as_str) {
        Some("online") => view! {
            <span class="state state--good">{hidden(texts::nodes::ONLINE)}</span>
        }
        .into_any(),
        _ => self::state(state),
    }
}

/// Draws a state as a word with a light.
pub(super) fn state(state: &Known<String>) -> AnyView {
    let (class, word) = match state.value().map(String::as_str) {
        Some("online") => ("state state--good", texts::nodes::ONLINE),
        Some("offline") => ("state state--bad", texts::nodes::OFFLINE),
        Some(other) => {
            return view! { <span class="state">{upright(other.to_owned())}</span> }.into_any();
        }
        None => ("state state--unknown", texts::UNKNOWN),
    };
    view! { <span class=class>{word}</span> }.into_any()
}

/// Draws the reasons why figures are unknown, each once, except the one in the line on age.
pub(super) fn reasons(node: &NodePart, figures: &[(&'static str, Option<&str>)]) -> AnyView {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, reason) in figures.iter().copied() {
        let told = |reason: &str| node.past.as_ref().is_some_and(|past| past.reason == reason);
        let Some(reason) = reason.filter(|reason| !told(reason)) else {
            continue;
        };
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason.to_owned(), vec![name])),
        }
    }
    let lines = reasons
        .into_iter()
        .map(|(reason, names)| texts::figures::unknown(&names.join(", "), &upright(reason)));
    pieces::reasons(lines.collect())
}
