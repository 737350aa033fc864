//! Insert, update, submit and cancel.

use std::sync::Arc;

use serde_json::json;

use super::{closing, coerce, links, naming};
use crate::books::{SimBooks, put_new};
use crate::cell::{SimCell, SimDoc};
use crate::meta::{FieldKind, SimField, SimType};
use crate::refusal::{SimRefusal, SimResult, invalid, unsuitable};
use crate::rights::{self, Right, demand, demand_doc, may_level};
use crate::{flow, rules};

/// Inserts a new document; one that comes with docstatus 1 is submitted at once.
pub(crate) fn insert(
    books: &mut SimBooks,
    mut doc: SimDoc,
    asked: Option<&str>,
) -> SimResult<SimDoc> {
    let of = books.type_of(doc.kind)?;
    let wanted = doc.docstatus();
    doc.set("docstatus", 0);
    // Rows of another document, as those of an amended one, get names of their own.
    for row in doc.tables.values_mut().flatten() {
        row.name.clear();
    }
    let (stamp, user) = (SimCell::from(books.stamp()), SimCell::from(&books.user));
    doc.set("owner", user.clone());
    doc.set("modified_by", user);
    doc.set("creation", stamp.clone());
    doc.set("modified", stamp);
    fill(books, &of, &mut doc);
    if !books.is_seeding {
        links::check(books, &mut doc)?;
        demand(books, &of, Right::Create)?;
        if !rights::reaches(books, &doc) {
            return Err(crate::refusal::forbidden(format!(
                "Not allowed to create {} with these values",
                of.name
            )));
        }
        reset_levels(books, &of, &mut doc, None);
    }
    if let Some(from) = Some(doc.text("amended_from")).filter(|it| !it.is_empty()) {
        let from = books.load(of.name, from)?;
        if from.docstatus() != 2 {
            return Err(unsuitable(format!(
                "{} must be cancelled before it is amended",
                from.name
            )));
        }
    }
    flow::enter(books, &mut doc);
    naming::name(books, &mut doc, asked)?;
    prepare(books, &of, &mut doc)?;
    books.put(doc.clone());
    flow::wait_for_action(books, &doc);
    rules::after_insert(books, &doc)?;
    if wanted == 1 && of.is_submittable() {
        doc.set("docstatus", 1);
        return save(books, doc, None);
    }
    books.load(of.name, &doc.name).map(Arc::unwrap_or_clone)
}

/// Saves a changed document. Its docstatus says whether this is an update, a submit or a cancel.
/// `modified` is that of the copy which the caller changed; without one the last writer wins.
pub(crate) fn save(
    books: &mut SimBooks,
    mut doc: SimDoc,
    modified: Option<&str>,
) -> SimResult<SimDoc> {
    let of = books.type_of(doc.kind)?;
    let before = books.load(of.name, &doc.name)?;
    demand_doc(books, &before, Right::Write)?;
    if modified.is_some_and(|it| it != before.text("modified")) {
        return Err(invalid(
            "TimestampMismatchError",
            format!(
                "Error: {} has been modified after you have opened it (<strong>{}</strong>). Please \
                 refresh to get the latest document.",
                doc.name,
                before.text("modified")
            ),
        ));
    }
    let step = (before.docstatus(), doc.docstatus());
    let right = match step {
        (0, 0) => Right::Write,
        (0, 1) | (1, 1) if of.is_submittable() => Right::Submit,
        (1, 2) if of.is_submittable() => Right::Cancel,
        (2, 2) => return Err(unsuitable("Cannot edit cancelled document")),
        (from, to) => {
            return Err(invalid(
                "DocstatusTransitionError",
                format!("Cannot change docstatus from {from} to {to}"),
            ));
        }
    };
    demand_doc(books, &before, right)?;
    if is_queued(books, &before) {
        return Err(invalid(
            "DocumentLockedError",
            format!(
                "{} {} is being submitted in the background",
                of.name, doc.name
            ),
        ));
    }
    doc.take_from(&before, &["owner", "creation"]);
    if !books.is_seeding {
        reset_levels(books, &of, &mut doc, Some(&before));
        hold_constants(&of, &doc, &before)?;
    }
    let stamp = books.stamp();
    doc.set("modified", stamp);
    doc.set("modified_by", books.user.clone());
    match step {
        (1, 1) => {
            name_rows(books, &mut doc);
            hold_submitted(&of, &doc, &before)?;
            links::check(books, &mut doc)?;
            books.put(doc.clone());
        }
        (1, 2) => {
            // Only the status of a cancelled document changes.
            let mut gone = SimDoc::clone(&before);
            gone.take_from(&doc, &["docstatus", "modified", "modified_by"]);
            doc = gone;
            hold_linked(books, &doc)?;
            flow::follow(books, &mut doc);
            books.put(doc.clone());
            rules::on_cancel(books, &doc)?;
            if doc.kind == "POS Closing Entry" {
                closing::reopen(books, &doc)?;
            }
        }
        _ => {
            fill(books, &of, &mut doc);
            if !books.is_seeding {
                links::check(books, &mut doc)?;
            }
            flow::hold(books, &mut doc, &before)?;
            prepare(books, &of, &mut doc)?;
            if step == (0, 1) {
                flow::follow(books, &mut doc);
                rules::before_submit(books, &doc)?;
            }
            books.put(doc.clone());
            if step == (0, 1) {
                rules::on_submit(books, &doc)?;
                if doc.kind == "POS Closing Entry" {
                    closing::on_submit(books, &doc)?;
                }
            }
        }
    }
    flow::wait_for_action(books, &doc);
    if of.keeps_versions() && !books.is_seeding {
        keep_version(books, &of, &before, &doc);
    }
    books.load(of.name, &doc.name).map(Arc::unwrap_or_clone)
}

