//! Ledgers, previews, payments and reports agree with each other.

use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::harness::Company;

async fn report(company: &Company, name: &str, filters: Value) -> Vec<Value> {
    let path = "/api/method/frappe.desk.query_report.run";
    let body = json!({"report_name": name, "filters": filters, "ignore_prepared_report": 1});
    let reply = company.post_as(SimErpUser::Reader, path, body).await;
    reply.data()["result"].as_array().expect("rows").clone()
}

#[tokio::test]
async fn a_preview_shows_what_submitting_posts() {
    let company = Company::new().await;
    let filters = json!({"docstatus": 0, "customer": "Rheinrad"});
    let name = company.first("Sales Invoice", filters).await;
    let path = "/api/method/erpnext.controllers.stock_controller.show_accounting_ledger_preview";
    let query = format!("doctype=Sales Invoice&docname={name}&company=Aldergate Cycles");
    let preview = company.get(&format!("{path}?{query}")).await;
    let rows = preview.data()["gl_data"].as_array().expect("rows").clone();
    assert_eq!(rows.len(), 3);
    company.submit("Sales Invoice", &name).await.data();
    let fields = r#"["account","debit","credit"]"#;
    let filters = json!({"voucher_no": name});
    let posted = company
        .get(&format!(
            "/api/resource/GL Entry?fields={fields}&filters={filters}&order_by=name"
        ))
        .await;
    for (shown, posted) in rows.iter().zip(posted.rows()) {
        assert_eq!(shown[1], posted["account"]);
        assert_eq!(
            shown[2].as_f64().unwrap_or(0.0),
            posted["debit"].as_f64().unwrap_or(0.0)
        );
    }
}

#[tokio::test]
async fn a_preview_of_stock_has_columns_by_position_and_no_signs() {
    let company = Company::new().await;
    let filters = json!({"docstatus": 0, "customer": "Lindgren Rad"});
    let name = company.first("Delivery Note", filters).await;
    let path = "/api/method/erpnext.controllers.stock_controller.show_stock_ledger_preview";
    let query = format!("doctype=Delivery Note&docname={name}&company=Aldergate Cycles");
    let preview = company.get(&format!("{path}?{query}")).await;
    let row = preview.data()["sl_data"][0]
        .as_array()
        .expect("a row")
        .clone();
    assert_eq!(row.len(), 10);
    // Four go out: nothing comes in, and what goes out is told without a sign.
    assert_eq!(
        [&row[0], &row[2], &row[5]],
        [&json!("LOCK-U"), &json!(""), &json!("Stores - AC")]
    );
    assert_eq!(row[3], 4.0);
    // Only the change of the value has one.
    assert!(row[9].as_f64().expect("a value") < 0.0);
}

#[tokio::test]
async fn a_payment_closes_an_invoice_and_comes_loose_when_it_is_cancelled() {
    let company = Company::new().await;
    let filters = json!({"docstatus": 0, "customer": "Rheinrad"});
    let name = company.first("Sales Invoice", filters).await;
    company.submit("Sales Invoice", &name).await.data();
    let path = "/api/method/erpnext.accounts.doctype.payment_entry.payment_entry.get_payment_entry";
    let query = format!("dt=Sales Invoice&dn={name}");
    let draft = company.get(&format!("{path}?{query}")).await;
    let mut draft = draft.data().clone();
    let payments = "/api/resource/Payment Entry";
    draft["docstatus"] = json!(1);
    let unreferenced = company.post(payments, draft.clone()).await;
    assert_eq!(unreferenced.status, 417);
    draft["reference_no"] = json!("T1");
    draft["reference_date"] = json!("2026-11-21");
    let paid = company.post(payments, draft).await;
    let invoice = format!("/api/resource/Sales Invoice/{name}");
    let read = company.get(&invoice).await;
    assert_eq!(read.data()["status"], "Paid");
    assert_eq!(read.data()["outstanding_amount"], 0.0);
    let body = json!({"doctype": "Sales Invoice", "name": name});
    let cancelled = company.post("/api/method/frappe.client.cancel", body).await;
    assert_eq!(cancelled.data()["docstatus"], 2);
    let payment = format!(
        "{payments}/{}",
        paid.data()["name"].as_str().expect("a name")
    );
    let loose = company.get(&payment).await;
    assert_eq!(
        loose.data()["unallocated_amount"],
        loose.data()["paid_amount"]
    );
    assert_eq!(company.control().broken(), Vec::<String>::new());
}

