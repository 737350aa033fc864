//! Deleting and copying.

use super::{links, naming, save};
use crate::books::{SimBooks, put_new};
use crate::cell::{SimCell, SimDoc};
use crate::refusal::{SimResult, unsuitable};
use crate::rights::{Right, demand_doc};

/// Deletes a draft, or a cancelled document that nothing links to.
pub(crate) fn delete(books: &mut SimBooks, kind: &str, name: &str) -> SimResult<()> {
    let doc = books.load(kind, name)?;
    demand_doc(books, &doc, Right::Delete)?;
    if doc.docstatus() == 1 {
        return Err(unsuitable(format!(
            "{kind} {name}: Submitted Record cannot be deleted. You must cancel it first."
        )));
    }
    let linking = links::linking(books, kind, name);
    if let Some((other, link, _)) = linking.first() {
        return Err(save::exists(&doc, other, link));
    }
    let kept = SimDoc::new("Deleted Document")
        .with("deleted_doctype", doc.kind)
        .with("deleted_name", &doc.name)
        .with("data", doc.json(true).to_string());
    put_new(books, kept);
    books.remove(doc.kind, &doc.name);
    if let Some((prefix, number)) = naming::numbered(&doc.name)
        && doc.get("amended_from").is_empty()
    {
        books.step_back(prefix, number);
    }
    Ok(())
}

/// An unsaved copy: without names, and without fields that are not copied.
pub(crate) fn copy_of(books: &SimBooks, doc: &SimDoc) -> SimDoc {
    let mut copy = SimDoc::new(doc.kind);
    let Some(of) = books.meta.get(doc.kind) else {
        return copy;
    };
    for field in of.fields.iter().filter(|field| !field.no_copy()) {
        if let Some(value) = doc.fields.get(field.name) {
            copy.set(field.name, value.clone());
        }
        if let Some(rows) = doc.tables.get(field.name) {
            let rows = rows.iter().map(|row| copy_of(books, row)).collect();
            copy.tables.insert(field.name, rows);
        }
    }
    copy.set("docstatus", SimCell::Int(0));
    copy
}