/// Submits a document as the caller has it: what the copy leaves out is null.
pub(crate) fn submit(books: &mut SimBooks, mut doc: SimDoc) -> SimResult<SimDoc> {
    let modified = doc.text("modified").to_owned();
    doc.set("docstatus", 1);
    save(books, doc, Some(&modified))
}

/// Submits a document as it is stored.
pub(crate) fn submit_stored(books: &mut SimBooks, kind: &str, name: &str) -> SimResult<SimDoc> {
    let mut doc = books.load(kind, name).map(Arc::unwrap_or_clone)?;
    doc.set("docstatus", 1);
    save(books, doc, None)
}

/// Cancels a document, without a lock.
pub(crate) fn cancel(books: &mut SimBooks, kind: &str, name: &str) -> SimResult<SimDoc> {
    let mut doc = books.load(kind, name).map(Arc::unwrap_or_clone)?;
    doc.set("docstatus", 2);
    save(books, doc, None)
}

fn fill(books: &SimBooks, of: &SimType, doc: &mut SimDoc) {
    coerce::fill_defaults(of, doc);
    let tables: Vec<_> = doc.tables.keys().copied().collect();
    for table in tables {
        for row in doc.rows_mut(table) {
            if let Some(of) = books.meta.get(row.kind) {
                coerce::fill_defaults(of, row);
            }
        }
    }
}

/// Everything between the links and the database: fetched values, the type's rules, rows, mandatory fields,
/// options.
fn prepare(books: &mut SimBooks, of: &SimType, doc: &mut SimDoc) -> SimResult<()> {
    links::fill_fetched(books, doc);
    rules::validate(books, doc)?;
    name_rows(books, doc);
    if books.is_seeding {
        return Ok(());
    }
    let mut missing = Vec::new();
    let mut labels = Vec::new();
    lacking(of, doc, "", &mut missing, &mut labels);
    for rows in doc.tables.values() {
        for (at, row) in rows.iter().enumerate() {
            if let Some(of) = books.meta.get(row.kind) {
                let place = format!("Row #{}: ", at + 1);
                lacking(of, row, &place, &mut missing, &mut labels);
            }
        }
    }
    if !missing.is_empty() {
        let summary = format!("[{}, {}]: {}", of.name, doc.name, labels.join(", "));
        let mut refusal = invalid("MandatoryError", missing.remove(0)).titled("Missing Fields");
        for message in missing.into_iter().chain([summary]) {
            refusal = refusal.also(message);
        }
        return Err(refusal);
    }
    check_options(of, doc)?;
    for row in doc.tables.values().flatten() {
        if let Some(of) = books.meta.get(row.kind) {
            check_options(of, row)?;
        }
    }
    check_unique(books, of, doc)
}

