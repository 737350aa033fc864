//! Sessions of tills from their sales to the books, and back.

use serde_json::{Value, json};
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};

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
        // One log of the one customer names the invoice, the credit note and all sales.
        let logs = company.control().names("POS Invoice Merge Log");
        assert_eq!(logs.len(), 1);
        let log = read(&company, "POS Invoice Merge Log", &logs[0]);
        assert_eq!(
            [&log["docstatus"], &log["pos_closing_entry"]],
            [&json!(1), &json!(name)]
        );
        let fields = ["consolidated_invoice", "consolidated_credit_note"];
        let mut named = fields.map(|it| log[it].as_str().expect("an invoice").to_owned());
        named.sort();
        assert_eq!(named[..], invoices[..]);
        assert_eq!(
            log["pos_invoices"].as_array().map(Vec::len),
            Some(sold.len())
        );
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
    for log in company.control().names("POS Invoice Merge Log") {
        let log = read(&company, "POS Invoice Merge Log", &log);
        assert_eq!(log["docstatus"], 2);
    }
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

/// Bells for 7.90, one a sale.
async fn sell(company: &Company, count: usize) {
    let sale = json!({
        "customer": "Walk-in Customer", "company": "Aldergate Cycles", "pos_profile": "Shop Till",
        "taxes_and_charges": "VAT 19 included - AC", "docstatus": 1,
        "items": [{"item_code": "BELL", "qty": 1}],
        "payments": [{"mode_of_payment": "Cash", "amount": 7.9}],
    });
    for _ in 0..count {
        let path = "/api/resource/POS Invoice";
        let made = company.post_as(SimErpUser::Clerk, path, sale.clone()).await;
        made.data();
    }
}

#[tokio::test]
async fn a_closing_of_many_sales_is_posted_in_the_background() {
    let company = Company::new().await;
    sell(&company, 6).await;
    let name = close(&company, "pos_invoices").await;
    let state = || {
        let closing = read(&company, "POS Closing Entry", &name);
        let opening = read(&company, "POS Opening Entry", &session(&company));
        [closing["status"].clone(), opening["status"].clone()]
    };
    assert_eq!(state(), ["Queued", "Open"]);
    assert_eq!(booked(&company, CASH), 0.0);
    company.advance(20);
    assert_eq!(company.control().broken(), Vec::<String>::new());
    assert_eq!(state(), ["Submitted", "Closed"]);
    assert_eq!(booked(&company, CASH), 85.0);
}

#[tokio::test]
async fn a_closing_that_fails_in_the_background_stays_and_says_why() {
    let company = Company::new().await;
    sell(&company, 6).await;
    let name = close(&company, "pos_invoices").await;
    let control = company.control();
    control.set_withdrawn(SimErpUser::Agent.email(), "Sales Invoice", true);
    company.advance(20);
    assert_eq!(control.broken(), Vec::<String>::new());
    let closing = read(&company, "POS Closing Entry", &name);
    assert_eq!(
        (&closing["docstatus"], &closing["status"]),
        (&json!(1), &json!("Failed"))
    );
    let error = closing["error_message"].as_str().expect("a reason");
    assert!(error.contains("Sales Invoice"), "{error}");
    assert_eq!(booked(&company, CASH), 0.0);
    let opening = read(&company, "POS Opening Entry", &session(&company));
    assert_eq!(opening["status"], "Open");
}

#[tokio::test]
async fn previews_of_sales_add_up_to_what_their_closing_posts() {
    for profile in [SimErpProfile::V15, SimErpProfile::V16] {
        let company = Company::with(profile).await;
        let before = company.control().digest();
        let mut sums = [CASH, BANK, "4100 - Sales - AC"].map(|account| (account, 0.0));
        for sale in sales(&company) {
            let name = sale["name"].as_str().expect("a name");
            let method = "erpnext.controllers.stock_controller.show_accounting_ledger_preview";
            let path = format!(
                "/api/method/{method}?company=Aldergate Cycles&doctype=POS Invoice&docname={name}"
            );
            let preview = company.get(&path).await;
            for row in preview.data()["gl_data"].as_array().expect("lines") {
                let of = sums.iter_mut().find(|it| row[1] == it.0);
                let amount = |at: usize| row[at].as_f64().unwrap_or_default();
                if let Some((_, sum)) = of {
                    *sum += amount(2) - amount(3);
                }
            }
        }
        assert_eq!(company.control().digest(), before);
        let table = if profile == SimErpProfile::V15 {
            "pos_transactions"
        } else {
            "pos_invoices"
        };
        close(&company, table).await;
        for (account, sum) in sums {
            assert_eq!((sum * 100.0).round() / 100.0, booked(&company, account));
        }
    }
}

