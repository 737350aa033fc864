//! Steps of a workshop, a shop and a service: work orders, requests for material, hours, tills.

use serde_json::{Value, json};

use super::{AGENT, CLERK, MANAGER, World};
use crate::price;

const WALK_IN: &str = "Walk-in Customer";

impl World {
    /// Orders goods to be made, brings material, makes them, stops and resumes.
    pub(super) fn make(&mut self) {
        let step = self.roll(6);
        if step < 2 {
            let item = self.choose(&["SUB-WHEEL", "SUB-DRIVE", "SUB-FRAME-AL", "BIKE-CITY"]);
            let place = if item.starts_with("SUB") {
                "Raw - AC"
            } else {
                "Finished - AC"
            };
            let wip = self.choose(&["", "WIP - AC"]);
            let body = json!({
                "production_item": item, "company": "Aldergate Cycles", "qty": self.roll(4) + 1,
                "bom_no": self.site.books.value_text("Item", item, "default_bom"),
                "source_warehouse": "Raw - AC", "fg_warehouse": place, "wip_warehouse": wip,
                "planned_start_date": "2026-11-21 08:00:00", "docstatus": self.roll(4).min(1),
            });
            self.post("/api/resource/Work Order", &body);
            return;
        }
        let Some(order) = self.pick("Work Order", 1) else {
            return;
        };
        let path = "erpnext.manufacturing.doctype.work_order.work_order";
        if step < 5 {
            let purpose = self.choose(&["Material Transfer for Manufacture", "Manufacture"]);
            let mut source = json!({"work_order_id": order["name"], "purpose": purpose});
            if self.roll(2) == 0 {
                source["qty"] = json!(1);
            }
            self.map(&format!("{path}.make_stock_entry"), &source, "Stock Entry");
            return;
        }
        let (method, status) = [
            ("stop_unstop", "Stopped"),
            ("stop_unstop", "Resumed"),
            ("close_work_order", "Closed"),
        ][self.roll(3)];
        let body = json!({"work_order": order["name"], "status": status});
        self.post(&format!("/api/method/{path}.{method}"), &body);
    }

    /// Asks for material, orders it, moves it or hands it out, and stops requests.
    pub(super) fn request(&mut self) {
        let kind = self.choose(&["Purchase", "Material Transfer", "Material Issue"]);
        let path = "erpnext.stock.doctype.material_request.material_request";
        match self.roll(5) {
            0 | 1 => {
                let item = self.choose(&["PUMP", "LOCK-U", "HELMET-M"]);
                let from = if kind == "Material Transfer" {
                    "Stores - AC"
                } else {
                    ""
                };
                let to = if kind == "Material Transfer" {
                    "Shop - AC"
                } else {
                    "Stores - AC"
                };
                let body = json!({
                    "material_request_type": kind, "company": "Aldergate Cycles",
                    "schedule_date": "2027-02-01", "set_warehouse": to, "set_from_warehouse": from,
                    "items": [{"item_code": item, "qty": self.roll(4) + 1}],
                    "docstatus": self.roll(4).min(1),
                });
                self.post("/api/resource/Material Request", &body);
            }
            2 => {
                if let Some(order) = self.pick("Sales Order", 1) {
                    let method =
                        "erpnext.selling.doctype.sales_order.sales_order.make_material_request";
                    let source = json!({"source_name": order["name"]});
                    self.map(method, &source, "Material Request");
                }
            }
            3 => {
                let Some(request) = self.pick("Material Request", 1) else {
                    return;
                };
                let source = json!({"source_name": request["name"]});
                if request["material_request_type"] != "Purchase" {
                    self.map(&format!("{path}.make_stock_entry"), &source, "Stock Entry");
                    return;
                }
                let method = format!("/api/method/{path}.make_purchase_order");
                let (status, mut order) = self.post(&method, &source);
                if status == 200 {
                    order["supplier"] = json!("Ironbark Locks");
                    order["schedule_date"] = json!("2027-02-01");
                    for row in order["items"].as_array_mut().into_iter().flatten() {
                        row["rate"] = json!(4.25);
                    }
                    self.approve(&order);
                }
            }
            _ => {
                if let Some(request) = self.pick("Material Request", 1) {
                    let status = self.choose(&["Stopped", "Draft"]);
                    let body = json!({"status": status, "name": request["name"]});
                    self.post(&format!("/api/method/{path}.update_status"), &body);
                }
            }
        }
    }

    /// Saves a purchase order and brings it through its workflow.
    pub(super) fn approve(&mut self, order: &Value) {
        let (status, order) = self.post("/api/resource/Purchase Order", order);
        if status == 200 {
            let step = "/api/method/frappe.model.workflow.apply_workflow";
            for (user, action) in [(AGENT, "Request Approval"), (MANAGER, "Approve")] {
                let body = json!({"doc": order, "action": action});
                self.ask(user, "POST", step, &body);
            }
        }
    }

