//! Scenarios about the books of the simulated company: each order reaches it at most once, and what is
//! reported is what it has.

mod drafts;
mod packs;
mod tills;

use protocol::{Assurance, Decision};
use rehearsal::Block;
use serde_json::{Value, json};
use simerp::SimErpControl;

use crate::{
    company::{self, CompanyStart},
    scenario::{Act, Card, End, Move, Scenario},
};

/// The point after a lost answer was looked for, and told.
const LOST: &[&str] = &["committed, not heard: tool_finished"];

/// Reads the company as it is at first, and makes the scenarios of its documents.
pub(super) async fn all() -> anyhow::Result<Vec<Scenario>> {
    let running = company::start(CompanyStart::Plain).await?;
    let company = running.control();
    let start = CompanyStart::Plain;
    let lost = CompanyStart::AnswerLost;
    let submit_lost = lost("POST method/frappe.client.submit");
    let twice = Scenario {
        again: true,
        ..submit(&company, "books: a submit, killed twice", start)?
    };
    let mut scenarios = vec![
        create("books: a draft", start),
        create(
            "books: a draft, answer lost",
            lost("POST resource/Sales Order"),
        ),
        map(&company, "books: a mapped draft", start)?,
        map(&company, "books: a mapped draft, answer lost", INVOICE_LOST)?.short(LOST),
        map_twice(&company, "books: two drafts alike", start)?,
        map_twice(
            &company,
            "books: two drafts alike, answer lost",
            INVOICE_LOST,
        )?,
        map_twice(
            &company,
            "books: two drafts alike, keys",
            CompanyStart::WithKeyField,
        )?,
        map(&company, "books: a mapped draft, own key", OWN_KEY)?.short(&["ordered, not followed"]),
        map(
            &company,
            "books: a mapped draft, own key, answer lost",
            OWN_KEY_LOST,
        )?
        .short(LOST),
        update(&company, "books: a change", start)?,
        update(
            &company,
            "books: a change, answer lost",
            lost("PUT resource/Sales Order"),
        )?
        .short(LOST),
        submit(&company, "books: a submit", start)?,
        submit(&company, "books: a submit, answer lost", submit_lost)?.short(&[
            "ordered, not followed",
            "committed, not heard: tool_finished",
        ]),
        twice.short(&["ordered, not followed"]),
        cancel(&company, "books: a cancel", start)?.short(&[
            "before the order: cancel",
            "ordered, not followed: cancel",
            "ordered, not followed: the reason",
        ]),
        cancel(
            &company,
            "books: a cancel, answer lost",
            lost("PUT resource/Delivery Note"),
        )?
        .short(LOST),
        cancel(
            &company,
            "books: a cancel, answer to its reason lost",
            lost(COMMENTED),
        )?
        .short(LOST),
        amend(&company, "books: a draft of a cancelled one", false)?,
        amend(
            &company,
            "books: a draft of a cancelled one, answer lost",
            true,
        )?,
        workflow(&company, "books: a step of a workflow", start)?,
        workflow(
            &company,
            "books: a step of a workflow, answer lost",
            lost(STEPPED),
        )?
        .short(LOST),
        status(&company, "books: a status", start)?,
        status(&company, "books: a status, answer lost", lost(CLOSED))?.short(LOST),
        comment(&company, "books: a comment", start)?,
        comment(&company, "books: a comment, answer lost", lost(COMMENTED))?.short(LOST),
    ];
    scenarios.extend(packs::all(&company)?);
    scenarios.extend(drafts::all(&company)?);
    scenarios.extend(tills::all().await?);
    running.shutdown().await;
    Ok(scenarios)
}

// Orders by their names in the ledger.
const COMMENTED: &str = "POST method/frappe.desk.form.utils.add_comment";
const STEPPED: &str = "POST method/frappe.model.workflow.apply_workflow";
const CLOSED: &str = "POST method/erpnext.selling.doctype.sales_order.sales_order.update_status";
const INVOICE_LOST: CompanyStart = CompanyStart::AnswerLost("POST resource/Sales Invoice");

// The server's own key writes nothing: what is made and found again is so by the person's.
const OWN_KEY: CompanyStart = CompanyStart::WithOwnKey {
    is_answer_lost: false,
};
const OWN_KEY_LOST: CompanyStart = CompanyStart::WithOwnKey {
    is_answer_lost: true,
};

