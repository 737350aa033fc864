//! The controls above the list of guests, and the headings of the table's columns.

use kit::{Icon, icon, live, live_text, on, press};
use leptos::{ev, prelude::*};

use super::kept::GuestForm;
use crate::domains::homelab::{
    arrange::{ArrangedGroup, Arrangement, Column, WantedOrder},
    pieces::hidden,
    tally::HudTally,
    texts,
};

const GROUPS: [(ArrangedGroup, &str); 5] = [
    (ArrangedGroup::Nothing, texts::guests::BY_NOTHING),
    (ArrangedGroup::Node, texts::guests::BY_NODE),
    (ArrangedGroup::State, texts::guests::BY_STATE),
    (ArrangedGroup::Kind, texts::guests::BY_TYPE),
    (ArrangedGroup::Tag, texts::guests::BY_TAG),
];

pub(super) fn filters(arrangement: RwSignal<Arrangement>, tally: Memo<HudTally>) -> AnyView {
    let choose = move |wanted: WantedOrder, name: &'static str, count: fn(&HudTally) -> usize| {
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
                class="segment"
                aria-pressed=pressed
                on:click=press(move || arrangement.update(|it| it.wanted = wanted))
            >
                {name}
                " "
                <span class="segment__count">{live_text(move || count(&tally.read()).to_string())}</span>
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
    let option = move |(group, name): (ArrangedGroup, &'static str)| {
        let selected = live(move || arrangement.read().group == group);
        view! { <option value=name prop:selected=selected>{name}</option> }
    };
    view! {
        <div class="segments" role="group" aria-label=texts::guests::STATE>
            {choose(WantedOrder::All, texts::guests::ALL, |tally| tally.all + tally.templates)}
            {choose(WantedOrder::Running, texts::guests::RUNNING, |tally| tally.running)}
            {choose(WantedOrder::Idle, texts::guests::NOT_RUNNING, |tally| tally.idle)}
            {choose(
                WantedOrder::Uncovered,
                texts::guests::NO_RECENT_BACKUP,
                |tally| tally.backups.gaps(),
            )}
        </div>
        <label class="filters__text">
            {hidden(texts::guests::FIND_BY)}
            <input
                type="search"
                placeholder=texts::guests::FIND
                autocomplete="off"
                spellcheck="false"
                on:input=typed
            />
        </label>
        <label class="filters__group">
            <span>{texts::guests::GROUP_BY}</span>
            <select on:change=grouped>{Vec::from(GROUPS.map(option))}</select>
        </label>
    }
    .into_any()
}

/// Draws the choice between table and tiles.
pub(super) fn forms(form: RwSignal<GuestForm>) -> AnyView {
    let choose = move |one: GuestForm, name: &'static str, mark: Icon| {
        let pressed = live(move || if form.get() == one { "true" } else { "false" });
        view! {
            <button
                type="button"
                class="segment"
                aria-pressed=pressed
                on:click=press(move || form.set(one))
            >
                {icon(mark)}
                {name}
            </button>
        }
        .into_any()
    };
    view! {
        <div class="segments" role="group" aria-label=texts::guests::VIEW>
            {choose(GuestForm::Table, texts::guests::TABLE, Icon::ROWS)}
            {choose(GuestForm::Tiles, texts::guests::TILES, Icon::TILES)}
        </div>
    }
    .into_any()
}

pub(super) fn heading(
    arrangement: RwSignal<Arrangement>,
    column: Column,
    name: &'static str,
    class: &'static str,
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
        <th scope="col" class=class aria-sort=sorted>
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