    /// Records hours, and bills what is billable of them.
    pub(super) fn bill_hours(&mut self) {
        if self.roll(2) == 0 {
            let activity = self.choose(&["Assembly", "Consulting", "Repair"]);
            let half_hours = u32::try_from(self.roll(9) + 1).unwrap_or(1);
            let row = json!({
                "activity_type": activity, "from_time": "2026-11-20 09:00:00",
                "hours": f64::from(half_hours) / 2.0, "is_billable": self.roll(2),
            });
            let second = json!({
                "activity_type": "Repair", "from_time": "2026-11-20 14:00:00",
                "hours": 1.25, "is_billable": 1,
            });
            let body = json!({
                "company": "Aldergate Cycles", "time_logs": [row, second],
                "docstatus": self.roll(4).min(1),
            });
            self.post("/api/resource/Timesheet", &body);
            return;
        }
        let Some(sheet) = self.pick("Timesheet", 1) else {
            return;
        };
        let rows = sheet["time_logs"].as_array().into_iter().flatten();
        let mut billed: Vec<_> = rows
            .filter(|it| it["is_billable"] == 1)
            .map(|it| {
                json!({
                    "time_sheet": sheet["name"], "timesheet_detail": it["name"],
                    "activity_type": it["activity_type"], "billing_hours": it["billing_hours"],
                    "billing_amount": it["billing_amount"],
                })
            })
            .collect();
        if self.roll(2) == 0 {
            billed.truncate(1);
        }
        let body = json!({
            "customer": "Merlin Bikes", "company": "Aldergate Cycles", "timesheets": billed,
            "taxes_and_charges": "VAT 19 - AC", "docstatus": self.roll(4).min(1),
            "items": [{"item_code": "SRV-REPAIR", "qty": 1, "rate": 65}],
        });
        self.post("/api/resource/Sales Invoice", &body);
    }

    /// Sells at the till and takes goods back, closes the session, opens the next.
    pub(super) fn sell_at_the_till(&mut self) {
        match self.roll(8) {
            0..=4 => self.sell(),
            5 => self.take_back(),
            6 => self.close_the_till(),
            _ => self.open_the_till(),
        }
    }

    pub(super) fn sell(&mut self) {
        let item = self.choose(&["BELL", "BOTTLE", "HELMET-M"]);
        let mode = self.choose(&["Cash", "Credit Card"]);
        let today = self.site.books.today().to_string();
        let price = price::list_rate(&self.site.books, item, "Retail EUR", "", &today);
        let price = price.map_or(json!(0), crate::cell::float);
        let body = json!({
            "customer": WALK_IN, "company": "Aldergate Cycles", "pos_profile": "Shop Till",
            "taxes_and_charges": "VAT 19 included - AC", "docstatus": self.roll(6).min(1),
            "items": [{"item_code": item, "qty": 1}],
            "payments": [{"mode_of_payment": mode, "amount": price}],
        });
        self.ask(CLERK, "POST", "/api/resource/POS Invoice", &body);
    }

    fn take_back(&mut self) {
        let Some(sale) = self.pick("POS Invoice", 1) else {
            return;
        };
        let negative = |value: &Value| json!(-value.as_f64().unwrap_or_default());
        let item = &sale["items"][0];
        let body = json!({
            "customer": sale["customer"], "company": "Aldergate Cycles", "pos_profile": "Shop Till",
            "taxes_and_charges": "VAT 19 included - AC", "docstatus": 1, "is_return": 1,
            "return_against": sale["name"],
            "items": [{"item_code": item["item_code"], "qty": negative(&item["qty"]), "rate": item["rate"]}],
            "payments": [{"mode_of_payment": "Cash", "amount": negative(&sale["grand_total"])}],
        });
        self.ask(CLERK, "POST", "/api/resource/POS Invoice", &body);
    }

    pub(super) fn close_the_till(&mut self) {
        let books = &self.site.books;
        let session = books
            .all("POS Opening Entry")
            .find(|it| it.docstatus() == 1 && it.text("status") == "Open");
        let Some(session) = session else { return };
        let sales = books.all("POS Invoice").filter(|it| {
            it.docstatus() == 1
                && it.text("consolidated_invoice").is_empty()
                && it.text("owner") == session.text("user")
        });
        let rows: Vec<_> = sales
            .map(|it| {
                json!({
                    "pos_invoice": it.name, "posting_date": it.text("posting_date"),
                    "customer": it.text("customer"), "grand_total": it.get("grand_total").json(),
                })
            })
            .collect();
        let table = if books.profile.is_16() {
            "pos_invoices"
        } else {
            "pos_transactions"
        };
        let today = books.today();
        let body = json!({
            "pos_opening_entry": session.name, "posting_date": today.to_string(),
            "period_end_date": format!("{today} 18:00:00"), table: rows,
            "payment_reconciliation": [
                {"mode_of_payment": "Cash", "opening_amount": 150, "expected_amount": 150, "closing_amount": 150},
            ],
        });
        let (status, doc) = self.post("/api/resource/POS Closing Entry", &body);
        if status == 200 {
            self.post("/api/method/frappe.client.submit", &json!({ "doc": doc }));
        }
    }

    fn open_the_till(&mut self) {
        let today = self.site.books.today();
        let body = json!({
            "period_start_date": format!("{today} 09:00:00"), "posting_date": today.to_string(),
            "company": "Aldergate Cycles", "pos_profile": "Shop Till", "user": CLERK, "docstatus": 1,
            "balance_details": [{"mode_of_payment": "Cash", "opening_amount": 150}],
        });
        self.post("/api/resource/POS Opening Entry", &body);
    }
}
