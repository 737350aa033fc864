//! Tills that move stock: their goods leave it with the closing.

use serde_json::json;

use crate::{
    acting::{card, risk, table},
    closings::SUBMIT,
    pack_tills::CLOSING,
    stub::{Asked, Reply, Stub, data as stored, message, ok},
};

/// A type of a site whose tills move stock.
fn type_of(name: &str) -> Option<Reply> {
    let fields: &[[&str; 3]] = match name {
        CLOSING => &[
            ["pos_opening_entry", "Link", "POS Opening Entry"],
            ["company", "Link", "Company"],
            ["posting_date", "Date", ""],
            ["grand_total", "Currency", ""],
            ["pos_transactions", "Table", "POS Invoice Reference"],
        ],
        "POS Opening Entry" => &[["status", "Data", ""]],
        "POS Invoice" => &[
            ["consolidated_invoice", "Link", "Sales Invoice"],
            ["update_stock", "Check", ""],
        ],
        "Stock Ledger Entry" | "Bin" => &[
            ["item_code", "Link", "Item"],
            ["warehouse", "Link", "Warehouse"],
            ["actual_qty", "Float", ""],
        ],
        _ => return None,
    };
    let field = |[name, kind, options]: &[&str; 3]| json!({"fieldname": name, "label": name, "fieldtype": kind, "options": options});
    let rights =
        json!([{"role": "Sales User", "permlevel": 0, "read": 1, "write": 1, "submit": 1}]);
    let own = json!({
        "name": name, "is_submittable": u8::from(name == CLOSING), "permissions": rights,
        "fields": fields.iter().map(field).collect::<Vec<_>>(),
    });
    let rows = [
        ["pos_invoice", "Link", "POS Invoice"],
        ["grand_total", "Currency", ""],
    ];
    let rows = json!({"name": "POS Invoice Reference", "istable": 1,
        "fields": rows.iter().map(field).collect::<Vec<_>>()});
    Some(ok(&json!({ "docs": [own, rows] })))
}

fn moving(asked: &Asked) -> Option<Reply> {
    let sale = |name: &str| json!({"name": name, "docstatus": 1, "update_stock": 1});
    let entry = |account: &str, debit: f64, credit: f64| {
        json!(["2026-11-22", account, debit, credit, "", "", "", "Main"])
    };
    let moved = |out: i64| json!([["BELL", "Nos", "", out, 40, "Shop"]]);
    Some(match asked.path.rsplit(['/', '.']).next()? {
        "getdoctype" => return type_of(&asked.query["doctype"]),
        "POS-CLO-1" => stored(json!({
            "name": "POS-CLO-1", "docstatus": 0, "modified": "2026-11-23 11:00:00.000000",
            "company": "AC", "posting_date": "2026-11-23", "grand_total": 30, "pos_opening_entry": "POS-OPE-1",
            "pos_transactions": [{"pos_invoice": "P-1", "grand_total": 20}, {"pos_invoice": "P-2", "grand_total": 10}],
        })),
        "POS-OPE-1" => stored(json!({"name": "POS-OPE-1", "status": "Open"})),
        "POS%20Invoice" => stored(json!([sale("P-1"), sale("P-2")])),
        "GL%20Entry" | "Stock%20Ledger%20Entry" => stored(json!([])),
        "Bin" => stored(json!([{"item_code": "BELL", "warehouse": "Shop", "actual_qty": 2}])),
        "Company" => stored(json!([{"name": "AC", "default_currency": "EUR"}])),
        "show_accounting_ledger_preview" => {
            let (sold, cost) = match asked.query["docname"].as_str() {
                "P-1" => (20.0, 8.0),
                _ => (10.0, 4.5),
            };
            message(json!({"gl_data": [
                entry("Cash", sold, 0.0), entry("Sales", 0.0, sold),
                entry("Cost", cost, 0.0), entry("Stock", 0.0, cost),
            ]}))
        }
        "show_stock_ledger_preview" => {
            let is_first = asked.query["docname"] == "P-1";
            message(json!({ "sl_data": moved(if is_first { 2 } else { 1 }) }))
        }
        _ => return None,
    })
}

#[tokio::test]
async fn goods_of_a_till_leave_the_stock_with_its_closing() {
    let site = Stub::plain(moving).await;
    let input =
        json!({"doctype": CLOSING, "name": "POS-CLO-1", "modified": "2026-11-23 11:00:00.000000"});
    let shown = card(&site.erp, SUBMIT, &input).await;
    let (rows, _) = table(&shown, "Accounting ledger, added up").unwrap();
    let rows: Vec<_> = rows.iter().map(|it| it[..3].join("|")).collect();
    assert_eq!(
        rows,
        ["Cash|30.00|", "Sales||30.00", "Cost|12.50|", "Stock||12.50"]
    );
    let (rows, _) = table(&shown, "Stock ledger, added up").unwrap();
    assert_eq!(rows[0][..3], ["BELL", "Shop", "-3"]);
    // Each of them alone would do; the stock that is there does not do for both.
    let below = risk(&shown, "stock").unwrap();
    assert!(below.contains("would be at -1"), "{below}");
    assert!(
        shown.sentence.contains("on 23 Nov 2026"),
        "{}",
        shown.sentence
    );
}
