//! Lists of the overview: documents that need somebody, and items that run short.

use erp_wire::{DocumentRow, DocumentsPart, DueWithin, OwnApprovals, ShortageRow};
use kit::{BoardParts, format::upright, live_view, loading};
use leptos::prelude::*;
use protocol::Known;

use super::{
    board::ErpParts,
    figures::{day, known, link, number, reasons, unknown},
    status::reason,
    texts,
};
use crate::panel_pieces::ago;

/// Draws a pane with one list of the board; `key` names it in the styles.
pub(super) fn list(
    parts: &BoardParts<DocumentsPart>,
    key: &'static str,
    title: &'static str,
    empty: &'static str,
) -> AnyView {
    let parts = parts.clone();
    let content = live_view(move || of_board(&parts, empty));
    pane(key, title, ().into_any(), content)
}

fn of_board(parts: &BoardParts<DocumentsPart>, empty: &'static str) -> AnyView {
    match parts.get("") {
        Some(part) => documents(&part.get(), empty, document_row),
        None => view! { <p class="erp-none">{texts::NO_DATA_YET}</p> }.into_any(),
    }
}

/// Draws what waits for approval: by the person's own key if they have one, else by the site's.
pub(super) fn approvals(board: &ErpParts, own: ArcRwSignal<OwnApprovals>) -> AnyView {
    let parts = board.approvals.clone();
    let of_key = {
        let own = own.clone();
        live_view(move || match own.get().user {
            Some(user) => {
                let user = known(&user, |user| upright(user.clone()).into_any());
                (texts::BY_OWN_KEY, user).into_any()
            }
            None => ().into_any(),
        })
    };
    let content = live_view(move || match own.get() {
        OwnApprovals { user: None, .. } => of_board(&parts, texts::NO_APPROVALS),
        OwnApprovals { list: None, .. } => loading(texts::document::LOADING),
        OwnApprovals {
            list: Some(part), ..
        } => documents(&part, texts::NO_OWN_APPROVALS, document_row),
    });
    pane("approvals", texts::APPROVALS, of_key, content)
}

/// Draws the pane of drafts, a group for each type that has any.
pub(super) fn drafts(board: &ErpParts) -> AnyView {
    let parts = board.drafts.clone();
    let content = live_view(move || {
        let of_types = parts.all().into_iter();
        let groups = of_types.filter(|(_, part)| part.rows.value().is_none_or(|it| !it.is_empty()));
        let groups: Vec<_> = groups
            .map(|(doctype, part)| {
                view! {
                    <h3 class="erp-pane__group">{upright(doctype)}</h3>
                    {documents(&part, texts::NO_DRAFTS, row_of_group)}
                }
                .into_any()
            })
            .collect();
        if groups.is_empty() {
            return view! { <p class="erp-none">{texts::NO_DRAFTS}</p> }.into_any();
        }
        groups.into_any()
    });
    pane("drafts", texts::DRAFTS, ().into_any(), content)
}

/// Draws the pane of items that run short.
pub(super) fn shortages(board: &ErpParts) -> AnyView {
    let parts = board.shortages.clone();
    let content = live_view(move || {
        let Some(part) = parts.get("") else {
            return view! { <p class="erp-none">{texts::NO_DATA_YET}</p> }.into_any();
        };
        let part = part.get();
        let trouble = part.trouble.map(|it| texts::out_of_date(&upright(it)));
        let rows = match part.rows {
            Known::Unknown { unknown: why } => unknown(&why),
            Known::Value(rows) if rows.is_empty() => {
                view! { <p class="erp-none">{texts::NO_SHORTAGES}</p> }.into_any()
            }
            Known::Value(rows) => {
                let more = more(rows.len(), part.count);
                let lines: Vec<_> = rows.iter().map(shortage).collect();
                view! {
                    <ul class="erp-list">{lines}</ul>
                    {more}
                }
                .into_any()
            }
        };
        view! {
            {reasons(trouble.into_iter().collect())}
            {rows}
        }
        .into_any()
    });
    pane(
        "shortages",
        texts::SHORTAGES,
        texts::SHORTAGES_MEAN.into_any(),
        content,
    )
}

fn pane(key: &str, title: &'static str, note: AnyView, content: AnyView) -> AnyView {
    let id = format!("erp-{key}");
    view! {
        <section class="erp-pane" aria-labelledby=id>
            <header class="erp-pane__head">
                <h2 id=id.clone()>{title}</h2>
                <span class="erp-facts">{note}</span>
            </header>
            {content}
        </section>
    }
    .into_any()
}

