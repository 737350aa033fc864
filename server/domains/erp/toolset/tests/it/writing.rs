//! Drafts that are made and made final, on the simulated company: what the card shows is what runs.

use agent::ports::{Progress, Reconciled, ToolError};
use erp::{Erp, RestVersion};
use protocol::{Assurance, CardSection, ErrorCode, Tier, Timestamp};
use serde_json::{Value, json};
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};

use crate::{
    simulated::{NOW, World, ask, data, first, is},
    stub::{call, tool},
};

fn order(qty: u32) -> Value {
    let field = |field: &str, value: Value| json!({"field": field, "value": value});
    json!({
        "doctype": "Sales Order",
        "fields": [
            field("customer", json!("Harbour Wheels")),
            field("company", json!("Aldergate Cycles")),
            field("delivery_date", json!("2026-12-10")),
        ],
        "tables": [{"table": "items", "rows": [{"fields": [
            field("item_code", json!("PUMP")),
            field("qty", json!(qty)),
            field("warehouse", json!("Stores - AC")),
        ]}]}],
    })
}

async fn preview(erp: &Erp, name: &str, input: Value) -> Result<agent::ports::Preview, String> {
    let shown = tool(erp, name).preview(&call(name, input)).await;
    shown.map_err(|error| error.message)
}

#[tokio::test]
async fn a_draft_is_shown_then_made_and_compared() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let card = preview(&erp, "create_doc", order(3)).await.unwrap();
        assert_eq!(
            card.sentence,
            "Create a draft Sales Order for Harbour Wheels."
        );
        assert!(matches!(&card.sections[1], CardSection::Table { rows, .. } if rows.len() == 1));
        assert!(world.site.control().effects().is_empty());
        let made = data(&erp, "create_doc", order(3)).await;
        assert_eq!(made["docstatus"], "draft", "{made}");
        assert!(made.get("changed_by_erp").is_none(), "{made}");
        let name = made["name"].as_str().unwrap();
        let stored = world.site.control().document("Sales Order", name).unwrap();
        assert_eq!(stored["docstatus"], 0);
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn what_is_never_submitted_is_called_no_draft() {
    let world = World::start(SimErpProfile::V16, RestVersion::V2).await;
    let erp = world.erp(SimErpUser::Manager);
    let customer = |name: &str| {
        let fields = [json!({"field": "customer_name", "value": name})];
        json!({"doctype": "Customer", "fields": fields})
    };
    let card = preview(&erp, "create_doc", customer("Harbour Bikes")).await;
    let card = card.unwrap();
    assert_eq!(card.sentence, "Create Customer: in effect at once.");
    assert!(card.risks.iter().any(|it| it.rule == "no_draft"));
    let made = data(&erp, "create_doc", customer("Harbour Bikes")).await;
    assert_eq!(made.get("docstatus"), None, "{made}");
    let mut change = customer("Harbour Cycles");
    change["name"] = made["name"].clone();
    change["modified"] = made["modified"].clone();
    change["submitted"] = false.into();
    let card = preview(&erp, "update_doc", change.clone()).await.unwrap();
    let said = format!("{:?} {:?}", card.sections, card.sentence);
    assert!(
        said.contains("in effect") && !said.contains("draft"),
        "{said}"
    );
    let changed = data(&erp, "update_doc", change).await;
    assert_eq!(changed.get("docstatus"), None, "{changed}");
}

#[tokio::test]
async fn a_lost_answer_makes_one_document_and_is_found() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        erp.verify().await.unwrap();
        let count = || world.site.control().names("Sales Order").len();
        let before = count();
        let lost = SimErpTrigger::next("Sales Order", SimErpFault::LostAfter).of_method("POST");
        world.site.control().fault(lost);
        let made = data(&erp, "create_doc", order(4)).await;
        assert_eq!(made["docstatus"], "draft");
        assert_eq!(count(), before + 1);
        // After a restart nothing but the call and its start is known.
        let since = Timestamp(i64::try_from(NOW).unwrap() * 1000 + 3_600_000);
        let call = call("create_doc", order(4));
        let erp = world.erp(SimErpUser::Agent);
        match tool(&erp, "create_doc").reconcile(&call, since).await {
            Reconciled::Done(Ok(output)) => assert_eq!(output.data["name"], made["name"]),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn what_would_not_arrive_is_not_sent() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let with = |field: &str, value: Value| {
        let mut input = order(1);
        let fields = input["fields"].as_array_mut().unwrap();
        fields.retain(|it| it["field"] != field);
        fields.push(json!({"field": field, "value": value}));
        input
    };
    for (field, value, word) in [
        ("docstatus", json!(1), "docstatus"),
        ("custmer", json!("x"), "custmer"),
        ("delivery_date", json!("10.12.2026"), "YYYY-MM-DD"),
        ("customer", json!("harbour wheels"), "arbour"),
        ("customer", json!("Closed Circle"), "disabled"),
        ("items", json!("x"), "tables"),
    ] {
        let error = preview(&erp, "create_doc", with(field, value))
            .await
            .unwrap_err();
        assert!(error.contains(word), "{field}: {error}");
    }
    let mut no_company = order(1);
    no_company["fields"].as_array_mut().unwrap().remove(1);
    let error = preview(&erp, "create_doc", no_company).await.unwrap_err();
    assert!(error.contains("company"), "{error}");
    assert!(world.site.control().effects().is_empty());
    let assess = |input: &Value| tool(&erp, "create_doc").assess(input);
    assert_eq!(
        assess(&json!({"doctype": "Server Script", "fields": []})).tier,
        Tier::Black
    );
    assert!(
        assess(&with("workflow_state", json!("Approved")))
            .refused
            .is_some()
    );
    let values = assess(&order(1)).values;
    assert!(values.iter().any(|it| it.text == "Harbour Wheels"));
    assert!(values.iter().all(|it| it.path.ends_with("/value")));
}

