//! The controls above the table of guests, and the headings of its columns.

use leptos::{ev, prelude::*};

use crate::{
    domains::homelab::arrange::{ArrangedGroup, Arrangement, Column, WantedOrder},
    ui::{live, on, press},
};

const GROUPS: [(ArrangedGroup, &str); 5] = [
    (ArrangedGroup::Nothing, "nothing"),
    (ArrangedGroup::Node, "node"),
    (ArrangedGroup::State, "state"),
    (ArrangedGroup::Kind, "type"),
    (ArrangedGroup::Tag, "tag"),
];

pub(super) fn filters(arrangement: RwSignal<Arrangement>, count: AnyView) -> AnyView {
    let choose = move |wanted: WantedOrder, name: &'static str| {
        let pressed = live(move || {
            if arrangement.read().wanted == wanted {
                "true"
            } else {
                "false"
            }
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
    let grouped = on(move |event: ev::Event| {
        let value = event_target_value(&event);
        let chosen = GROUPS.into_iter().find(|(_, name)| *name == value);
        if let Some((group, _)) = chosen {
            arrangement.update(|it| {
                it.group = group;
                it.closed.clear();
            });
        }
    });
    let option =
        |(_, name): (ArrangedGroup, &'static str)| view! { <option value=name>{name}</option> };
    view! {
        <div class="filters" role="search" aria-label="Guests">
            <label class="filters__text">
                <span class="visually-hidden">"Find guests by name, number, node, type or tag"</span>
                <input
                    type="search"
                    placeholder="Name, number, node, tag"
                    autocomplete="off"
                    spellcheck="false"
                    on:input=typed
                />
            </label>
            <div class="filters__choices" role="group" aria-label="State">
                {choose(WantedOrder::All, "All")} {choose(WantedOrder::Running, "Running")}
                {choose(WantedOrder::Stopped, "Stopped")} {choose(WantedOrder::Other, "Other")}
            </div>
            <label class="filters__group">
                <span>"Group by"</span>
                <select on:change=grouped>{Vec::from(GROUPS.map(option))}</select>
            </label>
            <p class="filters__count" role="status">
                {count}
            </p>
        </div>
    }
    .into_any()
}

pub(super) fn heading(
    arrangement: RwSignal<Arrangement>,
    column: Column,
    name: &'static str,
) -> AnyView {
    let sorted = live(move || {
        let arrangement = arrangement.read();
        (arrangement.by == column).then_some(if arrangement.descending {
            "descending"
        } else {
            "ascending"
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
