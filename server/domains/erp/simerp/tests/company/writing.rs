//! Drafts, submits, cancels, amendments, workflows: the rules and their errors.

use reqwest::Method;
use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};

use crate::harness::{Company, DOCUMENTS, PROFILES, Reply};

fn order(item: &str, qty: i64) -> Value {
    json!({
        "customer": "Merlin Bikes", "company": "Aldergate Cycles", "delivery_date": "2026-12-24",
        "items": [{"item_code": item, "qty": qty}],
    })
}

const ORDERS: &str = "/api/resource/Sales Order";

fn name(reply: &Reply) -> String {
    reply.data()["name"].as_str().expect("a name").to_owned()
}

#[tokio::test]
async fn what_is_unknown_or_malformed_is_dropped_or_coerced_without_a_word() {
    let company = Company::new().await;
    let mut doc = order("PUMP", 3);
    doc["nonsense"] = json!("x");
    doc["items"][0]["rate"] = json!("1,234.5");
    doc["customer"] = json!("merlin bikes");
    let reply = company.post(ORDERS, doc).await;
    let data = reply.data();
    assert_eq!(data.get("nonsense"), None);
    assert_eq!(data["customer"], "Merlin Bikes");
    assert_eq!(data["territory"], "North");
    assert_eq!(data["items"][0]["rate"], 1234.5);
    assert_eq!(data["total"], 3703.5);
    let mut doc = order("PUMP", 3);
    doc["delivery_date"] = json!("24.12.2026");
    assert_eq!(company.post(ORDERS, doc).await.status, 500);
}

#[tokio::test]
async fn each_refusal_has_its_kind_in_each_profile_and_version() {
    for profile in PROFILES {
        let company = Company::with(profile).await;
        let before = company.control().digest();
        let mut bad_link = order("PUMP", 1);
        bad_link["customer"] = json!("Nobody");
        let mut template = order("JERSEY", 1);
        template["customer"] = json!("Merlin Bikes");
        for (doctype, doc, status, kind) in [
            ("Sales Order", bad_link, 417, "LinkValidationError"),
            (
                "Sales Order",
                json!({"customer": "Merlin Bikes", "delivery_date": "2026-12-24"}),
                417,
                "MandatoryError",
            ),
            ("Sales Order", template, 417, "ValidationError"),
            ("Sales Order", order("PUMP", -1), 417, "NonNegativeError"),
            (
                "Item Price",
                json!({"item_code": "PUMP", "price_list": "Retail EUR"}),
                403,
                "PermissionError",
            ),
            (
                "Customer",
                json!({"customer_name": "Merlin Bikes"}),
                409,
                "DuplicateEntryError",
            ),
            ("Nonsense", json!({}), 404, "DoesNotExistError"),
        ] {
            for documents in DOCUMENTS {
                let path = format!("{documents}/{doctype}");
                let reply = company.post(&path, doc.clone()).await;
                let found = (reply.status, reply.kind());
                assert_eq!(found, (status, kind), "{profile:?} {path}: {reply:?}");
                let is_traced = profile == SimErpProfile::V15Traceback && status != 404;
                assert_eq!(reply.is_traced(), is_traced, "{profile:?} {path}");
                assert_eq!(reply.body["data"], Value::Null, "{profile:?} {path}");
            }
        }
        let journal = company
            .first("Journal Entry", json!({"docstatus": 0}))
            .await;
        // The body replaces the query, so that no method is named.
        let path = format!("/api/resource/Journal Entry/{journal}?run_method=submit");
        let reply = company.post(&path, json!({})).await;
        assert_eq!((reply.status, reply.kind()), (403, "PermissionError"));
        assert_eq!(company.control().digest(), before, "{profile:?}");
    }
}