fn lacking(
    of: &SimType,
    doc: &SimDoc,
    place: &str,
    missing: &mut Vec<String>,
    labels: &mut Vec<String>,
) {
    for field in of.fields.iter().filter(|field| field.reqd()) {
        let is_missing = match field.kind {
            FieldKind::Table => doc.rows(field.name).is_empty(),
            _ => doc.get(field.name).is_empty(),
        };
        if is_missing {
            missing.push(format!(
                "{place}Error: Value missing for {}: {}",
                of.name, field.label
            ));
            labels.push(field.name.to_owned());
        }
    }
}

fn check_options(of: &SimType, doc: &SimDoc) -> SimResult<()> {
    let selects = of.fields.iter();
    for field in selects.filter(|it| it.kind == FieldKind::Select && !it.options.is_empty()) {
        let value = doc.get(field.name).shown();
        if !value.is_empty() && !field.options.split('\n').any(|it| it == value) {
            let options: Vec<_> = field.options.split('\n').collect();
            return Err(unsuitable(format!(
                "{} cannot be \"{value}\". It should be one of \"{}\"",
                field.label,
                options.join("\", \"")
            )));
        }
    }
    Ok(())
}

/// Unique fields besides the one that is the name.
fn check_unique(books: &SimBooks, of: &SimType, doc: &SimDoc) -> SimResult<()> {
    for field in of.fields.iter().filter(|field| field.unique()) {
        let value = doc.text(field.name);
        let taken = !value.is_empty()
            && books
                .all(of.name)
                .any(|other| other.name != doc.name && other.text(field.name) == value);
        if taken {
            return Err(invalid(
                "UniqueValidationError",
                format!("{} must be unique: {value}", field.label),
            ));
        }
    }
    Ok(())
}

/// Names, numbers and parents of rows.
fn name_rows(books: &mut SimBooks, doc: &mut SimDoc) {
    // Texts are shared by all rows.
    let (kind, name) = (SimCell::from(doc.kind), SimCell::from(&doc.name));
    let status = doc.docstatus();
    for (table, rows) in &mut doc.tables {
        let table = SimCell::from(*table);
        for (at, row) in rows.iter_mut().enumerate() {
            if row.name.is_empty() {
                row.name = books.hash_name();
            }
            row.set("idx", i64::try_from(at + 1).unwrap_or_default());
            row.set("parent", name.clone());
            row.set("parenttype", kind.clone());
            row.set("parentfield", table.clone());
            row.set("docstatus", status);
        }
    }
}

/// Fields above the user's level keep their old value, without a word.
fn reset_levels(books: &SimBooks, of: &SimType, doc: &mut SimDoc, before: Option<&SimDoc>) {
    let guarded: Vec<&SimField> = of.fields.iter().filter(|it| it.permlevel() > 0).collect();
    if guarded.is_empty() || may_level(books, of, 1) {
        return;
    }
    for field in guarded {
        let old = before.map_or(SimCell::Null, |before| before.get(field.name).clone());
        doc.set(field.name, old);
    }
}

fn hold_constants(of: &SimType, doc: &SimDoc, before: &SimDoc) -> SimResult<()> {
    for field in of.fields.iter().filter(|field| field.set_only_once()) {
        let (old, new) = (before.get(field.name), doc.get(field.name));
        if !old.is_empty() && old != new {
            return Err(invalid(
                "CannotChangeConstantError",
                format!("Value cannot be changed for {}", field.label),
            ));
        }
    }
    Ok(())
}

/// After submit only what allows it may differ.
fn hold_submitted(of: &SimType, doc: &SimDoc, before: &SimDoc) -> SimResult<()> {
    let refuse = |label: &str, place: &str| {
        Err(invalid(
            "UpdateAfterSubmitError",
            format!("{place}Not allowed to change <strong>{label}</strong> after submission"),
        ))
    };
    for field in &of.fields {
        if field.allow_on_submit() {
            continue;
        }
        if field.kind != FieldKind::Table {
            if same(doc.get(field.name), before.get(field.name)) {
                continue;
            }
            return refuse(&field.label, "");
        }
        let (new, old) = (doc.rows(field.name), before.rows(field.name));
        if new.len() != old.len() {
            return refuse(&field.label, "");
        }
        for (at, (new, old)) in new.iter().zip(old).enumerate() {
            let place = format!("Row #{}: ", at + 1);
            let changed = old.fields.keys().find(|key| {
                // The rules of the row's type: names and places are not compared.
                !["modified", "docstatus", "delivery_date", "schedule_date"].contains(key)
                    && !same(new.get(key), old.get(key))
            });
            if let Some(changed) = changed {
                return refuse(changed, &place);
            }
        }
    }
    Ok(())
}

