//! Steps of a trading company.

use std::time::Duration;

use serde_json::{Value, json};

use super::{AGENT, KINDS, MANAGER, World};

impl World {
    /// Sells, buys, pays, counts, cancels and amends.
    pub(super) fn trade(&mut self) {
        const GOODS: [&str; 7] = [
            "PUMP",
            "HELMET-M",
            "LOCK-U",
            "BIKE-CITY",
            "SRV-REPAIR",
            "JERSEY",
            "TUBE-28",
        ];
        let qty = self.roll(7) + 1;
        let item = self.choose(&GOODS);
        let deal = |order: &str| format!("erpnext.selling.doctype.sales_order.sales_order.{order}");
        let buy =
            |order: &str| format!("erpnext.buying.doctype.purchase_order.purchase_order.{order}");
        match self.roll(19) {
            0 | 1 => {
                let customer = self.choose(&[
                    "Merlin Bikes",
                    "Isar Velo",
                    "Velo Helvetia",
                    "Kestrel Cycles",
                ]);
                let second = self.choose(&GOODS);
                let tax = self.choose(&["VAT 19 - AC", "VAT 19 included - AC", "", "Nonsense"]);
                let body = json!({
                    "customer": customer, "company": "Aldergate Cycles", "delivery_date": "2027-03-01",
                    "taxes_and_charges": tax, "additional_discount_percentage": self.roll(3) * 7,
                    "docstatus": self.roll(4).min(1),
                    "items": [{"item_code": item, "qty": qty}, {"item_code": second, "qty": 2, "rate": 33.33}],
                });
                self.post("/api/resource/Sales Order", &body);
            }
            2 | 3 => {
                if let Some(order) = self.pick("Sales Order", 1) {
                    let source = json!({"source_name": order["name"]});
                    self.map(&deal("make_delivery_note"), &source, "Delivery Note");
                }
            }
            4 | 5 => {
                if let Some(order) = self.pick("Sales Order", 1) {
                    let source = json!({"source_name": order["name"]});
                    self.map(&deal("make_sales_invoice"), &source, "Sales Invoice");
                }
            }
            6 => {
                let part = self.choose(&["PUMP", "RAW-CHAIN", "LOCK-U", "HELMET-M"]);
                let body = json!({
                    "supplier": "Ironbark Locks", "company": "Aldergate Cycles",
                    "schedule_date": "2027-02-01", "taxes_and_charges": "Input VAT 19 - AC",
                    "items": [{"item_code": part, "qty": qty * 3, "rate": 7.77}],
                });
                self.approve(&body);
            }
            7 | 8 => {
                if let Some(order) = self.pick("Purchase Order", 1) {
                    let source = json!({"source_name": order["name"]});
                    let (method, kind) = if self.roll(2) == 0 {
                        ("make_purchase_receipt", "Purchase Receipt")
                    } else {
                        ("make_purchase_invoice", "Purchase Invoice")
                    };
                    self.map(&buy(method), &source, kind);
                }
            }
            9 | 10 => {
                let kind = self.choose(&["Sales Invoice", "Purchase Invoice"]);
                if let Some(invoice) = self.pick(kind, 1) {
                    let method =
                        "erpnext.accounts.doctype.payment_entry.payment_entry.get_payment_entry";
                    let source = json!({"dt": kind, "dn": invoice["name"]});
                    self.map(method, &source, "Payment Entry");
                }
            }
            11 => {
                let off = self.roll(9) / 8;
                let body = json!({
                    "company": "Aldergate Cycles", "docstatus": 1,
                    "accounts": [
                        {"account": "5700 - Office Supplies - AC", "debit_in_account_currency": qty},
                        {"account": "1110 - Cash - AC", "credit_in_account_currency": qty + off},
                    ],
                });
                self.post("/api/resource/Journal Entry", &body);
            }
            12 => {
                let (kind, from, to) = [
                    ("Material Receipt", "", "Stores - AC"),
                    ("Material Issue", "Stores - AC", ""),
                    ("Material Transfer", "Stores - AC", "Shop - AC"),
                    ("Material Transfer", "Shop - AC", "Stores - AC"),
                ][self.roll(4)];
                let rate = self.roll(40) + 3;
                let body = json!({
                    "stock_entry_type": kind, "company": "Aldergate Cycles", "docstatus": 1,
                    "from_warehouse": from, "to_warehouse": to,
                    "items": [{"item_code": item, "qty": qty, "basic_rate": rate}],
                });
                self.post("/api/resource/Stock Entry", &body);
            }
            13 => {
                let body = json!({
                    "company": "Aldergate Cycles", "docstatus": 1,
                    "items": [{
                        "item_code": item, "warehouse": "Stores - AC", "qty": qty * 4,
                        "valuation_rate": f64::from(u32::try_from(qty).unwrap_or(1)) * 3.33,
                    }],
                });
                self.post("/api/resource/Stock Reconciliation", &body);
            }
            14 | 15 => {
                let kind = self.choose(&KINDS);
                if let Some(doc) = self.pick(kind, 1) {
                    let body = json!({"doctype": kind, "name": doc["name"]});
                    self.post("/api/method/frappe.client.cancel", &body);
                }
            }
            16 => {
                let kind = self.choose(&KINDS);
                if let Some(doc) = self.pick(kind, 0) {
                    let what = self.roll(3);
                    let path = format!(
                        "/api/resource/{kind}/{}",
                        doc["name"].as_str().unwrap_or_default()
                    );
                    match what {
                        0 => self.post("/api/method/frappe.client.submit", &json!({ "doc": doc })),
                        1 => self.ask(MANAGER, "DELETE", &path, &json!({})),
                        _ => self.ask(AGENT, "PUT", &path, &json!({"docstatus": 1})),
                    };
                }
            }
            17 => {
                let kind = self.choose(&["Sales Invoice", "Sales Order", "Delivery Note"]);
                if let Some(mut doc) = self.pick(kind, 2) {
                    doc["amended_from"] = doc["name"].clone();
                    doc["docstatus"] = json!(0);
                    // What a closing posted can be posted once more by hand, in ERPNext as well: then it is
                    // an invoice like others, whatever the till sells.
                    if kind == "Sales Invoice" {
                        doc["is_consolidated"] = json!(0);
                    }
                    self.post(&format!("/api/resource/{kind}"), &doc);
                } else if let Some(mut doc) = self.pick("Sales Invoice", 1) {
                    doc["is_return"] = json!(1);
                    doc["is_consolidated"] = json!(0);
                    doc["return_against"] = doc["name"].clone();
                    doc["docstatus"] = json!(1);
                    for row in doc["items"].as_array_mut().into_iter().flatten() {
                        row["qty"] = json!(-row["qty"].as_f64().unwrap_or(1.0));
                        row["so_detail"] = Value::Null;
                        row["sales_order"] = Value::Null;
                    }
                    self.post("/api/resource/Sales Invoice", &doc);
                }
            }
            _ => {
                let status = self.choose(&["Closed", "Draft", "On Hold"]);
                if let Some(order) = self.pick("Sales Order", 1) {
                    let body = json!({"status": status, "name": order["name"]});
                    self.post(&format!("/api/method/{}", deal("update_status")), &body);
                }
                if self.roll(6) == 0 {
                    self.clock.advance(Duration::from_secs(40_000));
                }
            }
        }
    }
}