#[tokio::test]
async fn an_order_goes_from_draft_to_cancelled_and_is_amended() {
    for (profile, documents) in [
        (SimErpProfile::V15, DOCUMENTS[0]),
        (SimErpProfile::V15, DOCUMENTS[1]),
        (SimErpProfile::V16, DOCUMENTS[0]),
        (SimErpProfile::V16, DOCUMENTS[1]),
    ] {
        let company = Company::with(profile).await;
        let orders = format!("{documents}/Sales Order");
        let draft = company.post(&orders, order("PUMP", 4)).await;
        let name = name(&draft);
        let path = format!("{orders}/{name}");
        let stale = json!({"po_no": "A", "modified": "2020-01-01 00:00:00.000000"});
        assert_eq!(
            company.put(&path, stale).await.kind(),
            "TimestampMismatchError"
        );
        let rows = draft.data()["items"].clone();
        let part = json!({"items": [{"name": rows[0]["name"], "item_code": "PUMP", "qty": 5}]});
        let replaced = company.put(&path, part).await;
        assert_eq!(replaced.data()["items"].as_array().map(Vec::len), Some(1));
        let submitted = company.submit("Sales Order", &name).await;
        assert_eq!(submitted.data()["status"], "To Deliver and Bill");
        let late = json!({"items": [], "po_no": "LATER"});
        assert_eq!(
            company.put(&path, late).await.kind(),
            "UpdateAfterSubmitError"
        );
        assert_eq!(
            company.put(&path, json!({"po_no": "LATER"})).await.status,
            200
        );
        let back = company.put(&path, json!({"docstatus": 0})).await;
        assert_eq!(back.kind(), "DocstatusTransitionError");
        let body = json!({"doctype": "Sales Order", "name": name});
        let cancelled = company.post("/api/method/frappe.client.cancel", body).await;
        assert_eq!(cancelled.data()["status"], "Cancelled");
        let mut again = order("PUMP", 4);
        again["amended_from"] = json!(name);
        let amended = company.post(&orders, again).await;
        assert_eq!(amended.data()["name"], format!("{name}-1"));
        assert_eq!(company.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_get_never_keeps_what_it_did() {
    let company = Company::new().await;
    let draft = company.post(ORDERS, order("PUMP", 1)).await;
    let before = company.control().digest();
    let path = format!("{ORDERS}/{}?run_method=submit", name(&draft));
    assert_eq!(company.get(&path).await.data()["docstatus"], 1);
    assert_eq!(company.control().digest(), before);
}

#[tokio::test]
async fn names_of_callers_are_a_key_in_version_2_of_16_only() {
    for (profile, status) in [(SimErpProfile::V16, 409), (SimErpProfile::V15, 200)] {
        let company = Company::with(profile).await;
        let mut doc = order("PUMP", 1);
        doc["name"] = json!("CALL-1");
        let path = "/api/v2/document/Sales Order";
        company.post(path, doc.clone()).await.data();
        assert_eq!(company.post(path, doc).await.status, status);
    }
}

#[tokio::test]
async fn a_delivery_needs_stock_and_blocks_its_order() {
    let company = Company::new().await;
    let draft = company.post(ORDERS, order("BELL", 2)).await;
    let name = name(&draft);
    company.submit("Sales Order", &name).await.data();
    let mapper = "/api/method/erpnext.selling.doctype.sales_order.sales_order.make_delivery_note";
    let note = company
        .get(&format!("{mapper}?source_name={name}"))
        .await
        .data()
        .clone();
    let mut many = note.clone();
    many["items"][0]["qty"] = json!(3);
    many["docstatus"] = json!(1);
    let notes = "/api/resource/Delivery Note";
    assert_eq!(company.post(notes, many).await.kind(), "OverAllowanceError");
    let mut one = note;
    one["docstatus"] = json!(1);
    company.post(notes, one).await.data();
    let order = company.get(&format!("{ORDERS}/{name}")).await;
    assert_eq!(order.data()["status"], "To Bill");
    let body = json!({"doctype": "Sales Order", "name": name});
    let blocked = company.post("/api/method/frappe.client.cancel", body).await;
    assert_eq!(blocked.kind(), "LinkExistsError");
    let path = "/api/method/frappe.desk.form.linked_with.get_submitted_linked_docs";
    let links = company
        .get(&format!("{path}?doctype=Sales Order&name={name}"))
        .await;
    assert_eq!(links.data()["count"], 1);
    let draft = json!({
        "stock_entry_type": "Material Issue", "company": "Aldergate Cycles", "docstatus": 1,
        "items": [{"item_code": "PUMP", "qty": 100_000, "s_warehouse": "Stores - AC"}],
    });
    let short = company.post("/api/resource/Stock Entry", draft).await;
    assert_eq!(short.kind(), "NegativeStockError");
}

#[tokio::test]
async fn the_workflow_lets_another_person_approve() {
    let company = Company::new().await;
    let filters = json!({"workflow_state": "Pending Approval"});
    let name = company.first("Purchase Order", filters).await;
    let doc = company
        .get(&format!("/api/resource/Purchase Order/{name}"))
        .await;
    let body = json!({"doc": doc.data(), "action": "Approve"});
    let path = "/api/method/frappe.model.workflow.apply_workflow";
    let own = company.post(path, body.clone()).await;
    assert_eq!(own.kind(), "WorkflowTransitionError");
    let open = r#"/api/resource/Workflow Action?filters={"status":"Open"}"#;
    assert_eq!(company.get(open).await.rows().len(), 0);
    assert_eq!(
        company.get_as(SimErpUser::Manager, open).await.rows().len(),
        1
    );
    let done = company.post_as(SimErpUser::Manager, path, body).await;
    assert_eq!(done.data()["docstatus"], 1);
    assert_eq!(done.data()["workflow_state"], "Approved");
    assert_eq!(
        company.get_as(SimErpUser::Manager, open).await.rows().len(),
        0
    );
}

#[tokio::test]
async fn a_long_journal_is_submitted_in_the_background() {
    let company = Company::new().await;
    let name = company
        .first("Journal Entry", json!({"docstatus": 0}))
        .await;
    let queued = company.submit("Journal Entry", &name).await;
    assert_eq!(
        (queued.status, &queued.data()["docstatus"]),
        (200, &json!(0))
    );
    assert!(!queued.messages().is_empty(), "a warning with 200");
    let path = format!("/api/resource/Journal Entry/{name}");
    let locked = company.put(&path, json!({"cheque_no": "1"})).await;
    assert_eq!(locked.kind(), "DocumentLockedError");
    company.advance(21);
    assert_eq!(company.get(&path).await.data()["docstatus"], 1);
    assert_eq!(company.control().broken(), Vec::<String>::new());
}

#[tokio::test]
async fn deleting_answers_202_and_steps_the_series_back() {
    let company = Company::new().await;
    let first = name(&company.post(ORDERS, order("PUMP", 1)).await);
    let path = format!("{ORDERS}/{first}");
    let user = Some(SimErpUser::Manager);
    let gone = company
        .send(user, Method::DELETE, &path, None)
        .await
        .expect("an answer");
    assert_eq!((gone.status, &gone.body["data"]), (202, &json!("ok")));
    assert_eq!(name(&company.post(ORDERS, order("PUMP", 1)).await), first);
}

#[tokio::test]
async fn the_verb_rule_refuses_writes_over_get() {
    let company = Company::with(SimErpProfile::V16Verbs).await;
    let path = "/api/method/frappe.client.cancel?doctype=Sales Order&name=X";
    let reply = company.get(path).await;
    assert_eq!((reply.status, reply.kind()), (403, "PermissionError"));
}
