//! Each tool on answers of both versions.

use serde_json::{Value, json};

use crate::stub::{Asked, Reply, Stub, both, data, message, refuse};

fn ends(asked: &Asked, end: &str) -> bool {
    asked.path.ends_with(end)
}

#[tokio::test]
async fn a_search_has_an_order_and_says_what_narrows_it() {
    for config in both() {
        let is_v1 = config.rest == erp::RestVersion::V1;
        let site = Stub::start(config, |asked| {
            if ends(asked, "get_user_permissions") {
                return Some(message(json!({"Territory": [{"doc": "North", "applicable_for": null}], "Project": [{"doc": "P"}]})));
            }
            if ends(asked, "get_count") {
                return Some(message(json!(41)));
            }
            let row = |n: u32| json!({
                "name": format!("SO-{n}"), "customer": "<b>Kestrel</b> & Co", "grand_total": 1190.0,
                "docstatus": 1, "modified": "2026-11-23 10:00:00.000001", "status": null,
            });
            ends(asked, "/Sales%20Order").then(|| data(json!([row(1), row(2), row(3)])))
        })
        .await;
        let filter = json!({"field": "status", "op": "not in", "value": ["Completed", "Closed"]});
        let input = json!({"doctype": "Sales Order", "filters": [filter], "limit": 2, "total": true,
            "fields": ["customer", "grand_total", "docstatus", "modified", "status", "transaction_date"]});
        let found = site.call("search_doc", input).await.unwrap();
        assert_eq!(found.summary, "2 Sales Order documents, and more");
        let first = json!({"name": "SO-1", "customer": "Kestrel & Co", "grand_total": 1190,
            "docstatus": "submitted", "modified": "2026-11-23 10:00:00.000001"});
        assert_eq!(found.data["rows"][0], first);
        assert_eq!(
            (&found.data["more"], &found.data["total"]),
            (&json!(true), &json!(41))
        );
        assert_eq!(found.data["narrowed_by"], json!({"Territory": ["North"]}));
        // Left out by the ERP, and not a column without values.
        assert_eq!(found.data["withheld"], json!(["transaction_date"]));
        let asked = &site.asked_of("/Sales%20Order")[0];
        assert_eq!(asked.query["order_by"], "modified desc, name asc");
        assert_eq!(
            asked.query[if is_v1 { "limit_page_length" } else { "limit" }],
            "3"
        );
        assert_eq!(
            asked.json("filters"),
            json!([["status", "not in", ["Completed", "Closed"]]])
        );
        let counted = site.asked_of("get_count")[0].json("filters");
        assert_eq!(
            counted,
            json!([["Sales Order", "status", "not in", ["Completed", "Closed"]]])
        );
    }
}

#[tokio::test]
async fn any_of_goes_to_the_version_that_knows_it() {
    let [_, config] = both();
    let site = Stub::start(config, |asked| {
        ends(asked, "/Sales%20Order").then(|| data(json!([])))
    })
    .await;
    let any = json!([{"field": "customer", "op": "like", "value": "K%"}, {"field": "status", "op": "=", "value": "Draft"}]);
    let input = json!({"doctype": "Sales Order", "any_of": any, "total": true});
    let found = site.call("search_doc", input).await.unwrap();
    let asked = &site.asked_of("/Sales%20Order")[0];
    assert_eq!(asked.path, "/api/resource/Sales%20Order");
    assert_eq!(
        asked.json("or_filters"),
        json!([["customer", "like", "K%"], ["status", "=", "Draft"]])
    );
    assert!(found.data["total"]["unknown"].is_string());
}

