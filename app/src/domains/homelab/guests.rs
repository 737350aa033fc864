//! The guests, as a table or as tiles: filtered by text and state, sorted by any column, grouped by
//! node, state, type or tag. Of a long list only the lines in sight are drawn.

mod filters;
mod kept;
mod row;
mod tiles;
mod window;

use homelab_wire::GuestPart;
use kit::{BoardParts, Key, each, effect, format::upright, live, live_text, live_view, press};
use leptos::{html, prelude::*};

use self::{
    filters::{filters, forms, heading},
    kept::{GuestForm, keep},
    row::row,
    window::{DrawnSpan, ListWindow, MOST, Room},
};
pub(super) use self::{
    row::{applying, disk, network, state},
    tiles::tile,
};
use super::{
    arrange::{ArrangedGroup, ArrangedLine, Arrangement, Column, GroupHeading},
    board::HudBoard,
    pieces::{heading as section_heading, hidden, nothing},
    tally::HudTally,
    texts,
};

/// With the class of their cells.
const COLUMNS: [(Column, &str, &str); 11] = [
    (Column::Name, texts::guests::NAME, ""),
    (Column::Id, texts::guests::ID, "guests__id"),
    (Column::Kind, texts::guests::TYPE, ""),
    (Column::Node, texts::guests::NODE, ""),
    (Column::Cpu, texts::figures::CPU, ""),
    (Column::Memory, texts::figures::MEMORY, ""),
    (Column::Disk, texts::figures::DISK, "guests__wide"),
    (Column::Network, texts::figures::NETWORK, "guests__wide"),
    (Column::Uptime, texts::figures::UPTIME, ""),
    (Column::Backup, texts::guests::LAST_BACKUP, ""),
    (Column::Tags, texts::guests::TAGS, ""),
];

/// The list, and what decides what it shows.
#[derive(Clone)]
struct GuestList {
    all: BoardParts<GuestPart>,
    arrangement: RwSignal<Arrangement>,
    shown: Memo<(Vec<ArrangedLine>, usize)>,
    span: Memo<DrawnSpan>,
}

/// Draws the guests. `scroller` scrolls the page, and `moved` changes whenever it does; `more` is
/// drawn at the end of the controls.
pub(super) fn guests(
    board: &HudBoard,
    tally: Memo<HudTally>,
    scroller: NodeRef<html::Div>,
    moved: RwSignal<u32>,
    more: AnyView,
) -> AnyView {
    let arrangement = RwSignal::new(Arrangement::default());
    let form = RwSignal::new(GuestForm::default());
    keep(arrangement, form);
    let all = board.guests();
    let shown = {
        let all = all.clone();
        Memo::new(move |_| arrangement.read().lines(&all.all()))
    };
    let window = ListWindow::new(scroller, moved);
    let list = GuestList {
        all,
        arrangement,
        shown,
        span: Memo::new(move |_| {
            // Among tiles a heading has a row of its own.
            let grouped = arrangement.read().group != ArrangedGroup::Nothing;
            let whole = grouped && form.get() == GuestForm::Tiles;
            window.span(shown.read().0.len(), whole)
        }),
    };
    effect(move || {
        shown.track();
        form.track();
        window.changes();
    });
    let count = {
        let board = board.clone();
        live_text(move || {
            let tally = tally.read();
            let total = tally.all + tally.templates;
            if total == 0 && is_unknown(&board) {
                return texts::UNKNOWN.to_owned();
            }
            texts::guests::counted(total, tally.templates, shown.read().1)
        })
    };
    let empty = {
        let board = board.clone();
        live_view(move || {
            let tally = tally.read();
            let is_empty = tally.all + tally.templates == 0;
            match (is_empty, shown.read().0.is_empty()) {
                (true, _) if is_unknown(&board) => ().into_any(),
                (true, _) => nothing(texts::guests::NO_GUESTS),
                (false, true) => nothing(texts::guests::NO_MATCHING_GUESTS),
                (false, false) => ().into_any(),
            }
        })
    };
    let body = live_view(move || match form.get() {
        GuestForm::Table => table(&list),
        GuestForm::Tiles => tiles(&list),
    });
    view! {
        <div class="filters" role="search" aria-label=texts::guests::GUESTS>
            {section_heading("hud-guests", texts::guests::GUESTS)}
            {filters(arrangement, tally)}
            <div class="filters__end">{forms(form)} {more}</div>
        </div>
        <div class="guests-scroll" node_ref=window.frame>{body}</div>
        {empty}
        <p class="pane__foot" role="status">{count}</p>
    }
    .into_any()
}

/// Returns the lines to draw, with their place in the list.
fn drawn(list: &GuestList) -> impl Fn() -> Vec<(usize, ArrangedLine)> + use<> {
    let (shown, span) = (list.shown, list.span);
    move || {
        let (shown, span) = (shown.read(), span.get());
        let lines = shown.0.iter().cloned().enumerate();
        lines.take(span.to).skip(span.from).collect()
    }
}

