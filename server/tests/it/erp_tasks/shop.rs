//! A server on a simulated company of its own, whose clock the test moves.

use std::sync::Arc;

use reqwest::StatusCode;
use serde_json::{Value, json};
use simerp::{ManualSimErpClock, SimErp, SimErpControl, SimErpOptions, SimErpProfile, SimErpUser};

use super::task::ErpTask;
use crate::{
    client::Browser,
    harness::{Folder, QUIET, Server},
};

/// The company that makes and sells.
pub(super) const MAKER: &str = "Aldergate Cycles";

/// Saturday, 21 November 2026, 15:30:04 UTC.
const NOW: u64 = 1_795_275_004;

pub(super) struct TaskShop {
    server: Server,
    /// It outlives the server.
    _folder: Folder,
    ada: Browser,
    pub(super) site: SimErp,
    pub(super) clock: ManualSimErpClock,
}

impl TaskShop {
    pub(super) async fn open() -> Self {
        Self::open_with("").await
    }

    /// The same on each version of the ERP, the older one first.
    pub(super) async fn of_both() -> [Self; 2] {
        let older = Self::open_on(SimErpProfile::V15, "").await;
        [older, Self::open().await]
    }

    /// The same with more in the section `[erp]`.
    pub(super) async fn open_with(more: &str) -> Self {
        Self::open_on(SimErpProfile::V16, more).await
    }

    async fn open_on(profile: SimErpProfile, more: &str) -> Self {
        let clock = ManualSimErpClock::at(NOW);
        let site = SimErp::start(SimErpOptions {
            clock: Arc::new(clock.clone()),
            profile,
            ..SimErpOptions::default()
        });
        let site = site.await.unwrap();
        let (url, (key, secret)) = (site.url(), site.key(SimErpUser::Agent));
        let settings = format!(
            "{QUIET}[erp]\nurl = \"{url}\"\napi_key = \"{key}\"\napi_secret = \"{secret}\"\n{more}\n"
        );
        let folder = Folder::new();
        let server = Server::start_with(&folder, &settings).await;
        let ada = server.sign_in().await;
        Self {
            server,
            _folder: folder,
            ada,
            site,
            clock,
        }
    }

    /// A new conversation of the first person, who has no own key for the ERP.
    pub(super) async fn task(&self) -> ErpTask {
        self.task_with(&[]).await
    }

    /// The same with packs, by the names of their toolsets.
    pub(super) async fn task_with(&self, packs: &[&str]) -> ErpTask {
        self.task_of(&self.ada, packs).await
    }

    /// A new conversation of another person.
    pub(super) async fn task_of(&self, person: &Browser, packs: &[&str]) -> ErpTask {
        let script = self.server.script();
        ErpTask::new(person.socket().await, script, self.control(), packs)
    }

    /// Another operator, whose own key for the ERP is that of this user.
    pub(super) async fn colleague(&self, user: SimErpUser) -> Browser {
        let add = [("do", "add"), ("name", "Otto"), ("role", "operator")];
        let page = self.ada.post("/settings/users", &add).await;
        let page = page.text().await.unwrap();
        let (_, link) = page.split_once("/sign-in?token=").unwrap();
        let link = format!("{}/sign-in?token={}", self.server.url(), &link[..64]);
        let colleague = Browser::sign_in(&link).await;
        self.give_key(&colleague, user).await;
        colleague
    }

    /// A person enters the key of an ERP user in the settings.
    async fn give_key(&self, person: &Browser, user: SimErpUser) {
        let (key, secret) = self.site.key(user);
        let fields = [
            ("system", "erp"),
            ("do", "set"),
            ("api_key", &*key),
            ("api_secret", &*secret),
        ];
        let done = person.post("/settings/keys", &fields).await;
        assert_eq!(done.status(), StatusCode::SEE_OTHER);
    }

    pub(super) fn control(&self) -> SimErpControl {
        self.site.control()
    }

    pub(super) fn all(&self, doctype: &str) -> Vec<Value> {
        let names = self.control().names(doctype).into_iter();
        names
            .filter_map(|name| self.control().document(doctype, &name))
            .collect()
    }

    pub(super) fn document(&self, doctype: &str, name: &Value) -> Value {
        let name = name.as_str().unwrap();
        let found = self.control().document(doctype, name);
        found.unwrap_or_else(|| panic!("no {doctype} {name}"))
    }

    /// The first document that fits.
    pub(super) fn find(&self, doctype: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let found = self.all(doctype).into_iter().find(fits);
        found.unwrap_or_else(|| panic!("no such {doctype}"))
    }