#[tokio::test]
async fn a_document_is_plain_and_has_its_rows_and_steps() {
    for config in both() {
        let site = Stub::start(config, |asked| {
            if ends(asked, "get_transitions") {
                assert_eq!(asked.json("doc"), json!({"doctype": "Sales Invoice", "name": "SI/1"}));
                return Some(message(json!([{"action": "Approve", "next_state": "Approved"}])));
            }
            asked.path.trim_end_matches('/').ends_with("/Sales%20Invoice/SI%2F1").then(|| data(json!({
                "name": "SI/1", "docstatus": 0, "customer": "<img src=x onerror=y>Kestrel", "modified": "2026-11-23 10:00:00.5",
                "outstanding_amount": 0.0, "workflow_state": "Pending", "owner": "agent@example.org", "unknown_field": "x",
                "items": [{"name": "r1", "item_code": "FRAME-M", "qty": 2.0}, {"name": "r2", "item_code": "X"}],
            })))
        })
        .await;
        let input = json!({"doctype": "Sales Invoice", "name": "SI/1", "rows": 1});
        let found = site.call("get_doc", input).await.unwrap();
        assert_eq!(found.summary, "Sales Invoice SI/1 of Kestrel: draft");
        let data = found.data;
        assert_eq!(
            data["fields"],
            json!({"customer": "Kestrel", "outstanding_amount": 0, "workflow_state": "Pending"})
        );
        // The other table's type has the column qty, this one's has not.
        assert_eq!(
            data["tables"]["items"],
            json!({"of": 2, "rows": [{"item_code": "FRAME-M", "name": "r1"}]})
        );
        assert_eq!(
            data["workflow"],
            json!({"name": "Invoice Approval", "state": "Pending", "actions": ["Approve"]})
        );
        assert_eq!(data["modified"], "2026-11-23 10:00:00.5");
    }
}

#[tokio::test]
async fn types_are_described_in_a_few_words() {
    let site = Stub::plain(|asked| {
        ends(asked, "search_link").then(|| {
            message(json!([{"value": "Sales Order"}, {"value": "User"}, {"value": "Salary Slip"}]))
        })
    })
    .await;
    let found = site
        .call("describe_doctype", json!({"doctype": "Sales Order"}))
        .await
        .unwrap();
    assert_eq!(found.data["rights"], json!(["read", "write", "create"]));
    let fields = found.data["fields"].as_array().unwrap();
    let of = |name: &str| fields.iter().find(|field| field["field"] == name);
    assert_eq!(
        of("status").unwrap()["choices"],
        json!(["Draft", "To Deliver", "Completed", "Closed"])
    );
    assert!(
        of("margin").unwrap()["note"]
            .as_str()
            .unwrap()
            .contains("permission level")
    );
    assert!(of("secret_code").is_none() && of("section").is_none());
    let rows = json!({"doctype": "Sales Order", "table": "items"});
    let rows = site.call("describe_doctype", rows).await.unwrap();
    assert_eq!(rows.data["fields"][0]["of"], "Item");
    let none = json!({"doctype": "Sales Order", "table": "taxes"});
    let none = site.call("describe_doctype", none).await.unwrap_err();
    assert_eq!(
        none.message,
        "Sales Order has no table \"taxes\"; it has: items."
    );
    let like = site
        .call("describe_doctype", json!({"like": "sal"}))
        .await
        .unwrap();
    assert_eq!(like.data["doctypes"], json!(["Sales Order"]));
    assert!(site.call("describe_doctype", json!({})).await.is_err());
}

#[tokio::test]
async fn links_are_found_and_never_guessed() {
    let site = Stub::plain(|asked| {
        ends(asked, "search_link").then(|| {
            message(json!([
                {"value": "Kestrel Cycles", "description": "<em>Bikes</em>, North"},
                {"value": "Kestrel Cycles Ltd", "label": "Kestrel"},
                {"value": "Kestrel Three"},
            ]))
        })
    })
    .await;
    let input =
        json!({"doctype": "Customer", "text": "kestrel cycles", "company": "AC", "limit": 2});
    let found = site.call("find_link", input).await.unwrap();
    assert_eq!(
        found.data["matches"],
        json!([
            {"name": "Kestrel Cycles", "about": "Bikes, North", "exact": true},
            {"name": "Kestrel Cycles Ltd", "label": "Kestrel"},
        ])
    );
    assert_eq!(found.data["more"], true);
    assert!(found.data["note"].as_str().unwrap().contains("no company"));
}

