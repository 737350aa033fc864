//! Sessions of tills from their sales to the books, and back.

use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};

use crate::harness::{Company, Reply};

const CLOSINGS: &str = "/api/resource/POS Closing Entry";

fn session(company: &Company) -> String {
    company.control().names("POS Opening Entry").remove(0)
}

fn read(company: &Company, kind: &str, name: &str) -> Value {
    company.control().document(kind, name).expect("a document")
}

fn number(value: &Value) -> f64 {
    let value = value.as_f64().expect("a number");
    (value * 100.0).round() / 100.0
}

/// The till's sales that no closing has.
fn sales(company: &Company) -> Vec<Value> {
    let control = company.control();
    let names = control.names("POS Invoice").into_iter();
    let all = names.map(|name| read(company, "POS Invoice", &name));
    all.filter(|it| it["docstatus"] == 1 && it["consolidated_invoice"].is_null())
        .collect()
}

/// A closing of the session as the form fills it in.
fn closing(company: &Company, table: &str) -> Value {
    let sales = sales(company);
    let row = |it: &Value| {
        json!({
            "pos_invoice": it["name"], "posting_date": it["posting_date"],
            "customer": it["customer"], "grand_total": it["grand_total"],
        })
    };
    json!({
        "pos_opening_entry": session(company),
        "period_end_date": "2026-11-21 16:00:00", "posting_date": "2026-11-21",
        table: sales.iter().map(row).collect::<Vec<_>>(),
        "payment_reconciliation": [
            {"mode_of_payment": "Cash", "opening_amount": 150, "expected_amount": 187.6, "closing_amount": 187.6},
            {"mode_of_payment": "Credit Card", "opening_amount": 0, "expected_amount": 49.9, "closing_amount": 49.9},
        ],
    })
}

async fn close(company: &Company, table: &str) -> String {
    let draft = company.post(CLOSINGS, closing(company, table)).await;
    let name = draft.data()["name"].as_str().expect("a name").to_owned();
    let done = company.submit("POS Closing Entry", &name).await;
    assert_eq!(done.data()["docstatus"], 1, "{done:?}");
    name
}

async fn cancel(company: &Company, kind: &str, name: &str) -> Reply {
    let body = json!({"doctype": kind, "name": name});
    company.post("/api/method/frappe.client.cancel", body).await
}

/// The sum that invoices of tills posted to an account.
fn booked(company: &Company, account: &str) -> f64 {
    let control = company.control();
    let of_till = |it: &Value| {
        let invoice = it["voucher_no"].as_str().unwrap_or_default();
        let invoice = control.document("Sales Invoice", invoice);
        invoice.is_some_and(|it| it["is_consolidated"] == 1)
    };
    let names = control.names("GL Entry").into_iter();
    let lines = names.map(|name| read(company, "GL Entry", &name));
    let lines = lines.filter(|it| it["account"] == account && of_till(it));
    let sum: f64 = lines
        .map(|it| number(&it["debit"]) - number(&it["credit"]))
        .sum();
    (sum * 100.0).round() / 100.0
}

const CASH: &str = "1110 - Cash - AC";
const BANK: &str = "1120 - Main Bank - AC";