#[tokio::test]
async fn a_closed_period_takes_no_more_postings() {
    let company = Company::new().await;
    let name = company
        .first("Sales Invoice", json!({"remarks": "Workshop hours"}))
        .await;
    let body = json!({"doctype": "Sales Invoice", "name": name});
    let closed = company.post("/api/method/frappe.client.cancel", body).await;
    assert_eq!(closed.kind(), "ClosedAccountingPeriod");
}

#[tokio::test]
async fn the_trial_balance_is_even_and_the_balance_sheet_too() {
    let company = Company::new().await;
    let of = json!({
        "company": "Aldergate Cycles", "fiscal_year": "2026", "from_date": "2026-01-01",
        "to_date": "2026-12-31",
    });
    let rows = report(&company, "Trial Balance", of.clone()).await;
    let total = rows.last().expect("a total");
    for side in ["opening", "closing"] {
        assert_eq!(
            total[format!("{side}_debit")],
            total[format!("{side}_credit")],
            "{side}"
        );
    }
    assert_eq!(total["debit"], total["credit"]);
    let sheet = report(&company, "Balance Sheet", of).await;
    let find = |name: &str| {
        let row = sheet
            .iter()
            .find(|row| row["account"] == name)
            .expect("a total");
        row["total"].as_f64().expect("a number")
    };
    let left = find("Total Asset") - find("Total Liability") - find("Total Equity");
    let profit = find("'Provisional Profit / Loss (Credit)'");
    assert!((left - profit).abs() < 0.005, "{left} {profit}");
}

#[tokio::test]
async fn every_report_of_the_catalogue_runs() {
    let company = Company::new().await;
    let of = json!({
        "company": "Aldergate Cycles", "fiscal_year": "2026", "from_date": "2025-09-01",
        "to_date": "2026-11-21", "tree_type": "Customer", "doc_type": "Sales Invoice", "range": "Monthly",
    });
    for name in [
        "General Ledger",
        "Trial Balance",
        "Profit and Loss Statement",
        "Balance Sheet",
        "Accounts Receivable",
        "Accounts Payable",
        "Gross Profit",
        "Sales Analytics",
        "Sales Order Analysis",
        "Purchase Order Analysis",
        "Stock Ledger",
        "Stock Balance",
        "Stock Projected Qty",
        "Item Shortage Report",
        "Delayed Order Report",
    ] {
        assert!(
            !report(&company, name, of.clone()).await.is_empty(),
            "{name}"
        );
    }
    let path = "/api/method/frappe.desk.query_report.run?report_name=Stock Balance&filters={}";
    let prepared = company.get(path).await;
    assert_eq!(prepared.data()["prepared_report"], true);
    let receivable = report(&company, "Accounts Receivable", of.clone()).await;
    // Frappe's total row is a list, below rows that are objects.
    let at = receivable[0].as_object().expect("a row");
    let at = at
        .keys()
        .position(|it| it == "outstanding")
        .expect("a column");
    let open = receivable.last().expect("a total")[at].as_f64();
    let fields = r#"[{"SUM":"outstanding_amount","as":"open"}]"#;
    let filters = json!({"company": "Aldergate Cycles", "docstatus": 1});
    let list = format!("/api/resource/Sales Invoice?fields={fields}&filters={filters}");
    let sum = company.get_as(SimErpUser::Reader, &list).await.rows()[0]["open"].as_f64();
    assert_eq!(open, sum);
}
