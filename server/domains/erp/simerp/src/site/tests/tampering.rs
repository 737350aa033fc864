//! Lines that were posted stay as they are: no request changes them, and no method keeps what a GET did.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::{AGENT, MANAGER, PROFILES, World};
use crate::cell::SimDoc;

const LEDGERS: [&str; 3] = ["GL Entry", "Stock Ledger Entry", "Payment Ledger Entry"];

/// Fields of a posted line that a cancel, or a payment that comes loose, may change. Amounts, quantities,
/// accounts and days are not among them.
const MARKS: [&str; 5] = [
    "is_cancelled",
    "delinked",
    "against_voucher_type",
    "against_voucher",
    "against_voucher_no",
];

/// Lines by ledger and name, as they were when they were first seen.
pub(super) type PostedLines = BTreeMap<(&'static str, String), Arc<SimDoc>>;

impl World {
    /// Every line that was ever posted is there, with the fields that it was posted with.
    pub(super) fn hold_posted_lines(&mut self) {
        for (at, line) in &self.posted {
            let now = self.site.books.find(at.0, &at.1);
            let now = now.expect("a line that was posted");
            if Arc::ptr_eq(now, line) {
                continue;
            }
            for field in line.fields.keys().chain(now.fields.keys()) {
                let is_same = MARKS.contains(field) || now.get(field) == line.get(field);
                assert!(is_same, "{at:?}: {field} changed");
            }
        }
        for kind in LEDGERS {
            for line in self.site.books.all(kind) {
                let at = (kind, line.name.clone());
                self.posted.entry(at).or_insert_with(|| Arc::clone(line));
            }
        }
    }

    /// Tries to change a line of each ledger, in every way that writes. Each is refused: nobody has more than
    /// the right to read them.
    pub(super) fn tamper(&mut self) {
        for kind in LEDGERS {
            let all = self.site.books.all(kind).map(|it| it.name.clone());
            let all: Vec<String> = all.collect();
            let name = all[self.roll(all.len())].clone();
            for user in [AGENT, MANAGER] {
                self.tamper_with(user, kind, &name);
            }
        }
    }

    fn tamper_with(&mut self, user: &str, kind: &str, name: &str) {
        let new = json!({
            "doctype": kind, "company": "Aldergate Cycles", "posting_date": "2026-11-21", "docstatus": 1,
        });
        let other = json!({"company": "Aldergate Trading", "is_cancelled": 1});
        let cancel = json!({"docstatus": 2});
        let is = json!({"doctype": kind, "name": name});
        let set = json!({
            "doctype": kind, "name": name, "fieldname": "company", "value": "Aldergate Trading",
        });
        let whole = json!({"doc": {"doctype": kind, "name": name, "company": "Aldergate Trading"}});
        let inserted = json!({ "doc": new });
        let nothing = json!({});
        let (v1, v2) = (
            format!("/api/resource/{kind}"),
            format!("/api/v2/document/{kind}"),
        );
        let client = "/api/method/frappe.client";
        let run = json!({"run_method": "cancel"});
        for (method, path, body) in [
            ("POST", v1.clone(), &new),
            ("PUT", format!("{v1}/{name}"), &other),
            ("PUT", format!("{v1}/{name}"), &cancel),
            ("DELETE", format!("{v1}/{name}"), &nothing),
            ("POST", format!("{v1}/{name}"), &run),
            ("POST", v2.clone(), &new),
            ("PATCH", format!("{v2}/{name}"), &other),
            ("DELETE", format!("{v2}/{name}"), &nothing),
            ("POST", format!("{v2}/{name}/method/cancel"), &nothing),
            ("POST", format!("{client}.insert"), &inserted),
            ("POST", format!("{client}.save"), &whole),
            ("POST", format!("{client}.submit"), &whole),
            ("POST", format!("{client}.set_value"), &set),
            ("POST", format!("{client}.cancel"), &is),
            ("POST", format!("{client}.delete"), &is),
        ] {
            let (status, answer) = self.ask(user, method, &path, body);
            assert_eq!(status, 403, "{user}: {method} {path} {body}: {answer}");
        }
    }

    /// Calls methods that write over GET; returns how many said that they had done it.
    pub(super) fn write_over_get(&mut self) -> usize {
        let client = "/api/method/frappe.client";
        let mut paths = vec![format!(
            "{client}.insert?doc={{\"doctype\":\"Customer\",\"customer_name\":\"Nobody yet\"}}"
        )];
        if let Some(draft) = self.pick("Sales Order", 0) {
            let name = draft["name"].as_str().unwrap_or_default();
            let of = format!("doctype=Sales Order&name={name}");
            paths.push(format!("{client}.delete?{of}"));
            paths.push(format!(
                "{client}.set_value?{of}&fieldname=po_no&value=OTHER"
            ));
        }
        for kind in ["Sales Order", "Payment Entry"] {
            if let Some(posted) = self.pick(kind, 1) {
                let name = posted["name"].as_str().unwrap_or_default();
                paths.push(format!("{client}.cancel?doctype={kind}&name={name}"));
                paths.push(format!(
                    "/api/v2/document/{kind}/{name}/method/cancel?reason=none"
                ));
            }
        }
        let mut done = 0;
        for path in paths {
            let (status, _) = self.ask(MANAGER, "GET", &path, &json!({}));
            done += usize::from(status == 200);
        }
        done
    }
}

#[test]
fn posted_lines_are_read_and_never_written() {
    for profile in PROFILES {
        let mut world = World::new(profile, 3);
        world.site.settle();
        world.hold_posted_lines();
        let before = world.site.books.digest();
        for kind in LEDGERS {
            let line = world.pick(kind, 1).expect("a line");
            let name = line["name"].as_str().expect("a name");
            let path = format!("/api/resource/{kind}/{name}");
            let (status, read) = world.ask(MANAGER, "GET", &path, &json!({}));
            assert_eq!((status, &read["name"]), (200, &json!(name)));
        }
        world.tamper();
        assert_eq!(world.site.books.digest(), before);
        world.hold_posted_lines();
    }
}

#[test]
fn methods_that_write_say_so_over_get_and_keep_nothing() {
    for profile in PROFILES {
        let mut world = World::new(profile, 5);
        world.site.settle();
        let before = world.site.books.digest();
        let effects = world.site.effects.len();
        // A walk of many documents: some of them may not be cancelled.
        let done: usize = (0..10).map(|_| world.write_over_get()).sum();
        assert!(done >= 10, "only {done} said that they had done it");
        assert_eq!(world.site.books.digest(), before);
        assert_eq!(world.site.effects.len(), effects);
    }
}