/// One message, one step with these calls, one last answer.
fn of_company(name: &'static str, says: String, acts: Vec<Act>, company: CompanyStart) -> Scenario {
    // Scenarios are there until the program ends.
    let says: &'static str = String::leak(says);
    let says: &'static [&'static str] = Vec::leak(vec![says]);
    let scenario = Scenario {
        company: Some(company),
        ..Scenario::new(name, says)
    };
    let mut first = vec![Block::text("At once.")];
    first.extend(acts.iter().map(Act::call));
    let scenario = scenario
        .answer("Books", 0, first)
        .answer("Books", 1, vec![Block::text("That was that.")])
        .person(decides)
        .short(&["before the order", "ordered, not followed"]);
    acts.into_iter().fold(scenario, Scenario::act)
}

fn create(name: &'static str, start: CompanyStart) -> Scenario {
    let row = json!({ "fields": [
        set("item_code", "PUMP"),
        set("qty", 3),
        set("rate", 20),
    ] });
    let input = json!({
        "doctype": "Sales Order",
        "fields": [
            set("customer", "Harbour Wheels"),
            set("company", "Aldergate Cycles"),
            set("delivery_date", "2026-12-10"),
        ],
        "tables": [{ "table": "items", "rows": [row] }],
    });
    let act = Act::new("create_doc", input, "saved Sales Order", End::Authorised)
        .followed_by(&["POST resource/Sales Order"]);
    let says = "Books: draft an order of Harbour Wheels for 3 PUMP at 20.".to_owned();
    of_company(name, says, vec![act], start)
}

fn map(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let order = half_delivered(company)?;
    let says = format!("Books: draft the invoice of {}.", text(&order, "name"));
    let acts = vec![invoice_of(&order)];
    Ok(of_company(name, says, acts, start))
}

/// Two drafts that say the same, made one right after the other: the first is never taken for the second.
fn map_twice(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let order = half_delivered(company)?;
    let says = format!("Books: draft {}'s invoice twice.", text(&order, "name"));
    let acts = vec![invoice_of(&order), invoice_of(&order)];
    let scenario = of_company(name, says, acts, start);
    Ok(scenario.short(&["ordered, not followed"]))
}

fn invoice_of(order: &Value) -> Act {
    let input = json!({
        "source_doctype": "Sales Order",
        "source_name": order["name"],
        "target_doctype": "Sales Invoice",
    });
    Act::new("make_from", input, "saved Sales Invoice", End::Authorised)
        .followed_by(&["POST resource/Sales Invoice"])
}

fn update(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let draft = company::find(company, "Sales Order", |it| it["po_no"] == "KC-4711")?;
    let mut input = copy("Sales Order", &draft);
    input["submitted"] = false.into();
    input["fields"] = json!([set("delivery_date", "2026-12-24")]);
    let act = Act::new("update_doc", input, "saved Sales Order", End::Authorised)
        .with(&["saved Version"])
        .followed_by(&["PUT resource/Sales Order"]);
    let says = format!("Books: deliver {} on 2026-12-24.", text(&draft, "name"));
    Ok(of_company(name, says, vec![act], start))
}

/// An invoice posts its lines, and the order that it is of is billed.
fn submit(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let draft = company::find(company, "Sales Invoice", |it| {
        let customer = it["customer"].as_str().unwrap_or_default();
        it["docstatus"] == 0 && customer.starts_with("Rhein")
    })?;
    let input = copy("Sales Invoice", &draft);
    let effect = "submitted Sales Invoice";
    let act = Act::new("submit_doc", input, effect, End::Authorised)
        .with(&[
            "submitted GL Entry",
            "submitted GL Entry",
            "submitted GL Entry",
            "submitted Payment Ledger Entry",
            "submitted Sales Order",
            "saved Version",
        ])
        .followed_by(&["POST method/frappe.client.submit"]);
    let says = format!("Books: submit {}.", text(&draft, "name"));
    Ok(of_company(name, says, vec![act], start))
}

