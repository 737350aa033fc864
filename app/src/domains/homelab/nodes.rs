//! A card for each node.

use homelab_wire::NodePart;
use leptos::prelude::*;
use protocol::{Known, Reference};

use super::{
    act::{Subject, act_button},
    ask::ask,
    board::HudBoard,
    figure::{age, hundredths, known, meter, past, percent, share, tenths, used_of},
    link::link,
    sparkline::sparkline,
};
use crate::{
    domains::homelab::Thing,
    format::{span, upright},
    ui::{Key, each, live_view},
};

/// A node that is busier or fuller than this is marked, in percent.
const HIGH: f64 = 85.0;

pub(super) fn nodes(board: &HudBoard) -> AnyView {
    let all = board.nodes();
    let names = move || all.names();
    let board = board.clone();
    let cards = each(
        names,
        |name| Key::Name(name.clone()),
        move |name| {
            let board = board.clone();
            let node = board.nodes().get(&name);
            live_view(move || match node.as_ref().map(|node| node.get()) {
                Some(node) => card(&board, &node),
                None => ().into_any(),
            })
        },
    );
    view! { <div class="node-cards">{cards}</div> }.into_any()
}

pub(super) fn card(board: &HudBoard, node: &NodePart) -> AnyView {
    let class = if node.past.is_some() {
        "node-card node-card--past"
    } else {
        "node-card"
    };
    let history = {
        let (board, name) = (board.clone(), node.name.clone());
        live_view(move || match board.history(&name) {
            Some(history) => sparkline(&history),
            None => ().into_any(),
        })
    };
    let cpu = known(&node.cpu_percent, |cpu| match node.threads {
        Some(threads) => format!("{} of {threads} threads", percent(*cpu)),
        None => percent(*cpu),
    });
    let used = |used: &Known<u64>, total| known(used, |used| used_of(*used, total));
    let memory = share(node.memory_used.value().copied(), node.memory_total);
    let disk = share(node.disk_used.value().copied(), node.disk_total);
    let heat = node
        .celsius_at
        .map(|at| view! { <span class="node-card__age">" " {age(Some(at))}</span> }.into_any());
    let loads = known(&node.load, |load| {
        let load: Vec<String> = load.iter().map(|load| hundredths(*load)).collect();
        load.join(" · ")
    });
    view! {
        <article class=class aria-label=format!("Node {}", node.name)>
            <header class="node-card__head">
                <h3>{link(&Thing::Node(node.name.clone()), node.name.clone())}</h3>
                {state(&node.state)}
                {ask(Reference::new("node", node.name.clone()))}
                {act_button(Subject::Node(node.name.clone()), format!("node {}", node.name))}
                {node.protected.then(|| view! { <span class="chip">"protected"</span> })}
            </header>
            {node.role.clone().map(|role| view! { <p class="node-card__role">{upright(role)}</p> })}
            {node.past.as_ref().map(|it| view! { <p class="past">{past(it)}</p> })}
            <dl class="figures">
                {figure("CPU", cpu, meter(node.cpu_percent.value().copied(), HIGH))}
                {figure("Memory", used(&node.memory_used, node.memory_total), meter(memory, HIGH))}
                {figure("Root disk", used(&node.disk_used, node.disk_total), meter(disk, HIGH))}
                {figure("Load", loads, ().into_any())}
                {figure(
                    "Temperature",
                    known(&node.celsius, |celsius| format!("{} °C", tenths(*celsius))),
                    heat.into_any(),
                )}
                {figure("Uptime", known(&node.uptime, |uptime| span(*uptime)), ().into_any())}
                {figure(
                    "Version",
                    known(&node.version, |version| upright(version.clone())),
                    ().into_any(),
                )}
                {figure(
                    "Kernel",
                    known(&node.kernel, |kernel| upright(kernel.clone())),
                    ().into_any(),
                )}
            </dl>
            {reasons(node)}
            {history}
            <footer class="node-card__source">
                {age(node.at)} " · " <code>{upright(node.source.clone())}</code>
            </footer>
        </article>
    }
    .into_any()
}

pub(super) fn figure(name: &'static str, value: AnyView, more: AnyView) -> AnyView {
    view! {
        <div class="figures__entry">
            <dt>{name}</dt>
            <dd>{value} {more}</dd>
        </div>
    }
    .into_any()
}

/// Draws a state as a word with a light.
pub(super) fn state(state: &Known<String>) -> AnyView {
    let (class, word) = match state.value().map(String::as_str) {
        Some("online") => ("state state--good", "online"),
        Some("offline") => ("state state--bad", "offline"),
        Some(other) => return view! { <span class="state">{other.to_owned()}</span> }.into_any(),
        None => ("state state--unknown", "unknown"),
    };
    view! { <span class=class>{word}</span> }.into_any()
}

/// Draws the reasons why figures are unknown, each once, except the one in the line on age.
fn reasons(node: &NodePart) -> AnyView {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, reason) in [
        ("state", node.state.reason()),
        ("CPU", node.cpu_percent.reason()),
        ("memory", node.memory_used.reason()),
        ("root disk", node.disk_used.reason()),
        ("load", node.load.reason()),
        ("temperature", node.celsius.reason()),
        ("uptime", node.uptime.reason()),
        ("version", node.version.reason()),
        ("kernel", node.kernel.reason()),
    ] {
        let told = |reason: &str| node.past.as_ref().is_some_and(|past| past.reason == reason);
        let Some(reason) = reason.filter(|reason| !told(reason)) else {
            continue;
        };
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason.to_owned(), vec![name])),
        }
    }
    let lines = reasons.into_iter().map(|(reason, names)| {
        let text = format!("Unknown {}: {}", names.join(", "), upright(reason));
        view! { <li>{text}</li> }
    });
    let lines: Vec<_> = lines.collect();
    (!lines.is_empty())
        .then(|| view! { <ul class="reasons">{lines}</ul> })
        .into_any()
}