#[tokio::test]
async fn a_report_that_is_not_generated_is_not_empty() {
    let day = |name: &str| json!({"name": name, "value": "2026-11-30"});
    let input =
        || json!({"report": "Stock Balance", "filters": [day("from_date"), day("to_date")]});
    let site = Stub::plain(|asked| {
        ends(asked, "query_report.run")
            .then(|| message(json!({"prepared_report": true, "doc": null})))
    })
    .await;
    let found = site.call("run_report", input()).await.unwrap();
    assert_eq!(found.data["outcome"], "not generated");
    assert!(found.data.get("rows").is_none());

    let site = Stub::plain(|asked| ends(asked, "query_report.run").then(|| {
        message(json!({"columns": ["Item:Link/Item:100"], "result": [["FRAME-M"]], "prepared_report": true, "doc": {"report_end_time": "2026-11-30 04:00:00"}}))
    })).await;
    let found = site.call("run_report", input()).await.unwrap();
    assert_eq!(found.data["prepared_at"], "2026-11-30T03:00:00Z");
    let asked = &site.asked_of("query_report.run")[0];
    assert_eq!(
        asked.json("filters"),
        json!({"from_date": "2026-11-30", "to_date": "2026-11-30"})
    );
    assert!(!asked.query.contains_key("user"));
}

#[tokio::test]
async fn approvals_say_where_self_approval_is_off() {
    let site = Stub::plain(|asked| match asked.path.as_str() {
        "/api/resource/Workflow%20Action" => {
            let row = |name: &str| json!({"reference_doctype": "Sales Invoice", "reference_name": name, "workflow_state": "Pending", "creation": "2026-11-20 09:00:00"});
            Some(data(json!([row("SI-1"), row("SI-1"), row("SI-2"), row("SI-3")])))
        }
        "/api/resource/Sales%20Invoice" => Some(data(json!([
            {"name": "SI-1", "owner": "agent@example.org", "customer": "Kestrel", "docstatus": 0, "workflow_state": "Pending", "company": "AC"},
            {"name": "SI-2", "owner": "anna@example.org", "customer": "Norland", "docstatus": 0, "workflow_state": "Pending", "company": "AC"},
        ]))),
        _ => None,
    })
    .await;
    let found = site.call("list_approvals", json!({})).await.unwrap();
    assert_eq!(
        found.summary,
        "2 documents wait for approval: Sales Invoice SI-1 of Kestrel and Sales Invoice SI-2 of Norland"
    );
    assert_eq!(found.data["summary"], found.summary);
    let waiting = found.data["waiting"].as_array().unwrap();
    // Reject is for another role.
    assert_eq!(waiting[0]["actions"].as_array().unwrap().len(), 1);
    assert!(
        waiting[0]["actions"][0]["not_possible"]
            .as_str()
            .unwrap()
            .contains("self-approval")
    );
    assert_eq!(
        waiting[1]["actions"],
        json!([{"action": "Approve", "to": "Approved"}])
    );
    assert_eq!(found.data["not_readable_or_of_another_company"], 1);
}

#[tokio::test]
async fn a_chain_counts_what_the_user_may_not_read() {
    let site = Stub::plain(|asked| match asked.path.as_str() {
        "/api/resource/Sales%20Order/SO-1" => Some(data(json!({
            "name": "SO-1", "docstatus": 1, "customer": "Kestrel", "items": [{"prevdoc_docname": "QTN-1"}],
        }))),
        "/api/method/frappe.desk.form.linked_with.get_submitted_linked_docs" => Some(message(json!({"docs": [
            {"doctype": "Sales Invoice", "name": "SI-1", "docstatus": 1},
            {"doctype": "Sales Invoice", "name": "SI-secret", "docstatus": 1},
        ], "count": 2}))),
        "/api/resource/Sales%20Invoice" => Some(data(json!([{"name": "SI-1", "docstatus": 1, "customer": "Kestrel"}]))),
        _ => None,
    })
    .await;
    let found = site
        .call(
            "trace_doc",
            json!({"doctype": "Sales Order", "name": "SO-1"}),
        )
        .await
        .unwrap();
    assert_eq!(found.data["after"][0]["name"], "SI-1");
    assert_eq!(found.data["after_not_readable"], 1);
    assert_eq!(found.data["cancel"]["blocked_by"], 2);
    assert!(!found.data.to_string().contains("SI-secret"));
    // The type of the quotation is not there for this user.
    assert!(
        found.data["incomplete"][0]
            .as_str()
            .unwrap()
            .starts_with("Quotation: ")
    );
}

