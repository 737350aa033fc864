//! Actions that a document's page offers, by its state. The gate decides on an offered call as on
//! every other, and the tool's preview may still refuse it.
//!
//! An offer's input is complete; a null in it is what a person has to say.

use std::sync::Arc;

use erp_wire::WorkflowPlace;
use protocol::Offer;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::OpenedDocument;
use crate::{
    cell, dates,
    decimal::decimal,
    meta::{TypeMeta, TypeRight, TypeRights},
    refer,
    site::ErpSite,
    texts::pages as say,
    tools,
};

/// The figure which says that nothing is left to make a draft for.
#[derive(Clone, Copy)]
enum DraftDone {
    /// The field has 100 percent.
    Full(&'static str),
    /// The field has nothing left.
    Nothing(&'static str),
    Never,
}

const DELIVERED: DraftDone = DraftDone::Full("per_delivered");
const BILLED: DraftDone = DraftDone::Full("per_billed");
const ORDERED: DraftDone = DraftDone::Full("per_ordered");
const RECEIVED: DraftDone = DraftDone::Full("per_received");
const PAID: DraftDone = DraftDone::Nothing("outstanding_amount");

/// Drafts that the site can make from a submitted document.
const NEXT: [(&str, &str, DraftDone); 10] = [
    ("Quotation", "Sales Order", DraftDone::Never),
    ("Sales Order", "Delivery Note", DELIVERED),
    ("Sales Order", "Sales Invoice", BILLED),
    ("Delivery Note", "Sales Invoice", BILLED),
    ("Sales Invoice", "Payment Entry", PAID),
    ("Material Request", "Purchase Order", ORDERED),
    ("Purchase Order", "Purchase Receipt", RECEIVED),
    ("Purchase Order", "Purchase Invoice", BILLED),
    ("Purchase Receipt", "Purchase Invoice", BILLED),
    ("Purchase Invoice", "Payment Entry", PAID),
];

/// The tool that takes a step of the workflow.
const STEP: &str = "apply_workflow";

/// Statuses in which the site makes nothing from a document.
const STANDING: [&str; 5] = ["Closed", "On Hold", "Stopped", "Lost", "Completed"];

/// The actions that the user of `site` may take.
pub(super) async fn offers(
    site: &Arc<ErpSite>,
    opened: &OpenedDocument,
    workflow: Option<&WorkflowPlace>,
) -> Vec<Offer> {
    if site.reach.is_black(&opened.meta.name) {
        return Vec::new();
    }
    let who = site.identity().await.ok();
    let rights = who.as_ref();
    let rights = rights.and_then(|who| Some(opened.meta.rights(who.roles.as_ref()?)));
    let today = who.map(|who| dates::today(site.client.now(), &who.time_zone).to_string());
    let mut offers = possible(opened, workflow, rights.as_ref(), today.as_deref());
    // Only what there is: a server may have fewer tools.
    let tools: Vec<_> = tools::all(site).iter().map(|it| it.spec().name).collect();
    offers.retain(|offer| tools.contains(&offer.tool));
    offers
}

/// The actions that make sense in this state, with their inputs.
fn possible(
    opened: &OpenedDocument,
    workflow: Option<&WorkflowPlace>,
    rights: Option<&TypeRights>,
    today: Option<&str>,
) -> Vec<Offer> {
    let meta = &opened.meta;
    let status = if meta.is_submittable {
        cell::docstatus(opened.document.get("docstatus").unwrap_or(&Value::Null))
    } else {
        ""
    };
    // Without known roles, the site itself says what is missing.
    let can = |right| rights.is_none_or(|rights| rights.can(right));
    let named = |more: Value| {
        let mut with = json!({
            "doctype": meta.name,
            "name": opened.name(),
            "modified": opened.text("modified"),
        });
        if let (Some(with), Value::Object(more)) = (with.as_object_mut(), more) {
            with.extend(more);
        }
        with
    };
    let mut offers = Vec::new();
    let mut add = |tool: &str, label: String, with: Value| {
        offers.push(Offer {
            tool: tool.to_owned(),
            label,
            on: refer::KIND.to_owned(),
            when: status.to_owned(),
            only: Vec::new(),
            with,
        });
    };
    let steps = workflow.and_then(|place| place.steps.value());
    let (back, on): (Vec<_>, Vec<_>) = steps
        .into_iter()
        .flatten()
        .partition(|step| is_cancel(opened, step));
    match (workflow, status) {
        // A plain submit would go round the workflow.
        (Some(_), _) => {
            for step in on {
                add(STEP, step.clone(), named(json!({ "action": step })));
            }
        }
        (None, "draft") if can(TypeRight::Submit) => {
            add("submit_doc", say::SUBMIT.to_owned(), named(Value::Null));
        }
        _ => {}
    }
    let stands = opened
        .text("status")
        .is_some_and(|it| STANDING.contains(&it));
    if status == "submitted" && !stands {
        let next = NEXT.iter().filter(|(from, _, _)| *from == meta.name);
        for (_, to, _) in next.filter(|(_, _, done)| !is_done(opened, *done)) {
            let mut with = json!({
                "source_doctype": meta.name,
                "source_name": opened.name(),
                "target_doctype": to,
            });
            let fields = needed(meta, to, today);
            if !fields.is_empty() {
                with["fields"] = fields.into();
            }
            add("make_from", say::draft_of(to), with);
        }
    }
    // The way back comes last, and asks for a reason. A plain cancel would go round the workflow, too.
    for step in back {
        let with = named(json!({ "action": step, "comment": null }));
        add(STEP, step.clone(), with);
    }
    if status == "submitted" && workflow.is_none() && can(TypeRight::Cancel) {
        let with = named(json!({ "reason": null }));
        add("cancel_doc", say::CANCEL.to_owned(), with);
    }
    offers
}

/// True for a step of the workflow that cancels the document.
fn is_cancel(opened: &OpenedDocument, step: &str) -> bool {
    opened.meta.workflow.as_ref().is_some_and(|workflow| {
        let state = opened.text(&workflow.state_field);
        workflow.cancels(state.unwrap_or_default(), step)
    })
}

/// Fields without which the site stores no draft of a type, and that no mapping fills.
fn needed(source: &TypeMeta, target: &str, today: Option<&str>) -> Vec<Value> {
    let fields = match (&*source.name, target) {
        (_, "Payment Entry") => vec![("reference_no", None), ("reference_date", today)],
        ("Material Request", "Purchase Order") => vec![("supplier", None)],
        _ => Vec::new(),
    };
    let field = |(field, value)| json!({ "field": field, "value": value });
    fields.into_iter().map(field).collect()
}

fn is_done(opened: &OpenedDocument, done: DraftDone) -> bool {
    let number = |field: &str| opened.document.get(field).and_then(decimal);
    match done {
        DraftDone::Full(field) => number(field).is_some_and(|it| it >= Decimal::ONE_HUNDRED),
        DraftDone::Nothing(field) => number(field).is_some_and(|it| it <= Decimal::ZERO),
        DraftDone::Never => false,
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Known, Timestamp};

    use super::*;

    fn opened(doctype: &str, document: Value) -> OpenedDocument {
        let step = |action: &str, to: &str| json!({"state": "Approved", "action": action, "next_state": to});
        let docs = json!([{
            "name": doctype, "is_submittable": 1, "fields": [],
            "permissions": [
                {"role": "Clerk", "read": 1, "submit": 1},
                {"role": "Manager", "read": 1, "submit": 1, "cancel": 1},
            ],
            "__workflow_docs": [{
                "name": "Approval",
                "states": [{"state": "Gone", "doc_status": "2"}, {"state": "Held", "doc_status": "1"}],
                "transitions": [step("Undo", "Gone"), step("Hold", "Held")],
            }],
        }]);
        OpenedDocument {
            meta: TypeMeta::of(&docs).unwrap().into(),
            document: document.as_object().unwrap().clone(),
            at: Timestamp(0),
        }
    }

    #[test]
    fn offers_follow_the_state_and_never_go_round_a_workflow() {
        let found = |opened: &OpenedDocument, workflow: Option<&WorkflowPlace>, role: &str| {
            let rights = opened.meta.rights(&[role.to_owned()]);
            let offers = possible(opened, workflow, Some(&rights), None).into_iter();
            offers.map(|it| it.label).collect::<Vec<_>>()
        };
        let order = |docstatus: u8, more: Value| {
            let mut document = json!({
                "name": "S/1", "modified": "2026-11-21 16:30:04.000001", "docstatus": docstatus,
            });
            document
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            opened("Sales Order", document)
        };
        let draft = order(0, json!({}));
        assert_eq!(found(&draft, None, "Clerk"), ["Submit"]);
        assert_eq!(found(&draft, None, "Nobody"), [""; 0]);
        let half = json!({"status": "To Bill", "per_delivered": 100.0, "per_billed": 40.0});
        let half = order(1, half);
        assert_eq!(found(&half, None, "Clerk"), ["Draft Sales Invoice"]);
        assert_eq!(
            found(&half, None, "Manager"),
            ["Draft Sales Invoice", "Cancel document"]
        );
        let closed = order(1, json!({"status": "Closed"}));
        assert_eq!(found(&closed, None, "Manager"), ["Cancel document"]);
        assert_eq!(found(&order(2, json!({})), None, "Manager"), [""; 0]);
        let place = |steps| WorkflowPlace {
            name: "Approval".to_owned(),
            state: "Pending".to_owned(),
            steps,
            waits_for: Vec::new(),
        };
        let steps = place(Known::Value(vec!["Approve".to_owned()]));
        assert_eq!(found(&draft, Some(&steps), "Manager"), ["Approve"]);
        let unknown = place(Known::unknown("not permitted"));
        assert_eq!(found(&draft, Some(&unknown), "Manager"), [""; 0]);
        // A step that cancels is last and asks for a reason, as a plain cancel.
        let steps = place(Known::Value(vec!["Undo".to_owned(), "Hold".to_owned()]));
        let state = json!({"workflow_state": "Approved", "per_delivered": 100.0});
        let approved = order(1, state);
        assert_eq!(
            found(&approved, Some(&steps), "Manager"),
            ["Hold", "Draft Sales Invoice", "Undo"]
        );
        let offers = possible(&approved, Some(&steps), None, None);
        let asked = offers.iter().map(|it| it.with.get("comment"));
        assert_eq!(asked.collect::<Vec<_>>(), [None, None, Some(&Value::Null)]);
        let cancel = possible(&order(1, json!({"status": "Closed"})), None, None, None);
        let with = json!({
            "doctype": "Sales Order", "name": "S/1",
            "modified": "2026-11-21 16:30:04.000001", "reason": null,
        });
        assert_eq!(cancel[0].with, with);
        let invoice = json!({"name": "I/1", "docstatus": 1, "outstanding_amount": 5.0});
        let invoice = opened("Sales Invoice", invoice);
        let payment = possible(&invoice, None, None, Some("2026-11-21"));
        let fields = json!([
            {"field": "reference_no", "value": null},
            {"field": "reference_date", "value": "2026-11-21"},
        ]);
        assert_eq!(payment[0].with["fields"], fields);
    }
}