fn same(left: &SimCell, right: &SimCell) -> bool {
    left == right
        || (left.is_empty() && right.is_empty())
        || (left.num() == right.num()
            && !matches!((left, right), (SimCell::Text(_), _) | (_, SimCell::Text(_))))
}

/// Submitted documents that hang on it stand in the way of a cancel.
fn hold_linked(books: &SimBooks, doc: &SimDoc) -> SimResult<()> {
    let unlinked: &[&str] = match doc.kind {
        // Payments come loose instead, and hours are free again.
        "Sales Invoice" => &["Payment Entry", "Journal Entry", "Timesheet"],
        "Purchase Invoice" | "Sales Order" | "Purchase Order" => {
            &["Payment Entry", "Journal Entry"]
        }
        // They are cancelled with it.
        "POS Closing Entry" => &["POS Invoice Merge Log"],
        _ => &[],
    };
    let drafts_block = matches!(doc.kind, "Sales Order" | "Purchase Order");
    let blocker =
        links::linking(books, doc.kind, &doc.name)
            .into_iter()
            .find(|(kind, _, status)| {
                !unlinked.contains(kind)
                    && (*status == 1 || (drafts_block && *status == 0 && kind.ends_with("Invoice")))
            });
    match blocker {
        Some((kind, name, _)) => Err(exists(doc, kind, &name)),
        None => Ok(()),
    }
}

/// A document that others hang on.
pub(super) fn exists(doc: &SimDoc, kind: &str, name: &str) -> SimRefusal {
    invalid(
        "LinkExistsError",
        format!(
            "Cannot delete or cancel because {} <a href=\"#\">{}</a> is linked with {kind} \
             <a href=\"#\">{name}</a>",
            doc.kind, doc.name
        ),
    )
}

fn is_queued(books: &SimBooks, doc: &SimDoc) -> bool {
    !books.is_seeding
        && books.all("Submission Queue").any(|it| {
            it.text("status") == "Queued"
                && it.text("ref_doctype") == doc.kind
                && it.text("ref_docname") == doc.name
        })
}

fn keep_version(books: &mut SimBooks, of: &SimType, before: &SimDoc, doc: &SimDoc) {
    let mut changed = Vec::new();
    for field in of.fields.iter().filter(|it| it.kind != FieldKind::Table) {
        let (old, new) = (before.get(field.name), doc.get(field.name));
        if !same(old, new) {
            changed.push(json!([field.name, old.json(), new.json()]));
        }
    }
    if before.docstatus() != doc.docstatus() {
        changed.push(json!(["docstatus", before.docstatus(), doc.docstatus()]));
    }
    let (mut rows, mut added, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    for table in of.tables() {
        let (old, new) = (before.rows(table.name), doc.rows(table.name));
        for row in new {
            let Some(was) = old.iter().find(|it| it.name == row.name) else {
                added.push(json!([table.name, row.json(false)]));
                continue;
            };
            let differs = row.fields.iter().filter(|(key, new)| {
                !["docstatus", "modified"].contains(*key) && !same(new, was.get(key))
            });
            let cells: Vec<_> = differs
                .map(|(key, new)| json!([key, was.get(key).json(), new.json()]))
                .collect();
            if !cells.is_empty() {
                rows.push(json!([table.name, row.int("idx") - 1, row.name, cells]));
            }
        }
        let gone = old
            .iter()
            .filter(|it| !new.iter().any(|row| row.name == it.name));
        removed.extend(gone.map(|row| json!([table.name, row.json(false)])));
    }
    if changed.is_empty() && rows.is_empty() && added.is_empty() && removed.is_empty() {
        return;
    }
    let data = json!({
        "changed": changed, "row_changed": rows, "added": added, "removed": removed,
    });
    let version = SimDoc::new("Version")
        .with("ref_doctype", of.name)
        .with("docname", &doc.name)
        .with("data", data.to_string());
    put_new(books, version);
}