/// A draft order that this user made, as the input of a submit.
async fn draft(erp: &Erp, qty: u32) -> Value {
    let made = data(erp, "create_doc", order(qty)).await;
    json!({"doctype": "Sales Order", "name": made["name"], "modified": made["modified"]})
}

#[tokio::test]
async fn an_order_is_submitted_once_and_only_as_it_was_read() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let input = draft(&erp, 2).await;
        let name = input["name"].as_str().unwrap().to_owned();
        let card = preview(&erp, "submit_doc", input.clone()).await.unwrap();
        assert!(
            card.sentence.ends_with("it posts to no ledger."),
            "{}",
            card.sentence
        );
        // Somebody changes it between card and run.
        world.site.control().edit("Sales Order", &name, None);
        let error = ask(&erp, "submit_doc", input.clone()).await.unwrap_err();
        assert!(error.message.contains("has changed"), "{error}");
        let read = data(
            &erp,
            "get_doc",
            json!({"doctype": "Sales Order", "name": name}),
        )
        .await;
        let mut input = input;
        input["modified"] = read["modified"].clone();
        let lost = SimErpTrigger::next("frappe.client.submit", SimErpFault::LostAfter);
        world.site.control().fault(lost);
        let done = data(&erp, "submit_doc", input.clone()).await;
        assert_eq!(done["docstatus"], "submitted", "{done}");
        let again = ask(&erp, "submit_doc", input.clone()).await.unwrap_err();
        assert!(again.message.contains("no draft"), "{again}");
        let since = Timestamp(i64::try_from(NOW).unwrap() * 1000);
        let found = tool(&erp, "submit_doc")
            .reconcile(&call("submit_doc", input), since)
            .await;
        assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn an_invoice_shows_the_lines_that_it_will_post() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("customer", "Rheinrad"), is("docstatus", 0)]);
        let name = first(&erp, "Sales Invoice", filters).await;
        let read = data(
            &erp,
            "get_doc",
            json!({"doctype": "Sales Invoice", "name": name}),
        )
        .await;
        let input = json!({"doctype": "Sales Invoice", "name": name, "modified": read["modified"]});
        let card = preview(&erp, "submit_doc", input.clone()).await.unwrap();
        let ledger = card.sections.iter().find_map(|section| match section {
            CardSection::Table { title, sums, .. } if title == "Accounting ledger" => Some(sums),
            _ => None,
        });
        let sums = ledger.unwrap();
        assert!(!sums[1].is_empty() && sums[1] == sums[2], "{sums:?}");
        assert_ne!(card.assurance, Assurance::Press);
        // Read again, the card is the same, so that the approval holds.
        assert_eq!(
            preview(&erp, "submit_doc", input.clone()).await.unwrap(),
            card
        );
        data(&erp, "submit_doc", input).await;
        let posted = json!({"doctype": "Sales Invoice", "name": name, "kind": "accounting"});
        let posted = data(&erp, "get_ledger", posted).await;
        let debit = posted["accounting"]["sums"]["debit"].as_str();
        assert_eq!(debit, Some(format!("{} EUR", sums[1]).as_str()));
    }
}

#[tokio::test]
async fn a_workflow_is_not_gone_round() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let filters = json!([is("supplier", "Sprocket & Daughters"), is("docstatus", 0)]);
    let name = first(&erp, "Purchase Order", filters).await;
    let read = data(
        &erp,
        "get_doc",
        json!({"doctype": "Purchase Order", "name": name}),
    )
    .await;
    let input = json!({"doctype": "Purchase Order", "name": name, "modified": read["modified"]});
    let error = preview(&erp, "submit_doc", input).await.unwrap_err();
    assert!(error.contains("workflow"), "{error}");
}

#[tokio::test]
async fn an_outcome_that_cannot_be_told_is_unknown() {
    let world = World::start(SimErpProfile::V15, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let call = call("create_doc", order(7));
    let since = Timestamp(i64::try_from(NOW).unwrap() * 1000 + 3_600_000);
    // TypeRight after the start of the call nothing is there yet, which proves nothing.
    let found = tool(&erp, "create_doc").reconcile(&call, since).await;
    assert!(matches!(found, Reconciled::Unknown(_)), "{found:?}");
    let since = Timestamp(since.0 - 200_000);
    let found = tool(&erp, "create_doc").reconcile(&call, since).await;
    assert!(matches!(found, Reconciled::NotDone(_)), "{found:?}");
    // A refusal of the ERP is certain.
    let fault = SimErpFault::Message("Credit limit crossed".to_owned());
    let fault = SimErpTrigger::next("Sales Order", fault).of_method("POST");
    world.site.control().fault(fault);
    let refused = tool(&erp, "create_doc")
        .call(call, Progress::ignored())
        .await;
    let Err(ToolError(error)) = refused else {
        panic!("{refused:?}");
    };
    assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
}