#[tokio::test]
async fn a_closing_that_cannot_be_posted_is_a_draft_that_says_why() {
    for (profile, table) in [
        (SimErpProfile::V15, "pos_transactions"),
        (SimErpProfile::V16, "pos_invoices"),
    ] {
        let company = Company::with(profile).await;
        let control = company.control();
        let draft = company.post(CLOSINGS, closing(&company, table)).await;
        let name = draft.data()["name"].as_str().expect("a name").to_owned();
        let before = read(&company, "POS Closing Entry", &name);
        let sold = sales(&company);
        let user = SimErpUser::Agent.email();
        control.set_withdrawn(user, "Sales Invoice", true);
        let effects = control.effects().len();
        let refused = company.submit("POS Closing Entry", &name).await;
        assert_eq!(refused.status, 403, "{refused:?}");
        // The closing alone has changed.
        let changed = control.effects().split_off(effects);
        let changed: Vec<_> = changed.iter().map(|it| (&*it.name, it.docstatus)).collect();
        assert_eq!(changed, [(&*name, 0)]);
        let mut after = read(&company, "POS Closing Entry", &name);
        let error = after["error_message"].as_str().expect("a reason");
        assert!(
            refused.messages().iter().any(|it| it == error),
            "{error}: {refused:?}"
        );
        assert_eq!(after["status"], "Failed");
        assert_eq!(after["modified_by"], SimErpUser::Agent.email());
        assert!(after["modified"].as_str() > before["modified"].as_str());
        for field in ["error_message", "status", "modified"] {
            after[field] = before[field].clone();
        }
        assert_eq!(after, before);
        assert_eq!(sales(&company), sold);
        // A change of the draft does not mend it; a submit that is posted does.
        let path = format!("{CLOSINGS}/{name}");
        let body = json!({"period_end_date": "2026-11-21 16:30:00"});
        let saved = company.put(&path, body).await;
        assert_eq!(saved.data()["status"], "Failed", "{saved:?}");
        control.set_withdrawn(user, "Sales Invoice", false);
        company.submit("POS Closing Entry", &name).await.data();
        let done = read(&company, "POS Closing Entry", &name);
        assert_eq!(
            [&done["status"], &done["error_message"]],
            [&json!("Submitted"), &json!("")]
        );
        assert_eq!(control.broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_closing_that_is_made_and_submitted_at_once_leaves_nothing_if_it_fails() {
    let company = Company::new().await;
    let before = company.control().digest();
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

#[tokio::test]
async fn what_fails_after_a_closing_is_posted_takes_nothing_back() {
    let company = Company::new().await;
    let draft = company
        .post(CLOSINGS, closing(&company, "pos_invoices"))
        .await;
    let name = draft.data()["name"].as_str().expect("a name").to_owned();
    let deadlock = SimErpTrigger::next("frappe.client.submit", SimErpFault::Deadlock);
    company.control().fault(deadlock);
    let refused = company.submit("POS Closing Entry", &name).await;
    assert_eq!(refused.status, 500, "{refused:?}");
    let closing = read(&company, "POS Closing Entry", &name);
    assert_eq!(
        [&closing["docstatus"], &closing["status"]],
        [&json!(1), &json!("Submitted")]
    );
    assert_eq!(booked(&company, CASH), 37.6);
    assert_eq!(company.control().broken(), Vec::<String>::new());
}

#[tokio::test]
async fn newer_releases_date_a_closing_with_every_save() {
    for (profile, table, day) in [
        (SimErpProfile::V15, "pos_transactions", "2026-11-20"),
        (SimErpProfile::V16, "pos_invoices", "2026-11-21"),
    ] {
        let company = Company::with(profile).await;
        let mut early = closing(&company, table);
        early["posting_date"] = json!("2026-11-20");
        let draft = company.post(CLOSINGS, early).await;
        let name = draft.data()["name"].as_str().expect("a name").to_owned();
        company.submit("POS Closing Entry", &name).await.data();
        let closing = read(&company, "POS Closing Entry", &name);
        let log = &company.control().names("POS Invoice Merge Log")[0];
        let log = read(&company, "POS Invoice Merge Log", log);
        let invoice = log["consolidated_invoice"].as_str().expect("an invoice");
        let invoice = read(&company, "Sales Invoice", invoice);
        for document in [draft.data(), &closing, &log, &invoice] {
            assert_eq!(document["posting_date"], day, "{document}");
        }
        assert_eq!(company.control().broken(), Vec::<String>::new());
    }
}
