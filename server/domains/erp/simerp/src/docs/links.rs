//! Links: they have to exist, are rewritten to the stored case, and hold on to what they name.

use crate::books::SimBooks;
use crate::cell::SimDoc;
use crate::meta::{FieldKind, SimType};
use crate::refusal::{SimResult, invalid};

/// Ledgers and histories never hold on to a document.
const LOOSE: [&str; 12] = [
    "GL Entry",
    "Payment Ledger Entry",
    "Stock Ledger Entry",
    "Comment",
    "Version",
    "Workflow Action",
    "Submission Queue",
    "Deleted Document",
    "Repost Item Valuation",
    "Bin",
    "Series",
    "User Permission",
];

/// Checks the links of a document and its rows, and writes them in their stored case.
pub(super) fn check(books: &SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let mut lost = Vec::new();
    let mut cancelled = Vec::new();
    check_one(books, doc, "", &mut lost, &mut cancelled)?;
    let tables: Vec<_> = doc.tables.keys().copied().collect();
    for table in tables {
        for (at, row) in doc.rows_mut(table).iter_mut().enumerate() {
            let place = format!("Row #{}: ", at + 1);
            check_one(books, row, &place, &mut lost, &mut cancelled)?;
        }
    }
    if !lost.is_empty() {
        return Err(invalid(
            "LinkValidationError",
            format!("Could not find {}", lost.join(", ")),
        ));
    }
    if !cancelled.is_empty() {
        return Err(invalid(
            "CancelledLinkError",
            format!("Cannot link cancelled document: {}", cancelled.join(", ")),
        ));
    }
    Ok(())
}

fn check_one(
    books: &SimBooks,
    doc: &mut SimDoc,
    place: &str,
    lost: &mut Vec<String>,
    cancelled: &mut Vec<String>,
) -> SimResult<()> {
    let of = &*books.type_of(doc.kind)?;
    let mut stored = Vec::new();
    for (field, target) in links(of, doc) {
        let value = doc.text(field);
        match books.stored_name(&target, value) {
            None => lost.push(format!("{place}{}: {value}", label(of, field))),
            Some(name) => {
                let found = books.find(&target, &name);
                let is_dead = found.is_some_and(|it| it.docstatus() == 2);
                if is_dead && field != "amended_from" {
                    cancelled.push(format!("{place}{}: {name}", label(of, field)));
                }
                if name != value {
                    stored.push((field, name));
                }
            }
        }
    }
    for (field, name) in stored {
        doc.set(field, name);
    }
    Ok(())
}

fn label(of: &SimType, field: &str) -> String {
    of.field(field)
        .map_or_else(String::new, |it| it.label.clone())
}

/// Fields of a document that link, with their target types.
fn links(of: &SimType, doc: &SimDoc) -> Vec<(&'static str, String)> {
    let fields = of.fields.iter();
    let set = fields.filter(|field| !doc.text(field.name).is_empty());
    set.filter_map(|field| match field.kind {
        FieldKind::Link => Some((field.name, field.options.to_owned())),
        FieldKind::DynamicLink => Some((field.name, doc.text(field.options).to_owned())),
        _ => None,
    })
    .collect()
}

/// Fills fields that are fetched through a link. They win over what was sent.
pub(crate) fn fill_fetched(books: &SimBooks, doc: &mut SimDoc) {
    let Some(of) = books.meta.get(doc.kind) else {
        return;
    };
    let fetched = of.fields.iter().filter(|it| !it.fetch_from.is_empty());
    for field in fetched {
        let Some((link, from)) = field.fetch_from.split_once('.') else {
            continue;
        };
        let Some(target) = of.field(link) else {
            continue;
        };
        let key = doc.text(link);
        if key.is_empty() || (!field.read_only() && !doc.text(field.name).is_empty()) {
            continue;
        }
        let value = books.value(target.options, key, from);
        doc.set(field.name, value);
    }
}

/// Documents that link to this one, with docstatus; rows count as their parents.
pub(crate) fn linking(
    books: &SimBooks,
    kind: &str,
    name: &str,
) -> Vec<(&'static str, String, i64)> {
    let mut found = Vec::new();
    for other in books.kinds().filter(|other| !LOOSE.contains(other)) {
        let Some(of) = books.meta.get(other) else {
            continue;
        };
        for doc in books.all(other) {
            if other == kind && doc.name == name {
                continue;
            }
            let rows = doc.tables.values().flatten();
            let holds = names(of, doc, kind, name)
                || rows.into_iter().any(|row| {
                    let of = books.meta.get(row.kind);
                    of.is_some_and(|of| names(of, row, kind, name))
                });
            if holds {
                found.push((other, doc.name.clone(), doc.docstatus()));
            }
        }
    }
    found
}

fn names(of: &SimType, doc: &SimDoc, kind: &str, name: &str) -> bool {
    of.fields.iter().any(|field| {
        let target = match field.kind {
            FieldKind::Link => field.options,
            FieldKind::DynamicLink => doc.text(field.options),
            _ => return false,
        };
        target == kind && doc.text(field.name) == name && field.name != "amended_from"
    })
}

/// Submitted documents that hang on this one, directly and through others, nearest first.
pub(crate) fn submitted_links(
    books: &SimBooks,
    kind: &'static str,
    name: &str,
) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&'static str, String)> = Vec::new();
    let mut open = vec![(kind, name.to_owned())];
    while let Some((kind, name)) = open.pop() {
        for (other, link, status) in linking(books, kind, &name) {
            let entry = (other, link);
            if status == 1 && !found.contains(&entry) && entry.1 != name {
                found.push(entry.clone());
                open.push(entry);
            }
        }
    }
    found
}