/// Draws the rows of a list, its sums, and what is not in it.
fn documents(
    part: &DocumentsPart,
    empty: &'static str,
    draw: fn(&DocumentRow) -> AnyView,
) -> AnyView {
    let mut notes: Vec<_> = part
        .trouble
        .iter()
        .map(|it| texts::out_of_date(&upright(it.clone())))
        .collect();
    let lacks = part.lacks.iter();
    notes.extend(lacks.map(|it| texts::may_be_incomplete(&upright(it.clone()))));
    let rows = match &part.rows {
        Known::Unknown { unknown: why } => unknown(why),
        // An empty list that may lack rows proves nothing.
        Known::Value(rows) if rows.is_empty() && part.lacks.is_empty() => {
            view! { <p class="erp-none">{empty}</p> }.into_any()
        }
        Known::Value(rows) => {
            let lines: Vec<_> = rows.iter().map(draw).collect();
            view! {
                <ul class="erp-list">{lines}</ul>
                {more(rows.len(), part.count)}
            }
            .into_any()
        }
    };
    let sums: Vec<_> = part
        .sums
        .iter()
        .map(|sum| view! { <span>{number(sum)}</span> })
        .collect();
    let sums = (!sums.is_empty()).then(|| {
        view! {
            <p class="erp-sums">
                <span>{texts::document::TOTAL}</span>
                {sums}
            </p>
        }
    });
    view! {
        {reasons(notes)}
        {sums}
        {due(&part.due)}
        {rows}
    }
    .into_any()
}

/// Draws what falls due, a line for each number of days.
fn due(due: &[DueWithin]) -> AnyView {
    if due.is_empty() {
        return ().into_any();
    }
    let lines = due.iter().map(|within| {
        let sums = known(&within.sums, |sums| {
            if sums.is_empty() {
                return texts::NOTHING_DUE.into_any();
            }
            let sums = sums.iter().map(|sum| view! { <span>{number(sum)}</span> });
            sums.collect::<Vec<_>>().into_any()
        });
        view! {
            <li>
                <span>{texts::due_within(within.days)}</span>
                {sums}
            </li>
        }
    });
    view! { <ul class="erp-due">{lines.collect::<Vec<_>>()}</ul> }.into_any()
}

fn more(shown: usize, count: Option<u32>) -> AnyView {
    let shown = u32::try_from(shown).unwrap_or(u32::MAX);
    let text = match count {
        Some(count) if count <= shown => return ().into_any(),
        Some(count) => texts::more(count - shown),
        None => texts::AND_MORE.to_owned(),
    };
    view! { <p class="erp-facts">{text}</p> }.into_any()
}

/// Draws a document in a list or among links: its type, name and amount, and the facts below.
pub(super) fn document_row(row: &DocumentRow) -> AnyView {
    let of_type = view! {
        <span class="erp-row__type">{upright(row.doctype.clone())}</span>
        " "
    };
    line(row, of_type.into_any())
}

/// Draws one in a group of its type, which the heading of the group says.
fn row_of_group(row: &DocumentRow) -> AnyView {
    line(row, ().into_any())
}

fn line(row: &DocumentRow, of_type: AnyView) -> AnyView {
    let mut facts: Vec<AnyView> = Vec::new();
    let mut add = |fact: AnyView| {
        facts.push(view! { <span>{fact}</span> }.into_any());
    };
    if let Some(party) = &row.party {
        add(upright(party.clone()).into_any());
    }
    if let Some(state) = &row.state {
        add(upright(state.clone()).into_any());
    }
    if let Some(date) = &row.day {
        add(day(date));
    }
    if let Some(days) = row.late {
        add(view! { <strong class="erp-late">{texts::late(days)}</strong> }.into_any());
    }
    if row.since.is_some() {
        add(ago(row.since));
    }
    match &row.by {
        Some(_) if row.is_own => add(texts::MADE_BY_KEY.into_any()),
        Some(by) => add(texts::by(&upright(by.clone())).into_any()),
        None => {}
    }
    match &row.steps {
        Some(Known::Value(steps)) if steps.is_empty() => add(texts::NO_STEPS.into_any()),
        Some(Known::Value(steps)) => {
            let steps = upright(steps.join(", "));
            add(texts::steps(&steps).into_any());
        }
        Some(steps) => {
            let why = reason(steps).unwrap_or_default();
            add(view! { <span class="erp-unknown">{texts::steps_unknown(&why)}</span> }.into_any());
        }
        None => {}
    }
    if !row.waits_for.is_empty() {
        let roles = upright(row.waits_for.join(texts::OR));
        add(texts::waits_for(&roles, row.is_own).into_any());
    }
    let name = link(&row.doctype, &row.name, row.name.clone());
    let amount = row.amount.as_ref().map(number);
    view! {
        <li class="erp-row">
            <span class="erp-row__name">
                {of_type}
                {name}
            </span>
            <span class="erp-row__amount">{amount}</span>
            <span class="erp-row__facts">{facts}</span>
        </li>
    }
    .into_any()
}

fn shortage(row: &ShortageRow) -> AnyView {
    let negative = row
        .is_negative
        .then(|| view! { <strong class="erp-late">{texts::BELOW_ZERO}</strong> });
    view! {
        <li class="erp-row">
            <span class="erp-row__name">{link("Item", &row.item, row.item.clone())}</span>
            <span class="erp-row__amount">{number(&row.projected)}</span>
            <span class="erp-row__facts">
                <span>{upright(row.warehouse.clone())}</span>
                <span>{texts::in_stock(&number(&row.stock))}</span>
                {negative}
            </span>
        </li>
    }
    .into_any()
}