/// A delivery is taken back: its lines and moves are reversed, and its order is open again. The reason
/// comes after it, as a comment.
fn cancel(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let note = company::delivery(company)?;
    let mut input = copy("Delivery Note", &note);
    input["reason"] = "never arrived".into();
    let effect = "cancelled Delivery Note";
    let act = Act::new("cancel_doc", input, effect, End::Authorised)
        .with(&[
            "submitted GL Entry",
            "submitted GL Entry",
            "submitted GL Entry",
            "submitted GL Entry",
            "submitted Stock Ledger Entry",
            "submitted Stock Ledger Entry",
            "saved Bin",
            "submitted Sales Order",
            "saved Version",
        ])
        .followed_by(&["PUT resource/Delivery Note", "saved Comment", COMMENTED]);
    let says = format!("Books: take {} back.", text(&note, "name"));
    Ok(of_company(name, says, vec![act], start))
}

/// The cancelled document is amended, with one pump less.
fn amend(
    company: &SimErpControl,
    name: &'static str,
    is_answer_lost: bool,
) -> anyhow::Result<Scenario> {
    let note = company::delivery(company)?;
    let row = json!({
        "table": "items", "action": "change", "row": note["items"][0]["name"],
        "fields": [set("qty", 4)],
    });
    let input = json!({ "doctype": "Delivery Note", "name": note["name"], "rows": [row] });
    let act = Act::new("amend_doc", input, "saved Delivery Note", End::Authorised)
        .followed_by(&["POST resource/Delivery Note"]);
    let says = format!("Books: amend {} with 4 pumps.", text(&note, "name"));
    let start = CompanyStart::DeliveryCancelled { is_answer_lost };
    Ok(of_company(name, says, vec![act], start))
}

fn workflow(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let offer = company::find(company, "Quotation", |it| {
        it["docstatus"] == 0 && it["party_name"] == "Isar Velo"
    })?;
    let mut input = copy("Quotation", &offer);
    input["action"] = "Release".into();
    let effect = "submitted Quotation";
    let act = Act::new("apply_workflow", input, effect, End::Authorised)
        .with(&["saved Comment", "saved Version"])
        .followed_by(&[STEPPED]);
    let says = format!("Books: release {}.", text(&offer, "name"));
    Ok(of_company(name, says, vec![act], start))
}

/// An order is closed, and what it reserved is free.
fn status(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let order = half_delivered(company)?;
    let mut input = copy("Sales Order", &order);
    input["status"] = "close".into();
    let effect = "submitted Sales Order";
    let act = Act::new("set_order_status", input, effect, End::Authorised)
        .with(&["saved Bin"])
        .followed_by(&[CLOSED]);
    let says = format!("Books: close {}.", text(&order, "name"));
    Ok(of_company(name, says, vec![act], start))
}

/// YELLOW: the person's own words.
fn comment(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let order = half_delivered(company)?;
    let of = text(&order, "name");
    let input = json!({ "doctype": "Sales Order", "name": of, "text": "The customer called" });
    let act = Act::new("add_comment", input, "saved Comment", End::Runs).followed_by(&[COMMENTED]);
    let says = format!("Books: note on {of}: The customer called.");
    Ok(of_company(name, says, vec![act], start))
}

/// Ten pumps, of which five were delivered.
fn half_delivered(company: &SimErpControl) -> anyhow::Result<Value> {
    company::find(company, "Sales Order", |it| {
        it["customer"] == "Harbour Wheels" && it["status"] == "To Deliver and Bill"
    })
}

/// The copy of a document that a call is for.
fn copy(doctype: &str, document: &Value) -> Value {
    json!({ "doctype": doctype, "name": document["name"], "modified": document["modified"] })
}

fn set(field: &str, value: impl Into<Value>) -> Value {
    json!({ "field": field, "value": value.into() })
}

fn text<'a>(document: &'a Value, field: &str) -> &'a str {
    document[field].as_str().unwrap_or_default()
}

/// Approves, with the word that the card asks for. A call is not executed after one whose outcome is
/// unknown, and then its card needs no decision.
fn decides(card: &Card<'_>) -> Vec<Move> {
    let word = match &card.asks.assurance {
        _ if card.lapsed => return Vec::new(),
        Assurance::Type { word } => Some(word.clone()),
        _ => None,
    };
    vec![Move::Perhaps(Decision::Approve { grant: None, word })]
}
