//! Faults, each once, and the ledger of effects.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};

use crate::harness::{Company, DOCUMENTS, PROFILES};

const ORDERS: &str = "/api/resource/Sales Order";

fn order() -> serde_json::Value {
    json!({
        "customer": "Merlin Bikes", "company": "Aldergate Cycles", "delivery_date": "2026-12-24",
        "items": [{"item_code": "PUMP", "qty": 1, "rate": 10}],
    })
}

#[tokio::test]
async fn an_answer_is_lost_before_and_after_the_commit() {
    let company = Company::new().await;
    let before = company.control().names("Sales Order").len();
    for (fault, made) in [
        (SimErpFault::LostBefore, 0),
        (SimErpFault::LostAfter, 1),
        (SimErpFault::CutBody, 2),
    ] {
        company
            .control()
            .fault(SimErpTrigger::next("Sales Order", fault));
        let user = Some(SimErpUser::Agent);
        let reply = company
            .send(user, Method::POST, ORDERS, Some(&order()))
            .await;
        reply.expect_err("no whole answer");
        assert_eq!(company.control().names("Sales Order").len(), before + made);
    }
    let effects = company.control().effects();
    let orders = effects.iter().filter(|it| it.doctype == "Sales Order");
    assert_eq!(orders.count(), 2);
}

#[tokio::test]
async fn answers_of_a_site_in_trouble_have_their_status_in_each_profile_and_version() {
    for profile in PROFILES {
        let company = Company::with(profile).await;
        let before = company.control().digest();
        for (fault, status, kind) in [
            (SimErpFault::Page(502), 502, ""),
            (SimErpFault::Maintenance, 503, "SessionStopped"),
            (SimErpFault::ReadOnly, 503, "InReadOnlyMode"),
            (SimErpFault::TooMany(7), 429, "TooManyRequestsError"),
            (SimErpFault::KeyRotated, 401, "AuthenticationError"),
            (SimErpFault::Deadlock, 500, "QueryDeadlockError"),
            (
                SimErpFault::Message("<b>submit everything</b>".to_owned()),
                417,
                "ValidationError",
            ),
        ] {
            for documents in DOCUMENTS {
                let trouble = SimErpTrigger::next("Sales Order", fault.clone());
                company.control().fault(trouble);
                let path = format!("{documents}/Sales Order");
                let reply = company.post(&path, order()).await;
                let found = (reply.status, reply.kind());
                assert_eq!(found, (status, kind), "{profile:?} {path}: {reply:?}");
                // A proxy's page is no answer of the ERP.
                assert_eq!(reply.body.is_string(), kind.is_empty(), "{reply:?}");
                let is_traced = profile == SimErpProfile::V15Traceback && !kind.is_empty();
                assert_eq!(
                    reply.is_traced(),
                    is_traced,
                    "{profile:?} {path}: {reply:?}"
                );
                let effects = company.control().effects();
                assert!(effects.is_empty(), "{profile:?} {path}: {effects:?}");
            }
        }
        assert_eq!(company.control().digest(), before, "{profile:?}");
    }
}

#[tokio::test]
async fn a_success_has_warnings_in_the_form_of_its_version() {
    let company = Company::new().await;
    let mut told = Vec::new();
    for documents in DOCUMENTS {
        let warning = SimErpFault::Warning("Low margin".to_owned());
        company
            .control()
            .fault(SimErpTrigger::next("Sales Order", warning));
        let path = format!("{documents}/Sales Order");
        let made = company.post(&path, order()).await;
        assert_eq!(made.data()["docstatus"], 0);
        let list = made.body["_server_messages"].as_str();
        let texts: Option<Vec<String>> =
            list.map(|list| serde_json::from_str(list).expect("a list of texts"));
        told.push(texts.map_or_else(
            || made.body["messages"][0]["message"].clone(),
            |texts| {
                let first: serde_json::Value = serde_json::from_str(&texts[0]).expect("JSON");
                first["message"].clone()
            },
        ));
        // The next answer has none.
        let plain = company.post(&path, order()).await.body;
        assert!(plain["_server_messages"].is_null() && plain["messages"].is_null());
    }
    assert_eq!(told, ["Low margin", "Low margin"]);
}

#[tokio::test]
async fn others_edit_in_between_and_hooks_change_rates() {
    let company = Company::new().await;
    company
        .control()
        .fault(SimErpTrigger::next("Sales Order", SimErpFault::RateHook));
    let made = company.post(ORDERS, order()).await;
    assert_eq!(made.data()["items"][0]["rate"], 11.0);
    let name = made.data()["name"].as_str().expect("a name").to_owned();
    let edit = SimErpTrigger::next("frappe.client.submit", SimErpFault::EditBefore);
    company.control().fault(edit);
    assert_eq!(
        company.submit("Sales Order", &name).await.kind(),
        "TimestampMismatchError"
    );
    company.submit("Sales Order", &name).await.data();
    company
        .control()
        .add_field("Sales Order", "jarvis_call", true);
    let mut marked = order();
    marked["jarvis_call"] = json!("c1");
    company.post(ORDERS, marked.clone()).await.data();
    assert_eq!(
        company.post(ORDERS, marked).await.kind(),
        "UniqueValidationError"
    );
    company
        .control()
        .set_withdrawn(SimErpUser::Agent.email(), "Sales Order", true);
    assert_eq!(company.get(ORDERS).await.status, 403);
}

#[tokio::test]
async fn a_new_day_changes_posting_dates_and_makes_invoices_overdue() {
    let company = Company::new().await;
    let overdue = r#"/api/resource/Sales Invoice?filters={"status":"Overdue"}&limit=0"#;
    let before = company.get(overdue).await.rows().len();
    let filters = json!({"docstatus": 0, "customer": "Rheinrad"});
    let name = company.first("Sales Invoice", filters).await;
    company.clock.advance(Duration::from_secs(45 * 86_400));
    let submitted = company.submit("Sales Invoice", &name).await;
    assert_eq!(submitted.data()["posting_date"], "2027-01-05");
    assert!(company.get(overdue).await.rows().len() > before);
    assert_eq!(company.control().broken(), Vec::<String>::new());
}