    /// The live accounting lines of a document: account, debit and credit in cents.
    pub(super) fn lines(&self, name: &Value) -> Vec<(String, i64, i64)> {
        let entries = self.all("GL Entry").into_iter();
        let entries = entries.filter(|it| it["voucher_no"] == *name && it["is_cancelled"] == 0);
        let mut lines: Vec<_> = entries
            .map(|it| {
                let account = it["account"].as_str().unwrap().to_owned();
                (account, cents(&it["debit"]), cents(&it["credit"]))
            })
            .collect();
        lines.sort();
        lines
    }

    /// The live stock lines of a document: item, warehouse and quantity.
    pub(super) fn moves(&self, name: &Value) -> Vec<(String, String, f64)> {
        let entries = self.all("Stock Ledger Entry").into_iter();
        let entries = entries.filter(|it| it["voucher_no"] == *name && it["is_cancelled"] == 0);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        entries
            .map(|it| {
                let qty = it["actual_qty"].as_f64().unwrap();
                (text(&it["item_code"]), text(&it["warehouse"]), qty)
            })
            .collect()
    }

    /// A figure of the bin of an item in a warehouse.
    pub(super) fn bin(&self, item: &str, warehouse: &str, field: &str) -> f64 {
        let bins = self.all("Bin").into_iter();
        let mut bins = bins.filter(|it| it["item_code"] == item && it["warehouse"] == warehouse);
        let bin = bins.next();
        bin.map_or(0.0, |it| it[field].as_f64().unwrap_or_default())
    }

    /// The clerk makes a document in the ERP, beside the server, and submits it.
    pub(super) async fn clerk_submits(&self, document: &Value) -> Value {
        let doctype = document["doctype"].as_str().unwrap();
        let path = format!("resource/{doctype}");
        let made = self.clerk_posts(&path, document).await["data"].take();
        let submit = json!({ "doc": made });
        self.clerk_posts("method/frappe.client.submit", &submit)
            .await["message"]
            .take()
    }

    async fn clerk_posts(&self, path: &str, body: &Value) -> Value {
        let token = self.site.token(SimErpUser::Clerk);
        let request = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = request
            .post(format!("{}/api/{path}", self.site.url()))
            .header("authorization", format!("token {token}"))
            .header("content-type", "application/json")
            .body(body.to_string());
        let answer = request.send().await.unwrap();
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        assert!(status.is_success(), "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The end of every task: the books are whole.
    pub(super) async fn close(self) {
        assert_eq!(self.control().broken(), Vec::<String>::new());
        self.server.stop().await;
        self.site.shutdown().await;
    }
}

/// An amount in cents: a number, or a text such as `1,190.00 EUR`.
pub(super) fn cents(value: &Value) -> i64 {
    let amount = match value.as_str().and_then(|text| text.split_once(' ')) {
        Some((digits, _)) => digits.replace(',', "").parse().unwrap(),
        None => value.as_f64().unwrap_or_default(),
    };
    format!("{amount:.2}").replace('.', "").parse().unwrap()
}

/// Type, name and `modified` of a document: what a call names it by.
pub(super) fn of(document: &Value) -> Value {
    json!({
        "doctype": document["doctype"],
        "name": document["name"],
        "modified": document["modified"],
    })
}

/// The same input with more.
pub(super) fn with(mut input: Value, more: &Value) -> Value {
    let fields = input.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    input
}

/// Fields and their values, as the tools take them.
pub(super) fn fields(values: &Value) -> Value {
    let values = values.as_object().unwrap().iter();
    values
        .map(|(field, value)| json!({ "field": field, "value": value }))
        .collect()
}

/// The input of `create_doc`, with one table.
pub(super) fn draft(doctype: &str, head: &Value, table: &str, rows: &[Value]) -> Value {
    let rows = rows.iter().map(|row| json!({ "fields": fields(row) }));
    let rows: Vec<_> = rows.collect();
    json!({
        "doctype": doctype,
        "fields": fields(head),
        "tables": [{ "table": table, "rows": rows }],
    })
}

/// A draft order of one item out of the stores.
pub(super) fn order(customer: &str, item: &str, qty: f64) -> Value {
    let head = json!({
        "customer": customer,
        "company": MAKER,
        "delivery_date": "2026-12-10",
    });
    let row = json!({ "item_code": item, "qty": qty, "warehouse": "Stores - AC" });
    draft("Sales Order", &head, "items", &[row])
}
