//! A node as the board shows it, with everything that is known of it.

use homelab_wire::NodePart;
use kit::{
    format::{span, upright},
    live_view,
};
use leptos::prelude::*;
use protocol::{Known, Reference};

use crate::{
    dock::ask,
    domains::homelab::{
        Thing,
        act::{Subject, act_button},
        board::HudBoard,
        figure::{age, hundredths, known, meter, past, percent, share, tenths, used_of},
        link::link,
        nodes::{reasons, state},
        sparkline::sparkline,
    },
};

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
    let figures = [
        ("state", node.state.reason()),
        ("CPU", node.cpu_percent.reason()),
        ("memory", node.memory_used.reason()),
        ("root disk", node.disk_used.reason()),
        ("load", node.load.reason()),
        ("temperature", node.celsius.reason()),
        ("uptime", node.uptime.reason()),
        ("version", node.version.reason()),
        ("kernel", node.kernel.reason()),
    ];
    view! {
        <article class=class aria-label=upright(format!("Node {}", node.name))>
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
                {figure("CPU", cpu, meter(node.cpu_percent.value().copied()))}
                {figure("Memory", used(&node.memory_used, node.memory_total), meter(memory))}
                {figure("Root disk", used(&node.disk_used, node.disk_total), meter(disk))}
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
            {reasons(node, &figures)}
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