fn invoice(docstatus: u8) -> Reply {
    data(
        json!({"name": "SI-1", "docstatus": docstatus, "company": "AC", "posting_date": "2026-11-23"}),
    )
}

#[tokio::test]
async fn ledger_lines_are_summed_exactly() {
    let site = Stub::plain(|asked| match asked.path.as_str() {
        "/api/resource/Sales%20Invoice/SI-1" => Some(invoice(1)),
        "/api/resource/GL%20Entry" => Some(data(json!([
            {"account": "Debtors", "debit": 0.3, "credit": 0.0, "party": "<i>Kestrel</i>"},
            {"account": "Sales", "debit": 0.0, "credit": 0.1},
            {"account": "VAT", "debit": 0.0, "credit": 0.2},
        ]))),
        _ => None,
    })
    .await;
    let input = json!({"doctype": "Sales Invoice", "name": "SI-1", "kind": "both"});
    let found = site.call("get_ledger", input).await.unwrap();
    let accounting = &found.data["accounting"];
    let sum = "0.30 of an unknown currency";
    assert_eq!(accounting["sums"], json!({"debit": sum, "credit": sum}));
    assert_eq!(
        (&accounting["balanced"], &accounting["of"]),
        (&json!(true), &json!(3))
    );
    assert_eq!(
        accounting["lines"][0],
        json!({"account": "Debtors", "debit": sum, "party": "Kestrel"})
    );
    // This user has no right on the other ledger, which is not the same as no lines.
    assert!(found.data["stock"]["unknown"].is_string());
    let filters = site.asked_of("/GL%20Entry")[0].json("filters");
    assert_eq!(filters[2], json!(["is_cancelled", "=", 0]));
}

#[tokio::test]
async fn a_preview_needs_the_right_on_the_ledger() {
    for may_read in [true, false] {
        let site = Stub::plain(move |asked| match asked.path.rsplit(['/', '.']).next()? {
            "SI-1" => Some(invoice(0)),
            "GL%20Entry" if may_read => Some(data(json!([]))),
            "GL%20Entry" => Some(refuse(403, &json!({"exc_type": "PermissionError"}))),
            "show_accounting_ledger_preview" => Some(message(json!({"gl_columns": [], "gl_data": [
                ["2026-11-23", "Debtors", 119.0, "", "Sales", "Customer", "Kestrel", "", "", ""],
                ["2026-11-23", "Sales", "", 119.0, "Kestrel", "", "", "Main", "", ""],
            ]}))),
            "Company" => Some(data(json!([{"default_currency": "EUR"}]))),
            _ => None,
        })
        .await;
        let input = json!({"doctype": "Sales Invoice", "name": "SI-1", "kind": "accounting"});
        let found = site.call("get_ledger", input).await.unwrap();
        let accounting = &found.data["accounting"];
        assert_eq!(
            site.asked_of("show_accounting_ledger_preview").len(),
            usize::from(may_read)
        );
        if may_read {
            let sum = "119.00 EUR";
            assert_eq!(accounting["sums"], json!({"debit": sum, "credit": sum}));
            assert_eq!(accounting["lines"][0]["debit"], sum);
            assert!(
                found.summary.ends_with("with a debit of 119.00 EUR"),
                "{}",
                found.summary
            );
            assert_eq!(
                (&accounting["preview"], &accounting["balanced"]),
                (&json!(true), &json!(true))
            );
        } else {
            assert!(accounting["unknown"].as_str().unwrap().contains("right"))
        }
    }
}

