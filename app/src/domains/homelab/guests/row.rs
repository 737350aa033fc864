//! A row of the table of guests.

use homelab_wire::GuestPart;
use kit::format::{size, upright};
use leptos::prelude::*;
use protocol::Known;

use crate::domains::homelab::{
    ClusterObject,
    act::{Subject, menu_button},
    backups::last_backup,
    figure::{Level, known, meter, past, share, unknown_because, used_of, whole},
    link::link,
    pieces::hidden,
    texts,
};

pub(super) fn row(guest: &GuestPart) -> AnyView {
    let name = guest
        .name
        .clone()
        .unwrap_or_else(|| texts::guests::WITHOUT_NAME.to_owned());
    let full_name = upright(name.clone());
    let tags = guest.tags.iter().map(|tag| {
        let tag = upright(tag.clone());
        view! { <span class="chip">{tag}</span> }
    });
    let all_tags = (!guest.tags.is_empty()).then(|| upright(guest.tags.join(", ")));
    let uptime = applying(&guest.uptime, |uptime| {
        known(uptime, |uptime| units::age(*uptime))
    });
    let backup = applying(&guest.backup, last_backup);
    view! {
        <th scope="row" title=full_name>
            {state_light(guest)} {link(&ClusterObject::Guest(guest.vmid), name)} {lock(guest)}
        </th>
        <td class="guests__id">{guest.vmid.to_string()}</td>
        <td>{upright(guest.kind.clone())}</td>
        <td class="guests__node" title=upright(guest.node.clone())>{link(&ClusterObject::Node(guest.node.clone()), guest.node.clone())}</td>
        <td>{cpu(guest)}</td>
        <td>{memory(guest)}</td>
        <td class="guests__wide">{disk(guest)}</td>
        <td class="guests__wide">{network(guest)}</td>
        <td>{uptime}</td>
        <td>{backup}</td>
        <td class="guests__tags" title=all_tags>{tags.collect::<Vec<_>>()}</td>
        <td class="guests__menu">{menu_button(Subject::Guest(guest.vmid), about(guest))}</td>
    }
    .into_any()
}

/// Names a guest for readers who cannot see its row: `CT 231 on node agent`.
pub(super) fn about(guest: &GuestPart) -> String {
    upright(texts::guest_on(&guest.kind, guest.vmid, &guest.node))
}

/// Draws a light for the state; its word is for readers who cannot see the colour.
pub(super) fn state_light(guest: &GuestPart) -> AnyView {
    let (class, word) = state_word(guest);
    view! {
        <span class=class title=word>
            <span class="visually-hidden guests__state">{word.clone()}</span>
        </span>
    }
    .into_any()
}

/// Draws the processor's share; of a guest that does not run, its state.
fn cpu(guest: &GuestPart) -> AnyView {
    match &guest.cpu_percent {
        Some(Known::Value(percent)) => view! {
            <span class=Level::of(Some(*percent)).class("gauge")>
                {meter(Some(*percent))} <span>{whole(*percent)}</span>
            </span>
        }
        .into_any(),
        Some(Known::Unknown { unknown }) if guest.state.value().is_some() => {
            unknown_because(unknown)
        }
        _ => {
            let (_, word) = state_word(guest);
            let old = guest.past.as_ref().map(|it| {
                view! { <span class="visually-hidden">", " {past(it)}</span> }
            });
            view! { <span class="guests__off" title=word>{word.clone()} {old}</span> }.into_any()
        }
    }
}

fn memory(guest: &GuestPart) -> AnyView {
    match (&guest.memory_used, guest.memory_total) {
        (Some(Known::Value(used)), total) => {
            let percent = share(Some(*used), total);
            view! {
                <span class=Level::of(percent).class("gauge")>
                    {meter(percent)} <span>{used_of(*used, total)}</span>
                </span>
            }
            .into_any()
        }
        (Some(Known::Unknown { unknown }), _) => unknown_because(unknown),
        (None, Some(total)) => {
            view! { <span class="guests__off">{texts::figures::of(&size(total))}</span> }.into_any()
        }
        (None, None) => applying::<()>(&None, |()| ().into_any()),
    }
}

fn lock(guest: &GuestPart) -> Option<AnyView> {
    let lock = guest.lock.clone()?;
    let text = texts::guests::locked(&upright(lock));
    Some(view! { <span class="chip">{text}</span> }.into_any())
}

/// Draws the network traffic in both directions.
pub(in crate::domains::homelab) fn network(guest: &GuestPart) -> AnyView {
    match (&guest.net_in, &guest.net_out) {
        (Some(Known::Value(received)), Some(Known::Value(sent))) => {
            let text = format!("{}/s", size(*received));
            let more = format!("{}/s", size(*sent));
            view! {
                <span class="guests__rate">
                    {hidden(texts::guests::RECEIVES)}
                    <span aria-hidden="true">"↓ "</span>
                    {text}
                </span>
                <span class="guests__rate">
                    {hidden(texts::guests::SENDS)}
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
            let percent = share(Some(*used), total);
            view! {
                <span class=Level::of(percent)
                    .class("gauge")>{meter(percent)} <span>{used_of(*used, total)}</span></span>
            }
            .into_any()
        }
        // The cluster knows the use of no VM's disk.
        (Some(Known::Unknown { unknown }), Some(total)) => {
            let reason = texts::guests::use_unknown(&upright(unknown.clone()));
            let total = texts::figures::of(&size(total));
            view! { <span class="guests__off" title=reason>{total}</span> }.into_any()
        }
        (Some(Known::Unknown { unknown }), None) => unknown_because(unknown),
        (None, Some(total)) => size(total).into_any(),
        (None, None) => applying::<()>(&None, |()| ().into_any()),
    }
}

/// Returns the class and the word for a guest's state.
fn state_word(guest: &GuestPart) -> (&'static str, String) {
    match (&guest.state, &guest.was) {
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
            texts::guests::unknown_was(&upright(was.clone())),
        ),
        (Known::Unknown { .. }, None) => ("state state--unknown", texts::UNKNOWN.to_owned()),
    }
}

pub(in crate::domains::homelab) fn state(guest: &GuestPart) -> AnyView {
    let (class, word) = state_word(guest);
    view! {
        <span class=class>{word}</span>
        {lock(guest)}
    }
    .into_any()
}
