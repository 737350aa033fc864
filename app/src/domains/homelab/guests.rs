//! The table of guests: filtered by text and state, sorted by any column, grouped by node, state,
//! type or tag.

mod filters;
mod row;

use homelab_wire::GuestPart;
use leptos::prelude::*;

pub(super) use self::row::{HIGH, applying, disk, network, state};
use self::{
    filters::{filters, heading},
    row::row,
};
use super::{
    arrange::{ArrangedLine, Arrangement, Column},
    board::HudBoard,
};
use crate::{
    format::upright,
    ui::{Key, each, live_text, live_view, press},
};

const COLUMNS: [(Column, &str); 12] = [
    (Column::Name, "Name"),
    (Column::Id, "ID"),
    (Column::Node, "Node"),
    (Column::State, "State"),
    (Column::Kind, "Type"),
    (Column::Cpu, "CPU"),
    (Column::Memory, "Memory"),
    (Column::Disk, "Disk"),
    (Column::Network, "Network"),
    (Column::Uptime, "Uptime"),
    (Column::Backup, "Backup"),
    (Column::Tags, "Tags"),
];

pub(super) fn guests(board: &HudBoard) -> AnyView {
    let arrangement = RwSignal::new(Arrangement::default());
    let all = board.guests();
    let shown = {
        let all = all.clone();
        Memo::new(move |_| arrangement.read().lines(&all.all()))
    };
    let count = {
        let (all, board) = (all.clone(), board.clone());
        live_text(move || {
            let total = all.names().len();
            if total == 0 && is_unknown(&board) {
                return "unknown".to_owned();
            }
            let is_template = |guest: &GuestPart| {
                let state = guest.state.value();
                state.is_some_and(|state| state == "template")
            };
            let all = all.all();
            let templates = all.iter().filter(|(_, guest)| is_template(guest)).count();
            counted(total, templates, shown.read().1)
        })
    };
    let rows = each(
        move || shown.get().0,
        key,
        move |line| {
            let name = match line {
                ArrangedLine::Heading {
                    group,
                    guests,
                    running,
                    open,
                } => return group_heading(arrangement, group, guests, running, open),
                ArrangedLine::Guest { name, .. } => name,
            };
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
            let text = match (all.names().is_empty(), shown.read().0.is_empty()) {
                (true, _) if is_unknown(&board) => return ().into_any(),
                (true, _) => "There are no guests.",
                (false, true) => "No matching guests.",
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
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {nothing}
    }
    .into_any()
}

/// Formats `44 guests and 1 template`: a template is no guest that could run, here as in every
/// other count.
fn counted(total: usize, templates: usize, shown: usize) -> String {
    let guests = total.saturating_sub(templates);
    let templates = match templates {
        0 => String::new(),
        1 => " and 1 template".to_owned(),
        count => format!(" and {count} templates"),
    };
    if shown == total {
        format!("{guests} guests{templates}")
    } else {
        format!("{shown} shown of {guests} guests{templates}")
    }
}

/// Returns whether the list of guests is unknown.
fn is_unknown(board: &HudBoard) -> bool {
    let cluster = board.cluster();
    cluster.is_none_or(|cluster| cluster.guests.value().is_none())
}

/// Returns the key of a line; a heading is new when its text has changed.
fn key(line: &ArrangedLine) -> Key {
    Key::Name(match line {
        ArrangedLine::Heading {
            group,
            guests,
            running,
            open,
        } => format!("{group}\n{running} {guests} {open}"),
        ArrangedLine::Guest { group, name } => format!("{group}\n\n{name}"),
    })
}

fn group_heading(
    arrangement: RwSignal<Arrangement>,
    group: String,
    guests: usize,
    running: usize,
    open: bool,
) -> AnyView {
    let text = upright(group.clone());
    let turn = press(move || arrangement.update(|it| it.turn(&group)));
    let noun = if guests == 1 { "guest" } else { "guests" };
    view! {
        <tr class="guests__group">
            <th scope="colgroup" colspan=COLUMNS.len().to_string()>
                <button
                    type="button"
                    class="guests__turn"
                    aria-expanded=if open { "true" } else { "false" }
                    on:click=turn
                >
                    {text}
                </button>
                <span class="guests__count">{format!("{guests} {noun}, {running} running")}</span>
            </th>
        </tr>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn templates_are_said_and_not_counted() {
        for (total, templates, shown, expect) in [
            (22, 0, 22, "22 guests"),
            (22, 1, 22, "21 guests and 1 template"),
            (22, 2, 3, "3 shown of 20 guests and 2 templates"),
        ] {
            assert_eq!(counted(total, templates, shown), expect);
        }
    }
}
