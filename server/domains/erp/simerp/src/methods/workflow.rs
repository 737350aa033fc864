//! `frappe.model.workflow.*`.

use serde_json::Value;

use super::{MethodAnswer, MethodRow, MethodVerb, need};
use crate::books::{SimBooks, put_new};
use crate::cell::SimDoc;
use crate::docs;
use crate::flow;
use crate::refusal::{SimResult, invalid};
use crate::rights::{self, Right, demand_doc};
use crate::wire::Args;

pub(super) const METHODS: &[MethodRow] = &[
    (
        "frappe.model.workflow.get_transitions",
        MethodVerb::Reads,
        get_transitions,
    ),
    (
        "frappe.model.workflow.apply_workflow",
        MethodVerb::Writes,
        apply_workflow,
    ),
];

/// The document that the arguments name, as it is stored now.
fn named(books: &SimBooks, args: &Args) -> SimResult<SimDoc> {
    let Some(doc) = args.object("doc") else {
        return Err(invalid(
            "FrappeTypeError",
            "Argument 'doc' should be a document",
        ));
    };
    let text = |field: &str| doc.get(field).and_then(Value::as_str).unwrap_or_default();
    let doc = books.load(text("doctype"), text("name"))?;
    demand_doc(books, &doc, Right::Read)?;
    if flow::of(books, doc.kind).is_none() {
        return Err(invalid("ValidationError", "Workflow not found"));
    }
    Ok(SimDoc::clone(&doc))
}

fn get_transitions(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let doc = named(books, args)?;
    let rows = flow::transitions(books, &doc);
    Ok(Value::Array(rows.iter().map(|row| row.json(true)).collect()).into())
}

fn apply_workflow(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let mut doc = named(books, args)?;
    let action = need(args, "action")?;
    let rows = flow::transitions(books, &doc);
    let Some(step) = rows.iter().find(|row| row.text("action") == action) else {
        return Err(invalid(
            "WorkflowTransitionError",
            "Not a valid Workflow Action",
        ));
    };
    let next = step.text("next_state").to_owned();
    let status = flow::status_of(books, doc.kind, &next);
    doc.set("workflow_state", next.clone());
    doc.set("docstatus", status);
    // The right to take the step is the workflow's; what the step does runs with the rights of the type.
    let before = books.savepoint();
    let kind = doc.kind;
    let name = doc.name.clone();
    let saved = docs::save(books, doc, None);
    let saved = match saved {
        Ok(saved) => saved,
        Err(refusal) => {
            books.rollback_to(before);
            return Err(refusal);
        }
    };
    let comment = SimDoc::new("Comment")
        .with("comment_type", "Workflow")
        .with("comment_by", books.user.clone())
        .with("comment_email", books.user.clone())
        .with("reference_doctype", kind)
        .with("reference_name", name)
        .with("content", next);
    put_new(books, comment);
    Ok(rights::blank(books, saved).json(true).into())
}