fn table(list: &GuestList) -> AnyView {
    let (arrangement, all, shown) = (list.arrangement, list.all.clone(), list.shown);
    let rows = each(
        drawn(list),
        |(_, line)| key(line),
        move |(_, line)| {
            let of = line.clone();
            let place = live(move || row_index(shown, &of));
            let name = match line {
                ArrangedLine::Heading(heading) => {
                    let heading = group_heading(arrangement, heading);
                    let span = (COLUMNS.len() + 1).to_string();
                    return view! {
                        <tr class="guests__group guests__line" aria-rowindex=place>
                            <th scope="colgroup" colspan=span>{heading}</th>
                        </tr>
                    }
                    .into_any();
                }
                ArrangedLine::Guest { name, .. } => name,
            };
            let guest = all.get(&name);
            let past = guest.clone();
            let past = live(move || past.as_ref().is_some_and(|it| it.read().past.is_some()));
            let cells = live_view(move || match guest.as_ref().map(|guest| guest.get()) {
                Some(guest) => row(&guest),
                None => ().into_any(),
            });
            view! {
                <tr
                    class="guests__row guests__line"
                    class:guests__row--past=past
                    aria-rowindex=place
                >
                    {cells}
                </tr>
            }
            .into_any()
        },
    );
    let headings = COLUMNS.map(|(column, name, class)| heading(arrangement, column, name, class));
    let space = |room: AnyView| {
        view! { <tr class="guests__space" aria-hidden="true"><td>{room}</td></tr> }.into_any()
    };
    let count = live(move || is_partial(shown).then(|| (shown.read().0.len() + 1).to_string()));
    view! {
        <table class="guests" aria-rowcount=count>
            <caption class="visually-hidden">{texts::guests::GUESTS}</caption>
            <thead>
                <tr aria-rowindex="1">
                    {Vec::from(headings)}
                    <th scope="col" class="guests__menu">
                        {hidden(texts::guests::ACTIONS)}
                    </th>
                </tr>
            </thead>
            <tbody class="guests__body">
                {Room::Above.draw(list.span, space)} {rows} {Room::Below.draw(list.span, space)}
            </tbody>
        </table>
    }
    .into_any()
}

/// Returns the number of a row among all of them; none if all are in the document, where readers
/// count by themselves. The heading is the first row.
fn row_index(shown: Memo<(Vec<ArrangedLine>, usize)>, line: &ArrangedLine) -> Option<String> {
    let at = is_partial(shown).then(|| shown.read().0.iter().position(|it| it == line));
    at.flatten().map(|at| (at + 2).to_string())
}

/// Returns whether only a part of the lines is in the document.
fn is_partial(shown: Memo<(Vec<ArrangedLine>, usize)>) -> bool {
    shown.read().0.len() > MOST
}

fn tiles(list: &GuestList) -> AnyView {
    let (arrangement, all) = (list.arrangement, list.all.clone());
    let entries = each(
        drawn(list),
        |(_, line)| key(line),
        move |(_, line)| match line {
            ArrangedLine::Heading(heading) => {
                let heading = group_heading(arrangement, heading);
                view! { <li class="tiles__group">{heading}</li> }.into_any()
            }
            ArrangedLine::Guest { name, .. } => {
                let guest = all.get(&name);
                let content = live_view(move || match guest.as_ref().map(|guest| guest.get()) {
                    Some(guest) => tile(&guest),
                    None => ().into_any(),
                });
                view! { <li class="tile guests__line">{content}</li> }.into_any()
            }
        },
    );
    let space = |room: AnyView| {
        view! { <li class="tiles__space" aria-hidden="true">{room}</li> }.into_any()
    };
    view! {
        <ul class="tiles guests__body" aria-label=texts::guests::GUESTS>
            {Room::Above.draw(list.span, space)}
            {entries}
            {Room::Below.draw(list.span, space)}
        </ul>
    }
    .into_any()
}

/// Returns whether the list of guests is unknown.
fn is_unknown(board: &HudBoard) -> bool {
    let cluster = board.cluster();
    cluster.is_none_or(|cluster| cluster.guests.value().is_none())
}

/// Returns the key of a line; a heading is new when its text has changed.
fn key(line: &ArrangedLine) -> Key {
    Key::of(match line {
        ArrangedLine::Heading(it) => {
            format!("{}\n{} {} {}", it.group, it.running, it.guests, it.open)
        }
        ArrangedLine::Guest { group, name } => format!("{group}\n\n{name}"),
    })
}

fn group_heading(arrangement: RwSignal<Arrangement>, heading: GroupHeading) -> AnyView {
    let GroupHeading {
        group,
        guests,
        running,
        open,
    } = heading;
    let text = upright(group.clone());
    let turn = press(move || arrangement.update(|it| it.turn(&group)));
    view! {
        <button
            type="button"
            class="guests__turn"
            aria-expanded=if open { "true" } else { "false" }
            on:click=turn
        >
            {text}
        </button>
        <span class="guests__count">{texts::guests::in_group(guests, running)}</span>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::texts::guests::counted;

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