#[tokio::test]
async fn a_party_is_summed_in_the_form_of_each_version() {
    for (version, sum) in [
        ("15.109.0", json!("sum(debit) as debit")),
        ("16.34.0", json!({"SUM": "debit", "as": "debit"})),
    ] {
        let site = Stub::plain(move |asked| match asked.path.rsplit(['/', '.']).next()? {
            "get_versions" => Some(message(json!({"frappe": {"version": version}}))),
            "Kestrel" => Some(data(json!({"name": "Kestrel", "credit_limits": [{"company": "AC", "credit_limit": 5000.0}]}))),
            "GL%20Entry" => Some(data(json!([{"debit": 3000.1, "credit": 1000.0}]))),
            "Sales%20Invoice" => Some(data(json!([
                {"name": "SI-1", "due_date": "2026-11-22", "outstanding_amount": 1500.05, "party_account_currency": "EUR"},
                {"name": "SI-2", "due_date": "2026-11-23", "outstanding_amount": 500.05, "party_account_currency": "EUR"},
                {"name": "SI-3", "due_date": "2026-12-23", "outstanding_amount": 70, "party_account_currency": "USD"},
            ]))),
            "Sales%20Order" => Some(data(json!([{"name": "SO-1", "base_grand_total": 90, "per_billed": 50}]))),
            "Payment%20Entry" => Some(data(json!([{"name": "PE-1", "posting_date": "2026-10-01", "paid_amount": 10.0,
                "paid_from_account_currency": "CHF"}]))),
            "Company" => Some(data(json!([{"default_currency": "EUR"}]))),
            _ => None,
        })
        .await;
        let input = json!({"party_type": "Customer", "party": "Kestrel", "company": "AC"});
        let found = site.call("party_summary", input).await.unwrap().data;
        assert_eq!(site.asked_of("/GL%20Entry")[0].json("fields")[0], sum);
        assert_eq!(found["balance"]["value"], "2,000.10 EUR");
        assert_eq!(found["credit"]["limit"], "5,000.00 EUR");
        assert_eq!(found["credit"]["left"], "2,999.90 EUR");
        // Due yesterday; what is due today is not overdue.
        assert_eq!(
            (
                &found["open_invoices"]["overdue"],
                &found["open_invoices"]["outstanding"]
            ),
            (
                &json!("1,500.05 EUR and 0.00 USD"),
                &json!("2,000.10 EUR and 70.00 USD")
            )
        );
        assert_eq!(
            found["open_invoices"]["oldest_due"],
            json!({"name": "SI-1", "due": "2026-11-22"})
        );
        assert_eq!(
            (
                &found["open_orders"]["value"],
                &found["open_orders"]["not_billed"]
            ),
            (&json!("90.00 EUR"), &json!("45.00 EUR"))
        );
        assert_eq!(found["last_payment"]["paid_amount"], "10.00 CHF");
        assert_eq!(found["company_currency"], "EUR");
        assert_eq!(
            found["summary"],
            "Kestrel owes AC 2,000.10 EUR; 1,500.05 EUR and 0.00 USD of invoices is overdue"
        );
    }
}

#[tokio::test]
async fn what_may_not_be_read_is_unknown_rather_than_zero() {
    let site = Stub::plain(|asked| match asked.path.rsplit(['/', '.']).next()? {
        "Kestrel" => Some(data(json!({"name": "Kestrel"}))),
        "GL%20Entry" | "Sales%20Invoice" => {
            Some(refuse(403, &json!({"exc_type": "PermissionError"})))
        }
        _ => None,
    })
    .await;
    let input = json!({"party_type": "Customer", "party": "Kestrel", "company": "AC"});
    let found = site.call("party_summary", input).await.unwrap();
    assert_eq!(found.summary, "Kestrel: balance unknown");
    for part in ["balance", "open_invoices", "open_orders", "last_payment"] {
        let reason: &Value = &found.data[part]["unknown"];
        assert!(reason.is_string(), "{part}: {}", found.data[part]);
    }
}
