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
        ClusterObject,
        act::{Subject, act_button},
        board::HudBoard,
        figure::{age, hundredths, known, meter, past, percent, share, tenths, used_of},
        link::link,
        nodes::{reasons, state},
        pieces::chip,
        sparkline::sparkline,
        texts,
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
        Some(threads) => texts::things::of_threads(&percent(*cpu), threads),
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
        (texts::figures::inline::STATE, node.state.reason()),
        (texts::figures::inline::CPU, node.cpu_percent.reason()),
        (texts::figures::inline::MEMORY, node.memory_used.reason()),
        (texts::figures::inline::ROOT_DISK, node.disk_used.reason()),
        (texts::figures::inline::LOAD, node.load.reason()),
        (texts::figures::inline::TEMPERATURE, node.celsius.reason()),
        (texts::figures::inline::UPTIME, node.uptime.reason()),
        (texts::figures::inline::VERSION, node.version.reason()),
        (texts::figures::inline::KERNEL, node.kernel.reason()),
    ];
    view! {
        <article class=class aria-label=upright(texts::node(&node.name))>
            <header class="node-card__head">
                <h3>{link(&ClusterObject::Node(node.name.clone()), node.name.clone())}</h3>
                {state(&node.state)}
                {ask(Reference::new("node", node.name.clone()))}
                {act_button(Subject::Node(node.name.clone()), texts::some_node(&node.name))}
                {node.protected.then(|| chip(texts::nodes::IS_PROTECTED))}
            </header>
            {node.role.clone().map(|role| view! { <p class="node-card__role">{upright(role)}</p> })}
            {node.past.as_ref().map(|it| view! { <p class="past">{past(it)}</p> })}
            <dl class="figures">
                {figure(texts::figures::CPU, cpu, meter(node.cpu_percent.value().copied()))}
                {figure(
                    texts::figures::MEMORY,
                    used(&node.memory_used, node.memory_total),
                    meter(memory),
                )}
                {figure(texts::figures::ROOT_DISK, used(&node.disk_used, node.disk_total), meter(disk))}
                {figure(texts::figures::LOAD, loads, ().into_any())}
                {figure(
                    texts::figures::TEMPERATURE,
                    known(&node.celsius, |celsius| texts::figures::celsius(&tenths(*celsius))),
                    heat.into_any(),
                )}
                {figure(
                    texts::figures::UPTIME,
                    known(&node.uptime, |uptime| span(*uptime)),
                    ().into_any(),
                )}
                {figure(
                    texts::figures::VERSION,
                    known(&node.version, |version| upright(version.clone())),
                    ().into_any(),
                )}
                {figure(
                    texts::figures::KERNEL,
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
