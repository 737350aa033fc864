//! The parts of a document's page that are read apart: what people look for first, ledger, links, history.

use erp_wire::{
    ChangedField, DocumentGlance, DocumentHistory, DocumentLedger, DocumentLinks, DocumentRow,
    DocumentTable, HistoryEntry,
};
use kit::format::upright;
use leptos::prelude::*;
use protocol::Known;

use super::{
    figures::{reasons, remarks, unknown},
    lists::document_row,
    tables::table,
    texts::document as say,
};
use crate::panel_pieces::ago;

pub(super) fn pane(id: &'static str, title: &'static str, content: AnyView) -> AnyView {
    view! {
        <section class="erp-pane" aria-labelledby=id>
            <header class="erp-pane__head">
                <h2 id=id>{title}</h2>
            </header>
            {content}
        </section>
    }
    .into_any()
}

pub(super) fn glance(page: DocumentGlance) -> AnyView {
    if page.lists.is_empty() {
        return ().into_any();
    }
    let lists = page.lists.iter().map(|list| match &list.table {
        Known::Value(lines) => table(lines),
        Known::Unknown { unknown: why } => {
            let title = upright(list.title.clone());
            view! {
                <h3 class="erp-pane__group">{title}</h3>
                {unknown(why)}
            }
            .into_any()
        }
    });
    let lists = lists.collect::<Vec<_>>().into_any();
    pane("erp-glance", say::GLANCE, lists)
}

pub(super) fn ledger(page: DocumentLedger) -> AnyView {
    let content = match page.docstatus.as_deref() {
        None => view! { <p class="erp-none">{say::POSTS_NOTHING}</p> }.into_any(),
        Some(docstatus) => {
            let balance = page.balanced.map(|balanced| {
                if balanced {
                    say::BALANCED.into_any()
                } else {
                    view! { <strong class="erp-grave">{say::NOT_BALANCED}</strong> }.into_any()
                }
            });
            let (accounting, mut stock) = (page.accounting, page.stock);
            // A type without a preview has none of either: one sentence says it.
            if matches!(stock, Some(Known::Unknown { .. })) && stock == accounting {
                stock = None;
            }
            let ledgers = [accounting, stock].into_iter().flatten();
            let ledgers: Vec<_> = ledgers.map(|it| either(&it)).collect();
            let means = match (docstatus, ledgers.is_empty()) {
                ("draft", true) => say::WOULD_POST_NOTHING,
                (_, true) => say::POSTED_NOTHING,
                ("draft", _) => say::PREVIEW,
                ("cancelled", _) => say::TAKEN_BACK,
                _ => say::POSTED,
            };
            view! {
                <p class="erp-facts">
                    <span>{means}</span>
                    <span>{balance}</span>
                </p>
                {ledgers}
            }
            .into_any()
        }
    };
    pane("erp-ledger", say::LEDGER, content)
}

fn either(ledger: &Known<DocumentTable>) -> AnyView {
    match ledger {
        Known::Value(lines) => table(lines),
        Known::Unknown { unknown: why } => unknown(why),
    }
}

pub(super) fn links(page: DocumentLinks) -> AnyView {
    let side = |title: &'static str, rows: &[DocumentRow], hidden: u32| {
        let lines: Vec<_> = rows.iter().map(document_row).collect();
        let none = (rows.is_empty() && hidden == 0)
            .then(|| view! { <p class="erp-none">{say::NOTHING_LINKED}</p> });
        let hidden = (hidden > 0).then(|| reasons(vec![say::hidden(hidden)]));
        view! {
            <li class="erp-tree__level">
                <h3 class="erp-pane__group">{title}</h3>
                <ul class="erp-list">{lines}</ul>
                {hidden}
                {none}
            </li>
        }
        .into_any()
    };
    let notes = page.notes.iter().map(|note| upright(note.clone()));
    let content = view! {
        <ul class="erp-tree">
            {side(say::CAME_FROM, &page.before, page.before_hidden)}
            <li class="erp-tree__level erp-tree__level--this">{say::THIS}</li>
            {side(say::HANGS_ON_IT, &page.after, page.after_hidden)}
        </ul>
        {remarks(notes.collect())}
    }
    .into_any();
    pane("erp-links", say::LINKS, content)
}

pub(super) fn history(page: DocumentHistory) -> AnyView {
    let notes = page.notes.iter().map(|note| upright(note.clone()));
    let lines: Vec<_> = page.entries.iter().map(entry).collect();
    let content = view! {
        <ol class="erp-list">{lines}</ol>
        {remarks(notes.collect())}
    }
    .into_any();
    pane("erp-history", say::HISTORY, content)
}

fn entry(entry: &HistoryEntry) -> AnyView {
    let word = match entry.kind.as_str() {
        "created" => say::CREATED,
        "submitted" => say::SUBMITTED,
        "cancelled" => say::CANCELLED,
        "comment" => say::COMMENTED,
        "workflow" => say::WORKFLOW,
        "info" => say::NOTED,
        _ => say::CHANGED,
    };
    let changes: Vec<_> = entry.changes.iter().map(change).collect();
    let text = (!entry.text.is_empty())
        .then(|| view! { <p class="erp-history__text">{upright(entry.text.clone())}</p> });
    view! {
        <li class="erp-history">
            <p class="erp-facts">
                <span>
                    <strong>{upright(entry.by.clone())}</strong>
                    " "
                    {word}
                </span>
                {ago(entry.at.value().copied())}
            </p>
            {text}
            <ul class="erp-history__changes">{changes}</ul>
        </li>
    }
    .into_any()
}

fn change(change: &ChangedField) -> AnyView {
    let side = |text: &String, name: &'static str| {
        let said = view! { <span class="visually-hidden">{name} " "</span> };
        (said, upright(text.clone())).into_any()
    };
    view! {
        <li>
            <span class="erp-history__field">{upright(change.label.clone())}</span>
            " "
            <del>{side(&change.before, say::BEFORE)}</del>
            " "
            <ins>{side(&change.after, say::AFTER)}</ins>
        </li>
    }
    .into_any()
}
