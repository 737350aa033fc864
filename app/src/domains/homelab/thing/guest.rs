//! A guest as the board shows it.

use homelab_wire::GuestPart;
use kit::format::{span, upright};
use leptos::prelude::*;

use super::node::figure;
use crate::{
    domains::homelab::ClusterObject,
    domains::homelab::{
        backups::last_backup,
        figure::{known, meter, past, percent, share, used_of},
        guests::{applying, disk, network, state},
        link::link,
        texts,
    },
};

pub(super) fn guest_card(guest: &GuestPart) -> AnyView {
    let class = if guest.past.is_some() {
        "node-card node-card--past"
    } else {
        "node-card"
    };
    let name = match &guest.name {
        Some(name) => upright(name.clone()),
        None => texts::guests::WITHOUT_NAME.to_owned(),
    };
    let cpu = applying(&guest.cpu_percent, |cpu| {
        let meter = meter(cpu.value().copied());
        let text = known(cpu, |cpu| match guest.cores {
            Some(cores) => texts::things::of_cores(&percent(*cpu), cores),
            None => percent(*cpu),
        });
        (text, meter).into_any()
    });
    let memory = applying(&guest.memory_used, |used| {
        let meter = meter(share(used.value().copied(), guest.memory_total));
        let text = known(used, |used| used_of(*used, guest.memory_total));
        (text, meter).into_any()
    });
    let tags = guest.tags.iter().map(|tag| {
        let tag = upright(tag.clone());
        view! { <span class="chip">{tag}</span> }
    });
    let tags: Vec<_> = tags.collect();
    let tags = if tags.is_empty() {
        texts::things::NO_TAGS.into_any()
    } else {
        tags.into_any()
    };
    let nothing = || ().into_any();
    view! {
        <article class=class aria-label=format!("{} {}", guest.kind, guest.vmid)>
            <header class="node-card__head">
                <h2>{name}</h2>
                {state(guest)}
            </header>
            {guest.past.as_ref().map(|it| view! { <p class="past">{past(it)}</p> })}
            <dl class="figures figures--wide">
                {figure(
                    texts::guests::NODE,
                    link(&ClusterObject::Node(guest.node.clone()), guest.node.clone()),
                    nothing(),
                )}
                {figure(
                    texts::guests::TYPE,
                    match guest.kind.as_str() {
                        "VM" => texts::things::VIRTUAL_MACHINE,
                        _ => texts::things::CONTAINER,
                    }
                        .into_any(),
                    nothing(),
                )} {figure(texts::figures::CPU, cpu, nothing())}
                {figure(texts::figures::MEMORY, memory, nothing())}
                {figure(texts::figures::DISK, disk(guest), nothing())}
                {figure(texts::figures::NETWORK, network(guest), nothing())}
                {figure(
                    texts::figures::UPTIME,
                    applying(&guest.uptime, |uptime| known(uptime, |uptime| span(*uptime))),
                    nothing(),
                )} {figure(texts::things::BACKUP, applying(&guest.backup, last_backup), nothing())}
                {figure(texts::guests::TAGS, tags, nothing())}
            </dl>
        </article>
    }
    .into_any()
}
