//! A row of the table of guests.

use homelab_wire::GuestPart;
use leptos::prelude::*;
use protocol::{Known, Reference};

use crate::{
    domains::homelab::Thing,
    domains::homelab::{
        act::{Subject, act_button},
        ask::ask,
        backups::last_backup,
        figure::{known, meter, past, percent, share, unknown_because, used_of},
        link::link,
    },
    format::{size, span, upright},
};

/// A guest that is busier or fuller than this is marked, in percent.
pub(in crate::domains::homelab) const HIGH: f64 = 90.0;

pub(super) fn row(guest: &GuestPart) -> AnyView {
    let class = if guest.past.is_some() {
        "guests__row guests__row--past"
    } else {
        "guests__row"
    };
    let name = guest.name.clone().map_or_else(
        || link(&Thing::Guest(guest.vmid), "without a name".to_owned()),
        |name| link(&Thing::Guest(guest.vmid), name),
    );
    let tags = guest.tags.iter().map(|tag| {
        let tag = upright(tag.clone());
        view! { <span class="chip">{tag}</span> }
    });
    let cpu = applying(&guest.cpu_percent, |cpu| {
        let meter = meter(cpu.value().copied(), HIGH);
        (known(cpu, |cpu| percent(*cpu)), meter).into_any()
    });
    let memory = applying(&guest.memory_used, |used| {
        let meter = meter(share(used.value().copied(), guest.memory_total), HIGH);
        (
            known(used, |used| used_of(*used, guest.memory_total)),
            meter,
        )
            .into_any()
    });
    let about = format!("{} {} on node {}", guest.kind, guest.vmid, guest.node);
    view! {
        <tr class=class>
            <th scope="row">
                {name}
                <span class="guests__do">
                    {ask(Reference::new("guest", guest.vmid.to_string()))}
                    {act_button(Subject::Guest(guest.vmid), about)}
                </span>
                {guest.past.as_ref().map(|it| view! { <span class="past">{past(it)}</span> })}
            </th>
            <td class="guests__number">{guest.vmid.to_string()}</td>
            <td>{link(&Thing::Node(guest.node.clone()), guest.node.clone())}</td>
            <td>{state(guest)}</td>
            <td>{guest.kind.clone()}</td>
            <td class="guests__number">{cpu}</td>
            <td class="guests__number">{memory}</td>
            <td class="guests__number">{disk(guest)}</td>
            <td class="guests__number">{network(guest)}</td>
            <td class="guests__number">
                {applying(&guest.uptime, |uptime| known(uptime, |uptime| span(*uptime)))}
            </td>
            <td class="guests__number">{applying(&guest.backup, last_backup)}</td>
            <td>{tags.collect::<Vec<_>>()}</td>
        </tr>
    }
    .into_any()
}

/// Draws the network traffic in both directions.
pub(in crate::domains::homelab) fn network(guest: &GuestPart) -> AnyView {
    match (&guest.net_in, &guest.net_out) {
        (Some(Known::Value(received)), Some(Known::Value(sent))) => {
            let text = format!("{}/s", size(*received));
            let more = format!("{}/s", size(*sent));
            view! {
                <span class="guests__rate">
                    <span class="visually-hidden">"receives "</span>
                    <span aria-hidden="true">"↓ "</span>
                    {text}
                </span>
                <span class="guests__rate">
                    <span class="visually-hidden">", sends "</span>
                    <span aria-hidden="true">"↑ "</span>
                    {more}
                </span>
            }
            .into_any()
        }
        (Some(Known::Unknown { unknown }), _) | (_, Some(Known::Unknown { unknown })) => {
            unknown_because(unknown)
        }
        _ => applying::<()>(&None, |()| ().into_any()),
    }
}

/// Draws a figure, or a dash where it does not apply.
pub(in crate::domains::homelab) fn applying<T>(
    figure: &Option<T>,
    show: impl FnOnce(&T) -> AnyView,
) -> AnyView {
    match figure {
        Some(figure) => show(figure),
        None => view! { <span class="none">"–"</span> }.into_any(),
    }
}

/// Draws the use of the disk if that is known, else its size.
pub(in crate::domains::homelab) fn disk(guest: &GuestPart) -> AnyView {
    match (&guest.disk_used, guest.disk_total) {
        (Some(Known::Value(used)), total) => {
            let meter = meter(share(Some(*used), total), HIGH);
            (used_of(*used, total), meter).into_any()
        }
        (Some(Known::Unknown { unknown }), Some(total)) => {
            let reason = upright(unknown.clone());
            view! { <span title=reason>"unknown of "{size(total)}</span> }.into_any()
        }
        (Some(Known::Unknown { unknown }), None) => unknown_because(unknown),
        (None, Some(total)) => size(total).into_any(),
        (None, None) => applying::<()>(&None, |()| ().into_any()),
    }
}

pub(in crate::domains::homelab) fn state(guest: &GuestPart) -> AnyView {
    let (class, word) = match (&guest.state, &guest.was) {
        (Known::Value(state), _) => {
            let class = match state.as_str() {
                "running" => "state state--good",
                "stopped" | "template" => "state state--off",
                _ => "state state--odd",
            };
            (class, upright(state.clone()))
        }
        (Known::Unknown { .. }, Some(was)) => (
            "state state--unknown",
            format!("unknown, was {}", upright(was.clone())),
        ),
        (Known::Unknown { .. }, None) => ("state state--unknown", "unknown".to_owned()),
    };
    let lock = guest.lock.clone().map(|lock| {
        let text = format!("locked: {}", upright(lock));
        view! { <span class="chip">{text}</span> }
    });
    view! {
        <span class=class>{word}</span>
        {lock}
    }
    .into_any()
}