#[tokio::test]
async fn a_closing_posts_one_invoice_of_all_sales_and_one_credit_note() {
    for (profile, table) in [
        (SimErpProfile::V15, "pos_transactions"),
        (SimErpProfile::V16, "pos_invoices"),
    ] {
        let company = Company::with(profile).await;
        // A bell for 7.90, of 20 that were handed over.
        let sale = json!({
            "customer": "Walk-in Customer", "company": "Aldergate Cycles", "pos_profile": "Shop Till",
            "taxes_and_charges": "VAT 19 included - AC", "change_amount": 12.1, "docstatus": 1,
            "items": [{"item_code": "BELL", "qty": 1}],
            "payments": [{"mode_of_payment": "Cash", "amount": 20}],
        });
        let path = "/api/resource/POS Invoice";
        company.post_as(SimErpUser::Clerk, path, sale).await.data();
        let sold = sales(&company);
        assert_eq!(sold.len(), 5);
        let sum = |is_return: i64| -> f64 {
            let of = sold.iter().filter(|it| it["is_return"] == is_return);
            let sum: f64 = of.map(|it| number(&it["grand_total"])).sum();
            (sum * 100.0).round() / 100.0
        };
        let before = company.control().names("Sales Invoice");
        let name = close(&company, table).await;
        let opening = read(&company, "POS Opening Entry", &session(&company));
        assert_eq!(opening["status"], "Closed");
        assert_eq!(opening["pos_closing_entry"], name.as_str());
        let mut invoices = company.control().names("Sales Invoice");
        invoices.retain(|it| !before.contains(it));
        assert_eq!(invoices.len(), 2);
        for invoice in &invoices {
            let invoice = read(&company, "Sales Invoice", invoice);
            let is_return = invoice["is_return"].as_i64().expect("a flag");
            assert_eq!(number(&invoice["grand_total"]), sum(is_return));
            assert_eq!(number(&invoice["outstanding_amount"]), 0.0);
            assert_eq!(invoice["posting_date"], "2026-11-21");
            let status = ["Paid", "Return"][usize::from(is_return == 1)];
            assert_eq!(invoice["status"], status);
        }
        for sale in &sold {
            let sale = read(
                &company,
                "POS Invoice",
                sale["name"].as_str().expect("a name"),
            );
            assert_eq!(sale["status"], "Consolidated");
            let invoice = sale["consolidated_invoice"].as_str().expect("an invoice");
            let invoice = read(&company, "Sales Invoice", invoice);
            assert_eq!(invoice["is_return"], sale["is_return"]);
        }
        // What is in the drawer beyond the 150 of the morning, and what came by card.
        assert_eq!(booked(&company, CASH), 45.5);
        assert_eq!(booked(&company, BANK), 49.9);
        assert_eq!(booked(&company, "1200 - Debtors - AC"), 0.0);
        assert_eq!(company.control().broken(), Vec::<String>::new());
        // Neither the session nor its sales are closed twice.
        let twice = company.post(CLOSINGS, closing(&company, table)).await;
        assert_eq!(twice.status, 417, "{twice:?}");
        let kept = cancel(&company, "Sales Invoice", &invoices[0]).await;
        assert_eq!(kept.kind(), "LinkExistsError", "{kept:?}");
    }
}

#[tokio::test]
async fn a_closing_that_is_taken_back_leaves_an_open_session() {
    let company = Company::new().await;
    let sold = sales(&company);
    let name = close(&company, "pos_invoices").await;
    let gone = cancel(&company, "POS Closing Entry", &name).await;
    assert_eq!(gone.data()["docstatus"], 2);
    let opening = read(&company, "POS Opening Entry", &session(&company));
    assert_eq!(opening["status"], "Open");
    assert!(opening["pos_closing_entry"].is_null());
    // The sales are as they were.
    let state = |sales: &[Value]| -> Vec<Value> {
        let state = sales.iter().map(|it| json!([it["name"], it["status"]]));
        state.collect()
    };
    assert_eq!(state(&sales(&company)), state(&sold));
    assert_eq!((booked(&company, CASH), booked(&company, BANK)), (0.0, 0.0));
    assert_eq!(company.control().broken(), Vec::<String>::new());
    close(&company, "pos_invoices").await;
    assert_eq!(
        (booked(&company, CASH), booked(&company, BANK)),
        (37.6, 49.9)
    );
    assert_eq!(company.control().broken(), Vec::<String>::new());
}

#[tokio::test]
async fn a_closing_that_cannot_be_posted_changes_nothing() {
    let company = Company::new().await;
    let mut late = closing(&company, "pos_invoices");
    late["posting_date"] = json!("2026-09-15");
    let draft = company.post(CLOSINGS, late).await;
    let name = draft.data()["name"].as_str().expect("a name").to_owned();
    let before = company.control().digest();
    let refused = company.submit("POS Closing Entry", &name).await;
    assert_eq!(refused.status, 417, "{refused:?}");
    assert_eq!(company.control().digest(), before);
    let withdrawn = SimErpUser::Agent.email();
    company
        .control()
        .set_withdrawn(withdrawn, "Sales Invoice", true);
    let mut plain = closing(&company, "pos_invoices");
    plain["docstatus"] = json!(1);
    let refused = company.post(CLOSINGS, plain).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(company.control().digest(), before);
}
