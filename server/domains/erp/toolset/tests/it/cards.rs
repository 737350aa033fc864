//! What cards say: amounts with their currency and two digits, quantities as they are, columns by
//! their labels, times to the second.

use agent::ports::Preview;
use protocol::CardSection;
use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::{
    acting::{COMPANY, card, draft, find, is_whole, with, worlds},
    simulated::{data, is},
};

/// The heads of a table, its first row and its sums.
fn heads<'a>(card: &'a Preview, of: &str) -> (Vec<&'a str>, &'a [String], &'a [String]) {
    let found = card.sections.iter().find_map(|section| match section {
        CardSection::Table {
            title,
            columns,
            rows,
            sums,
        } if title == of => {
            let heads = columns.iter().map(|it| it.name.as_str()).collect();
            Some((heads, rows[0].as_slice(), sums.as_slice()))
        }
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{of}: {:?}", card.sections))
}

fn field<'a>(card: &'a Preview, label: &str) -> Option<&'a str> {
    let fields = card.sections.iter().filter_map(|section| match section {
        CardSection::Fields { fields, .. } => Some(fields),
        _ => None,
    });
    let mut all = fields.flatten().chain(&card.facts);
    all.find(|it| it.label == label).map(|it| it.value.as_str())
}

#[tokio::test]
async fn amounts_have_the_currency_of_their_document_and_ledgers_that_of_the_company() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let fields = json!({
            "customer": "Danube Imports", "company": COMPANY, "currency": "USD",
            "conversion_rate": 0.92, "due_date": "2026-12-21",
        });
        let row = json!({"items": [
            {"item_code": "SRV-REPAIR", "qty": 2.5, "rate": 1000.5},
            {"item_code": "SRV-REPAIR", "qty": 1, "rate": 0.125},
        ]});
        let values = |map: &Value| -> Vec<Value> {
            let map = map.as_object().unwrap().iter();
            map.map(|(field, value)| json!({"field": field, "value": value}))
                .collect()
        };
        let rows = row["items"].as_array().unwrap().iter();
        let rows: Vec<_> = rows.map(|it| json!({"fields": values(it)})).collect();
        let create = |fields: &Value| {
            json!({"doctype": "Sales Invoice", "fields": values(fields),
                "tables": [{"table": "items", "rows": rows}]})
        };
        let shown = card(&erp, "create_doc", &create(&fields)).await;
        let (columns, first, _) = heads(&shown, "Items");
        assert_eq!(columns, ["Item Code", "Qty", "Rate (USD)"]);
        assert_eq!(first, ["SRV-REPAIR", "2.5", "1,000.50"]);
        // What the ERP is to choose is nobody's yet, and not the company's.
        let mut without = fields.clone();
        without.as_object_mut().unwrap().remove("currency");
        let shown = card(&erp, "create_doc", &create(&without)).await;
        let (columns, ..) = heads(&shown, "Items");
        assert_eq!(columns[2], "Rate (currency not given)");

        let invoice = draft(&erp, "Sales Invoice", fields, row).await;
        let shown = card(&erp, "submit_doc", &invoice).await;
        assert!(
            shown.sentence.contains("(Danube Imports, 2,501.38 USD)")
                || shown.sentence.contains("(Danube Imports, 2,501.37 USD)"),
            "{}",
            shown.sentence
        );
        let (columns, first, _) = heads(&shown, "Items");
        assert_eq!(
            columns,
            ["Item Code", "Qty", "Uom", "Rate (USD)", "Amount (USD)"]
        );
        assert_eq!(first[4], "2,501.25");
        let (columns, _, sums) = heads(&shown, "Accounting ledger");
        assert_eq!(
            columns,
            [
                "Account",
                "Debit (EUR)",
                "Credit (EUR)",
                "Party",
                "Cost center"
            ]
        );
        assert_eq!(sums[1], sums[2]);
        let lines = field(&shown, "Lines").unwrap();
        assert!(
            lines.ends_with(&format!("debit {} EUR", sums[1])),
            "{lines}"
        );
        let at = field(&shown, "Last changed at").unwrap();
        assert_eq!(at.len(), "2026-11-21T15:30:04Z".len(), "{at}");
        // The site is an hour ahead of UTC, and writes no zone.
        let bound = invoice["modified"].as_str().unwrap();
        assert_eq!(at[13..19], bound[13..19], "{at} {bound}");
        let hour = |text: &str| text[11..13].parse::<u32>().unwrap();
        assert_eq!((hour(at) + 1) % 24, hour(bound), "{at} {bound}");
        // Who may not read companies is not told a currency that may be another.
        world
            .site
            .control()
            .set_withdrawn(SimErpUser::Agent.email(), "Company", true);
        let erp = world.erp(SimErpUser::Agent);
        let shown = card(&erp, "submit_doc", &invoice).await;
        let (columns, ..) = heads(&shown, "Accounting ledger");
        assert_eq!(columns[1], "Debit (currency unknown)");
        assert_eq!(heads(&shown, "Items").0[4], "Amount (USD)");
        assert!(world.site.control().effects().len() < 3);
    }
}

#[tokio::test]
async fn a_cancel_and_an_open_delivery_say_their_amounts() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([
            is("customer", "Merlin Bikes"),
            is("remarks", "Workshop hours")
        ]);
        let invoice = find(&erp, "Sales Invoice", filters).await;
        let cancel = with(&invoice, json!({"reason": "Wrong customer"}));
        let shown = card(&erp, "cancel_doc", &cancel).await;
        let total = field(&shown, "Total").unwrap();
        assert!(total.ends_with(" EUR"), "{total}");
        let (columns, ..) = heads(&shown, "Accounting ledger");
        assert_eq!(columns[1], "Debit (EUR)");
        // Of a note it is the amount that is open, of an order the quantity.
        let fields = json!({"customer": "Lindgren Rad", "company": COMPANY, "currency": "EUR"});
        let row = json!({"items": [{"item_code": "LOCK-U", "qty": 1, "rate": 1200, "warehouse": "Stores - AC"}]});
        let note = draft(&erp, "Delivery Note", fields, row).await;
        data(&erp, "submit_doc", note.clone()).await;
        let name = note["name"].as_str().unwrap();
        let note = crate::acting::input(&erp, "Delivery Note", name).await;
        let shown = card(
            &erp,
            "set_order_status",
            &with(&note, json!({"status": "close"})),
        )
        .await;
        let (columns, first, _) = heads(&shown, "Open rows");
        assert_eq!(
            columns,
            ["Item", "Ordered (EUR)", "Done (EUR)", "Open (EUR)"]
        );
        assert_eq!(first, ["LOCK-U", "1,200.00", "0.00", "1,200.00"]);
        is_whole(&world);
    }
}
