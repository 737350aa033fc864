//! Workflows: states, who may take which step, and the actions that wait.

use std::sync::Arc;

use crate::books::{SimBooks, put_new};
use crate::cell::SimDoc;
use crate::refusal::{SimResult, invalid};
use crate::rights;

const STATE: &str = "workflow_state";

/// The active workflow of a type.
pub(crate) fn of(books: &SimBooks, kind: &str) -> Option<Arc<SimDoc>> {
    let mut all = books.all("Workflow");
    all.find(|it| it.text("document_type") == kind && it.flag("is_active"))
        .cloned()
}

/// Gives a new document its first state.
pub(crate) fn enter(books: &SimBooks, doc: &mut SimDoc) {
    if let Some(first) = of(books, doc.kind).and_then(|it| it.rows("states").first().cloned()) {
        doc.set(STATE, first.text("state"));
    }
}

/// A state may not be changed by a plain update, except along a transition of this user.
pub(crate) fn hold(books: &SimBooks, doc: &mut SimDoc, before: &SimDoc) -> SimResult<()> {
    let Some(_) = of(books, doc.kind) else {
        return Ok(());
    };
    let (from, to) = (before.text(STATE).to_owned(), doc.text(STATE).to_owned());
    if to.is_empty() {
        doc.set(STATE, from);
        return Ok(());
    }
    let fits = from == to
        || transitions(books, before)
            .iter()
            .any(|row| row.text("next_state") == to);
    if fits {
        return Ok(());
    }
    Err(invalid(
        "WorkflowPermissionError",
        format!("Workflow State transition not allowed from {from} to {to}"),
    ))
}

/// A plain change of docstatus goes round the workflow: the state follows to the first with that status.
pub(crate) fn follow(books: &SimBooks, doc: &mut SimDoc) {
    let Some(workflow) = of(books, doc.kind) else {
        return;
    };
    let status = doc.docstatus().to_string();
    let states = workflow.rows("states");
    let current = states.iter().find(|it| it.text("state") == doc.text(STATE));
    if current.is_some_and(|it| it.text("doc_status") == status) {
        return;
    }
    if let Some(state) = states.iter().find(|it| it.text("doc_status") == status) {
        doc.set(STATE, state.text("state"));
    }
}

/// Steps that the user of the request could take now.
pub(crate) fn transitions(books: &SimBooks, doc: &SimDoc) -> Vec<SimDoc> {
    let Some(workflow) = of(books, doc.kind) else {
        return Vec::new();
    };
    let roles = rights::roles(books, &books.user);
    let is_own = doc.text("owner") == books.user;
    let rows = workflow.rows("transitions").iter();
    rows.filter(|row| {
        row.text("state") == doc.text(STATE)
            && (books.user == "Administrator" || roles.contains(row.text("allowed")))
            && (row.flag("allow_self_approval") || !is_own)
    })
    .cloned()
    .collect()
}

/// The docstatus that belongs to a state.
pub(crate) fn status_of(books: &SimBooks, kind: &str, state: &str) -> i64 {
    let workflow = of(books, kind);
    let status = workflow.and_then(|it| {
        let row = it
            .rows("states")
            .iter()
            .find(|it| it.text("state") == state);
        row.and_then(|row| row.text("doc_status").parse().ok())
    });
    status.unwrap_or_default()
}

/// Closes the actions of states that were left, and opens one for the state that was entered.
pub(crate) fn wait_for_action(books: &mut SimBooks, doc: &SimDoc) {
    let Some(workflow) = of(books, doc.kind) else {
        return;
    };
    let state = doc.text(STATE);
    let mut is_open = false;
    let existing: Vec<_> = books
        .by("Workflow Action", "reference_name", &doc.name)
        .filter(|it| it.text("reference_doctype") == doc.kind && it.text("status") == "Open")
        .cloned()
        .collect();
    for action in existing {
        if action.text("workflow_state") == state {
            is_open = true;
            continue;
        }
        let mut action = SimDoc::clone(&action);
        action.set("status", "Completed");
        action.set("completed_by", books.user.clone());
        books.put(action);
    }
    let mut roles: Vec<_> = workflow
        .rows("transitions")
        .iter()
        .filter(|row| row.text("state") == state)
        .map(|row| row.text("allowed").to_owned())
        .collect();
    roles.dedup();
    // A draft in its first state waits for its own author only.
    let is_first = workflow
        .rows("states")
        .first()
        .is_some_and(|it| it.text("state") == state);
    // A final document waits for nobody, even if its state could still be left.
    if is_open || is_first || roles.is_empty() || doc.docstatus() != 0 {
        return;
    }
    let mut action = SimDoc::new("Workflow Action")
        .with("status", "Open")
        .with("reference_doctype", doc.kind)
        .with("reference_name", &doc.name)
        .with("workflow_state", state);
    for role in roles {
        let row = SimDoc::new("Workflow Action Permitted Role").named(books.hash_name());
        action.push("permitted_roles", row.with("role", role));
    }
    put_new(books, action);
}
