//! The table of guests: filtered by text and state, ordered by any column.

use leptos::{ev, prelude::*};
use protocol::{GuestPart, Known};

use super::{
    arrange::{Arrangement, Column, Wanted},
    ask::ask,
    board::Board,
    figure::{known, meter, past, percent, share, unknown_because, used_of},
};
use crate::{
    format::{size, span, upright},
    ui::{Key, each, live, live_text, live_view, on, press},
};

/// A guest that is busier or fuller is marked.
const HIGH: f64 = 90.0;

const COLUMNS: [(Column, &str); 8] = [
    (Column::Name, "Name"),
    (Column::Id, "ID"),
    (Column::Node, "Node"),
    (Column::State, "State"),
    (Column::Cpu, "CPU"),
    (Column::Memory, "Memory"),
    (Column::Disk, "Disk"),
    (Column::Uptime, "Uptime"),
];

pub(super) fn guests(board: &Board) -> AnyView {
    let arrangement = RwSignal::new(Arrangement::default());
    let all = board.guests();
    let shown = {
        let all = all.clone();
        Memo::new(move |_| arrangement.read().of(&all.all()))
    };
    let count = {
        let (all, board) = (all.clone(), board.clone());
        live_text(move || {
            let total = all.names().len();
            if total == 0 && is_unknown(&board) {
                return "unknown".to_owned();
            }
            match shown.read().len() {
                shown if shown == total => format!("{total} guests"),
                shown => format!("{shown} of {total} guests"),
            }
        })
    };
    let rows = each(
        move || shown.get(),
        |name| Key::Name(name.clone()),
        move |name| {
            let guest = all.get(&name);
            live_view(move || match guest.as_ref().map(|guest| guest.get()) {
                Some(guest) => row(&guest),
                None => ().into_any(),
            })
        },
    );
    let nothing = {
        let (all, board) = (board.guests(), board.clone());
        live_view(move || {
            let text = match (all.names().is_empty(), shown.read().is_empty()) {
                (true, _) if is_unknown(&board) => return ().into_any(),
                (true, _) => "There are no guests.",
                (false, true) => "No guest fits.",
                (false, false) => return ().into_any(),
            };
            view! { <p class="hud__none">{text}</p> }.into_any()
        })
    };
    view! {
        {filters(arrangement, count)}
        <div class="guests-scroll">
            <table class="guests">
                <caption class="visually-hidden">"Guests"</caption>
                <thead>
                    <tr>
                        {Vec::from(COLUMNS.map(|(column, name)| heading(arrangement, column, name)))}
                        <th scope="col">"Tags"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {nothing}
    }
    .into_any()
}

/// Whether nobody knows which guests there are.
fn is_unknown(board: &Board) -> bool {
    let cluster = board.cluster();
    cluster.is_none_or(|cluster| cluster.guests.value().is_none())
}

fn filters(arrangement: RwSignal<Arrangement>, count: AnyView) -> AnyView {
    let choose = move |wanted: Wanted, name: &'static str| {
        let pressed = live(move || match arrangement.read().wanted == wanted {
            true => "true",
            false => "false",
        });
        view! {
            <button
                type="button"
                class="filters__choice"
                aria-pressed=pressed
                on:click=press(move || arrangement.update(|it| it.wanted = wanted))
            >
                {name}
            </button>
        }
        .into_any()
    };
    let typed = on(move |event: ev::Event| {
        let text = event_target_value(&event);
        arrangement.update(|it| it.text = text);
    });
    view! {
        <div class="filters" role="search" aria-label="Guests">
            <label class="filters__text">
                <span class="visually-hidden">"Find guests by name, number, node or tag"</span>
                <input
                    type="search"
                    placeholder="Name, number, node, tag"
                    autocomplete="off"
                    spellcheck="false"
                    on:input=typed
                />
            </label>
            <div class="filters__choices" role="group" aria-label="State">
                {choose(Wanted::All, "All")} {choose(Wanted::Running, "Running")}
                {choose(Wanted::Stopped, "Stopped")} {choose(Wanted::Other, "Other")}
            </div>
            <p class="filters__count" role="status">
                {count}
            </p>
        </div>
    }
    .into_any()
}

fn heading(arrangement: RwSignal<Arrangement>, column: Column, name: &'static str) -> AnyView {
    let sorted = live(move || {
        let arrangement = arrangement.read();
        (arrangement.by == column).then_some(match arrangement.descending {
            true => "descending",
            false => "ascending",
        })
    });
    view! {
        <th scope="col" aria-sort=sorted>
            <button
                type="button"
                class="guests__order"
                on:click=press(move || arrangement.update(|it| it.order_by(column)))
            >
                {name}
                <span class="guests__arrow" aria-hidden="true"></span>
            </button>
        </th>
    }
    .into_any()
}

fn row(guest: &GuestPart) -> AnyView {
    let class = match guest.past.is_some() {
        true => "guests__row guests__row--past",
        false => "guests__row",
    };
    let name = guest.name.clone().map_or_else(
        || unknown_because("not reported"),
        |name| upright(name).into_any(),
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
    view! {
        <tr class=class>
            <th scope="row">
                {name} {ask(format!("{} {} on node {}", guest.kind, guest.vmid, guest.node))}
                {guest.past.as_ref().map(|it| view! { <span class="past">{past(it)}</span> })}
            </th>
            <td class="guests__number">{format!("{} {}", guest.kind, guest.vmid)}</td>
            <td>{upright(guest.node.clone())}</td>
            <td>{state(guest)}</td>
            <td class="guests__number">{cpu}</td>
            <td class="guests__number">{memory}</td>
            <td class="guests__number">{disk(guest)}</td>
            <td class="guests__number">
                {applying(&guest.uptime, |uptime| known(uptime, |uptime| span(*uptime)))}
            </td>
            <td>{tags.collect::<Vec<_>>()}</td>
        </tr>
    }
    .into_any()
}

/// A figure, or a dash where there is none to be had.
fn applying<T>(figure: &Option<T>, show: impl FnOnce(&T) -> AnyView) -> AnyView {
    match figure {
        Some(figure) => show(figure),
        None => view! { <span class="none">"–"</span> }.into_any(),
    }
}

/// How full the disk is where that is known, else how large.
fn disk(guest: &GuestPart) -> AnyView {
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

fn state(guest: &GuestPart) -> AnyView {
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
