//! Amounts against a table that was computed by hand.

use reqwest::Method;
use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::harness::Company;

/// Computes an order without keeping it.
async fn order(company: &Company, rows: &[(f64, f64)], more: Value) -> Value {
    let items: Vec<_> = rows
        .iter()
        .map(|(qty, rate)| json!({"item_code": "PUMP", "qty": qty, "rate": rate}))
        .collect();
    let mut doc = json!({
        "customer": "Isar Velo", "company": "Aldergate Cycles", "delivery_date": "2026-12-24",
        "items": items,
    });
    for (key, value) in more.as_object().expect("an object") {
        doc[key] = value.clone();
    }
    company
        .post("/api/resource/Sales Order", doc)
        .await
        .data()
        .clone()
}

#[tokio::test]
async fn totals_are_those_of_the_table() {
    let company = Company::new().await;
    let tax = |kind: &str, rate: f64, id: &str, included: i64| {
        json!({
            "charge_type": kind, "account_head": "2200 - VAT 19 - AC", "rate": rate, "row_id": id,
            "included_in_print_rate": included, "description": "x",
        })
    };
    let on_top = json!([tax("On Net Total", 19.0, "", 0)]);
    let within = json!([tax("On Net Total", 19.0, "", 1)]);
    let shipping = json!({
        "charge_type": "Actual", "account_head": "4300 - Shipping - AC", "tax_amount": 4.9,
        "description": "x",
    });
    let chain = json!([
        tax("On Net Total", 10.0, "", 0),
        shipping,
        tax("On Previous Row Amount", 50.0, "1", 0),
        tax("On Previous Row Total", 1.0, "3", 0),
    ]);
    // Rows, settings, net total, taxes, grand total.
    for (rows, more, net, taxes, grand) in [
        (
            vec![(10.0, 100.0)],
            json!({ "taxes": on_top }),
            1000.0,
            190.0,
            1190.0,
        ),
        (
            vec![(3.0, 33.33), (1.0, 0.01)],
            json!({ "taxes": on_top }),
            100.0,
            19.0,
            119.0,
        ),
        (
            vec![(1.0, 119.0)],
            json!({ "taxes": within }),
            100.0,
            19.0,
            119.0,
        ),
        (
            vec![(1.0, 9.99), (1.0, 9.99), (1.0, 9.99)],
            json!({ "taxes": within }),
            25.17,
            4.80,
            29.97,
        ),
        // 100 + 10 + 4.90 + 5 = 119.90; one per cent of it is 1.199.
        (
            vec![(1.0, 100.0)],
            json!({ "taxes": chain }),
            100.0,
            21.10,
            121.10,
        ),
        (
            vec![(2.0, 50.0)],
            json!({ "taxes": on_top, "additional_discount_percentage": 10, "apply_discount_on": "Net Total" }),
            90.0,
            17.10,
            107.10,
        ),
        (
            vec![(2.0, 50.0)],
            json!({ "taxes": on_top, "discount_amount": 19, "apply_discount_on": "Grand Total" }),
            84.03,
            15.97,
            100.0,
        ),
    ] {
        let doc = order(&company, &rows, more.clone()).await;
        let found = [
            &doc["net_total"],
            &doc["total_taxes_and_charges"],
            &doc["grand_total"],
        ];
        assert_eq!(
            found,
            [&json!(net), &json!(taxes), &json!(grand)],
            "{rows:?} {more}"
        );
    }
}

#[tokio::test]
async fn foreign_money_is_converted_and_rounded_to_its_smallest_coin() {
    let company = Company::new().await;
    let more = json!({"customer": "Velo Helvetia"});
    let doc = order(&company, &[(1.0, 10.02)], more).await;
    assert_eq!(doc["currency"], "CHF");
    assert_eq!(doc["conversion_rate"], 1.04);
    assert_eq!(doc["grand_total"], 10.02);
    assert_eq!(doc["rounded_total"], 10.0);
    assert_eq!(doc["base_grand_total"], 10.42);
}

#[tokio::test]
async fn a_half_is_rounded_by_the_method_of_the_settings() {
    let company = Company::new().await;
    let rows = [(0.5, 0.01), (0.5, 0.03), (0.5, 0.05), (1.0, 10.0)];
    let taxes = [-0.005, -0.015, -0.025].map(|amount| {
        json!({
            "charge_type": "Actual", "account_head": "4300 - Shipping - AC", "tax_amount": amount,
            "description": "x",
        })
    });
    // Method, amounts of 0.005, 0.015 and 0.025, the same below zero, net total, grand total.
    for (method, above, below, net, grand) in [
        (
            "Banker's Rounding (legacy)",
            [0.01, 0.02, 0.03],
            [0.0, -0.01, -0.02],
            10.06,
            10.03,
        ),
        (
            "Banker's Rounding",
            [0.0, 0.02, 0.02],
            [0.0, -0.02, -0.02],
            10.04,
            10.0,
        ),
        (
            "Commercial Rounding",
            [0.01, 0.02, 0.03],
            [-0.01, -0.02, -0.03],
            10.06,
            10.0,
        ),
        // None is the oldest.
        ("", [0.01, 0.02, 0.03], [0.0, -0.01, -0.02], 10.06, 10.03),
    ] {
        let path = "/api/resource/System Settings/System Settings";
        let body = json!({ "rounding_method": method });
        let saved = company
            .send(Some(SimErpUser::Boss), Method::PUT, path, Some(&body))
            .await;
        saved.expect("an answer").data();
        let doc = order(&company, &rows, json!({ "taxes": taxes })).await;
        let of = |table: &str, field: &str| -> Vec<Value> {
            let rows = doc[table].as_array().expect("rows");
            rows.iter().take(3).map(|it| it[field].clone()).collect()
        };
        assert_eq!(of("items", "amount"), above.map(Value::from), "{method}");
        assert_eq!(
            of("taxes", "tax_amount"),
            below.map(Value::from),
            "{method}"
        );
        assert_eq!(
            [&doc["net_total"], &doc["grand_total"]],
            [&json!(net), &json!(grand)],
            "{method}"
        );
    }
}
