//! Tables of a document and of its ledgers. They scroll by themselves where a phone is too narrow.

use erp_wire::{DocumentCell, DocumentTable};
use kit::format::upright;
use leptos::prelude::*;

use super::{
    figures::{remarks, value},
    texts::document as texts,
};

/// Draws a table with its sums and notes.
pub(super) fn table(table: &DocumentTable) -> AnyView {
    let is_number = |at: usize| table.columns.get(at).is_some_and(|it| it.is_number);
    let class = |at: usize| is_number(at).then_some("erp-number");
    let heads = table.columns.iter().enumerate().map(|(at, column)| {
        view! { <th scope="col" class=class(at)>{upright(column.label.clone())}</th> }.into_any()
    });
    let heads: Vec<_> = heads.collect();
    let cell = |(at, cell): (usize, &DocumentCell)| {
        let shown = value(cell, is_number(at));
        match at {
            0 => view! { <th scope="row" class=class(at)>{shown}</th> }.into_any(),
            _ => view! { <td class=class(at)>{shown}</td> }.into_any(),
        }
    };
    let row = |cells: &Vec<DocumentCell>| {
        let cells: Vec<_> = cells.iter().enumerate().map(cell).collect();
        view! { <tr>{cells}</tr> }.into_any()
    };
    let rows: Vec<_> = table.rows.iter().map(row).collect();
    let foot = (!table.foot.is_empty()).then(|| {
        let mut cells: Vec<AnyView> = table.foot.iter().enumerate().map(cell).collect();
        // The first column is hardly ever a sum, so it has the word.
        if table.foot.first().is_some_and(|it| it.text.is_empty())
            && let Some(first) = cells.first_mut()
        {
            *first = view! { <th scope="row">{texts::TOTAL}</th> }.into_any();
        }
        view! {
            <tfoot>
                <tr>{cells}</tr>
            </tfoot>
        }
        .into_any()
    });
    let title = upright(table.title.clone());
    let content = if rows.is_empty() {
        view! { <p class="erp-none">{texts::NO_LINES}</p> }.into_any()
    } else {
        view! {
            <div class="erp-scroll" tabindex="0" role="group" aria-label=title.clone()>
                <table class="erp-table">
                    <thead>
                        <tr>{heads}</tr>
                    </thead>
                    <tbody>{rows}</tbody>
                    {foot}
                </table>
            </div>
        }
        .into_any()
    };
    let notes = table.notes.iter().map(|note| upright(note.clone()));
    let count = (!table.rows.is_empty()).then(|| texts::rows(table.rows.len(), table.of));
    view! {
        <h3 class="erp-pane__group">{title} <span class="erp-facts">{count}</span></h3>
        {remarks(notes.collect())}
        {content}
    }
    .into_any()
}
