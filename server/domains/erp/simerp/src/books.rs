//! Everything that the company stores: documents by type, indexes, and an undo list for transactions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;

use crate::cell::{Decimal, SimCell, SimDoc};
use crate::clock::SiteTime;
use crate::meta::{SimMeta, SimType};
use crate::refusal::{SimResult, no_document};
use crate::rounding::SimRounding;

/// Seconds that the queue takes.
pub(crate) const QUEUE_TIME: i64 = 20;

/// Internal documents: one counter for each prefix of a series.
const SERIES: &str = "Series";

/// Fields that are looked up by value; those behind a dot are columns of a table. What is planned leaves out
/// the documents and rows of which nothing is left: see [`is_planned`].
const INDEXES: [(&str, &str); 27] = [
    ("GL Entry", "voucher_no"),
    ("Payment Ledger Entry", "voucher_no"),
    ("Payment Ledger Entry", "against_voucher_no"),
    ("Stock Ledger Entry", "voucher_no"),
    ("Comment", "reference_name"),
    ("Version", "docname"),
    ("Workflow Action", "reference_name"),
    ("Item Price", "item_code"),
    ("User Permission", "user"),
    ("Delivery Note", "items.so_detail"),
    ("Delivery Note", "items.against_sales_order"),
    ("Sales Invoice", "items.so_detail"),
    ("Sales Invoice", "items.dn_detail"),
    ("Purchase Receipt", "items.purchase_order_item"),
    ("Purchase Receipt", "items.purchase_order"),
    ("Purchase Invoice", "items.po_detail"),
    ("Purchase Invoice", "items.pr_detail"),
    ("Purchase Order", "items.material_request_item"),
    ("Sales Order", "items.item_code"),
    ("Purchase Order", "items.item_code"),
    ("Material Request", "items.item_code"),
    ("Material Request", "items.sales_order_item"),
    ("Stock Entry", "items.material_request_item"),
    ("Work Order", "production_item"),
    ("Work Order", "required_items.item_code"),
    ("Stock Entry", "work_order"),
    ("Payment Entry", "references.reference_name"),
];

/// Major version, and its options, that the simulated site runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SimErpProfile {
    /// ERPNext 15: methods of any verb, default order `modified`.
    V15,
    /// The same with tracebacks in errors.
    V15Traceback,
    /// ERPNext 16: default order `creation`, caller's names over version 2, typed arguments.
    #[default]
    V16,
    /// The same with the verb rule of July 2026: methods that write take POST only.
    V16Verbs,
}

impl SimErpProfile {
    pub(crate) fn is_16(self) -> bool {
        matches!(self, Self::V16 | Self::V16Verbs)
    }
}

type DocTable = BTreeMap<Arc<str>, Arc<SimDoc>>;
type Index = BTreeMap<String, BTreeSet<Arc<str>>>;

struct Undo {
    kind: &'static str,
    name: Arc<str>,
    before: Option<Arc<SimDoc>>,
}

/// The company's database, and the request that is at work on it.
pub(crate) struct SimBooks {
    pub meta: SimMeta,
    tables: BTreeMap<&'static str, DocTable>,
    indexes: BTreeMap<(&'static str, &'static str), Index>,
    undo: Vec<Undo>,
    /// Changes that the request committed before it ended.
    early: Vec<(&'static str, String)>,
    seed: u64,
    /// Counts changes; distinguishes stamps and names.
    tick: u64,
    tick_before: u64,
    /// The user of the request.
    pub user: String,
    pub now: SiteTime,
    pub profile: SimErpProfile,
    rounding: SimRounding,
    /// Warnings that go with the answer.
    pub messages: Vec<String>,
    /// History is being posted: no rights, limits and workflows.
    pub is_seeding: bool,
    /// Privileges that a test withdrew: user and type.
    pub withdrawn: BTreeSet<(String, String)>,
    /// Default companies of users, and of all who have none.
    pub company_defaults: BTreeMap<String, String>,
}

impl SimBooks {
    pub(crate) fn new(seed: u64, now: SiteTime, profile: SimErpProfile) -> Self {
        Self {
            meta: if profile.is_16() {
                SimMeta::of_16()
            } else {
                SimMeta::new()
            },
            tables: BTreeMap::new(),
            indexes: BTreeMap::new(),
            undo: Vec::new(),
            early: Vec::new(),
            seed,
            tick: 0,
            tick_before: 0,
            user: "Administrator".to_owned(),
            now,
            profile,
            rounding: SimRounding::default(),
            messages: Vec::new(),
            is_seeding: false,
            withdrawn: BTreeSet::new(),
            company_defaults: BTreeMap::new(),
        }
    }

    pub(crate) fn today(&self) -> Date {
        self.now.date
    }

    pub(crate) fn seed_number(&self) -> u64 {
        self.seed
    }

    /// The moment of a change; each differs.
    pub(crate) fn stamp(&mut self) -> String {
        self.tick += 1;
        self.now.stamp(self.tick)
    }

    /// A name as random ones look: ten characters that follow from the seed and the count of changes.
    pub(crate) fn hash_name(&mut self) -> String {
        self.tick += 1;
        hash10(&format!("{} {}", self.seed, self.tick))
    }

    pub(crate) fn type_of(&self, kind: &str) -> SimResult<Arc<SimType>> {
        let found = self.meta.get(kind).cloned();
        found.ok_or_else(|| no_document("DocType", kind))
    }

    /// Begins a transaction.
    pub(crate) fn begin(&mut self) {
        self.undo.clear();
        self.early.clear();
        self.messages.clear();
        self.tick_before = self.tick;
    }

    /// Keeps what changed since `begin`, which nobody asks for.
    pub(crate) fn keep(&mut self) {
        self.undo.clear();
    }

    /// Keeps what changed so far, whatever becomes of the rest of the request.
    pub(crate) fn commit_early(&mut self) {
        self.early = self.commit();
        self.tick_before = self.tick;
    }

    /// Returns what changed since `begin`, by type and name.
    pub(crate) fn commit(&mut self) -> Vec<(&'static str, String)> {
        let mut changed = std::mem::take(&mut self.early);
        for undo in self.undo.drain(..) {
            let entry = (undo.kind, undo.name.to_string());
            if undo.kind != SERIES && !changed.contains(&entry) && changed.len() < 200 {
                changed.push(entry);
            }
        }
        changed
    }

    /// Takes back what changed since `begin`, but for what is committed.
    pub(crate) fn rollback(&mut self) {
        self.rollback_to(0);
        self.tick = self.tick_before;
    }

    /// A point inside the transaction, for `rollback_to`.
    pub(crate) fn savepoint(&self) -> usize {
        self.undo.len()
    }

    pub(crate) fn rollback_to(&mut self, point: usize) {
        while self.undo.len() > point {
            if let Some(undo) = self.undo.pop() {
                self.replace(undo.kind, &undo.name, undo.before);
            }
        }
    }

    fn replace(&mut self, kind: &'static str, name: &Arc<str>, doc: Option<Arc<SimDoc>>) {
        let table = self.tables.entry(kind).or_default();
        let before = match &doc {
            Some(doc) => table.insert(Arc::clone(name), Arc::clone(doc)),
            None => table.remove(name),
        };
        if kind == "System Settings" {
            self.rounding = SimRounding::of(doc.as_deref());
        }
        for (of, field) in INDEXES.iter().filter(|(of, _)| *of == kind) {
            let index = self.indexes.entry((of, field)).or_default();
            let [old, new] = [before.as_deref(), doc.as_deref()].map(|it| values(it, field));
            for gone in old.iter().filter(|it| !new.contains(it)) {
                if let Some(set) = index.get_mut(*gone) {
                    set.remove(name);
                }
            }
            for added in new.iter().filter(|it| !old.contains(it)) {
                if let Some(set) = index.get_mut(*added) {
                    set.insert(Arc::clone(name));
                } else {
                    let set = BTreeSet::from([Arc::clone(name)]);
                    index.insert((*added).to_owned(), set);
                }
            }
        }
    }

    fn change(&mut self, kind: &'static str, name: &str, doc: Option<SimDoc>) {
        let before = self.tables.get(kind).and_then(|it| it.get_key_value(name));
        let (name, before) = match before {
            Some((name, before)) => (Arc::clone(name), Some(Arc::clone(before))),
            None => (Arc::from(name), None),
        };
        self.replace(kind, &name, doc.map(Arc::new));
        self.undo.push(Undo { kind, name, before });
    }

    /// Stores a document as it is.
    pub(crate) fn put(&mut self, doc: SimDoc) {
        let name = doc.name.clone();
        self.change(doc.kind, &name, Some(doc));
    }

    pub(crate) fn remove(&mut self, kind: &'static str, name: &str) {
        self.change(kind, name, None);
    }

    pub(crate) fn find(&self, kind: &str, name: &str) -> Option<&Arc<SimDoc>> {
        self.tables.get(kind)?.get(name)
    }

    /// The stored document.
    ///
    /// # Errors
    /// 404 if there is none.
    pub(crate) fn load(&self, kind: &str, name: &str) -> SimResult<Arc<SimDoc>> {
        let found = self.find(kind, name);
        found.cloned().ok_or_else(|| no_document(kind, name))
    }

    /// The name as it is stored: the database compares without case.
    pub(crate) fn stored_name(&self, kind: &str, name: &str) -> Option<String> {
        if self.find(kind, name).is_some() {
            return Some(name.to_owned());
        }
        if kind == "DocType" {
            return self.meta.get(name).map(|it| it.name.to_owned());
        }
        let table = self.tables.get(kind)?;
        let wanted = name.to_lowercase();
        let found = table.keys().find(|it| it.to_lowercase() == wanted);
        found.map(ToString::to_string)
    }

    /// All documents of a type, by name.
    pub(crate) fn all(&self, kind: &str) -> impl DoubleEndedIterator<Item = &Arc<SimDoc>> {
        self.tables.get(kind).into_iter().flat_map(BTreeMap::values)
    }

    /// Documents of a type whose indexed field has this value, by name.
    pub(crate) fn by(
        &self,
        kind: &'static str,
        field: &'static str,
        value: &str,
    ) -> impl Iterator<Item = &Arc<SimDoc>> {
        let index = self.indexes.get(&(kind, field));
        let names = index.and_then(|index| index.get(value));
        let names = names.into_iter().flatten();
        names.filter_map(move |name| self.tables.get(kind)?.get(name))
    }

    /// Changes fields of a stored document without its rules, as `db_set` does; `modified` stays.
    pub(crate) fn set_fields<const N: usize>(
        &mut self,
        kind: &'static str,
        name: &str,
        values: [(&'static str, SimCell); N],
    ) {
        let Some(doc) = self.find(kind, name) else {
            return;
        };
        if values.iter().all(|(field, value)| doc.get(field) == value) {
            return;
        }
        let mut doc = SimDoc::clone(doc);
        for (field, value) in values {
            doc.set(field, value);
        }
        self.put(doc);
    }

    /// The next number of a series.
    pub(crate) fn next_number(&mut self, prefix: &str) -> i64 {
        let last = self.find(SERIES, prefix).map_or(0, |it| it.int("current"));
        self.put(SimDoc::new(SERIES).named(prefix).with("current", last + 1));
        last + 1
    }

    /// Steps a series back if the name was its last.
    pub(crate) fn step_back(&mut self, prefix: &str, number: i64) {
        let last = self.find(SERIES, prefix).map_or(0, |it| it.int("current"));
        if last == number {
            self.put(SimDoc::new(SERIES).named(prefix).with("current", last - 1));
        }
    }

    /// A field of a document; null if there is none.
    pub(crate) fn value(&self, kind: &str, name: &str, field: &str) -> SimCell {
        let found = self.find(kind, name);
        found.map_or(SimCell::Null, |doc| doc.cell(field))
    }

    pub(crate) fn value_text(&self, kind: &str, name: &str, field: &str) -> String {
        self.value(kind, name, field).text().to_owned()
    }

    /// A field of a settings type.
    pub(crate) fn setting(&self, kind: &str, field: &str) -> SimCell {
        self.value(kind, kind, field)
    }

    /// A sum of money: two places.
    pub(crate) fn money(&self, value: Decimal) -> Decimal {
        self.rounding.round(value, 2)
    }

    /// A sum of money without places.
    pub(crate) fn whole_money(&self, value: Decimal) -> Decimal {
        self.rounding.round(value, 0)
    }

    /// Units of a currency for one of another on a day: the newest rate until then.
    pub(crate) fn exchange_rate(&self, from: &str, to: &str, on: &str) -> Option<Decimal> {
        if from == to {
            return Some(Decimal::ONE);
        }
        let rates = self.all("Currency Exchange").filter(|it| {
            it.text("from_currency") == from
                && it.text("to_currency") == to
                && it.text("date") <= on
        });
        let newest = rates.max_by(|a, b| a.text("date").cmp(b.text("date")));
        newest.map(|it| it.num("exchange_rate"))
    }

    /// A digest of all that is stored.
    pub(crate) fn digest(&self) -> u64 {
        let mut hash = Fnv::new();
        for (kind, table) in &self.tables {
            for (name, doc) in table {
                hash.add(kind);
                hash.add(name);
                hash.add(&doc.json(true).to_string());
            }
        }
        hash.0
    }

    /// Types that have documents.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.tables.keys().copied()
    }
}

struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Ten characters that follow from a text.
fn hash10(text: &str) -> String {
    let mut hash = Fnv::new();
    hash.add(text);
    // The last bytes of FNV differ little between like texts.
    let mut value = hash.0 ^ (hash.0 >> 29);
    value = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value ^= value >> 32;
    let mut out = String::with_capacity(10);
    for _ in 0..10 {
        let digit = u32::try_from(value % 32).unwrap_or_default();
        out.push(char::from_digit(digit, 32).unwrap_or('0'));
        value /= 32;
    }
    out
}

/// Stores a new document that the system makes, with the request's user and moment.
pub(crate) fn put_new(books: &mut SimBooks, mut doc: SimDoc) -> String {
    if doc.name.is_empty() {
        doc.name = books.hash_name();
    }
    let (stamp, user) = (SimCell::from(books.stamp()), SimCell::from(&books.user));
    doc.set("creation", stamp.clone());
    doc.set("modified", stamp);
    doc.set("owner", user.clone());
    doc.set("modified_by", user);
    if doc.get("docstatus").is_empty() {
        doc.set("docstatus", 0);
    }
    let name = doc.name.clone();
    books.put(doc);
    name
}

/// The name of a bin.
pub(crate) fn bin_name(item: &str, warehouse: &str) -> String {
    hash10(&format!("{item}\n{warehouse}"))
}

/// The values of an indexed field, each once.
fn values<'a>(doc: Option<&'a SimDoc>, field: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let Some(doc) = doc else { return found };
    match field.split_once('.') {
        None if is_planned(doc, field, doc) => found.push(doc.text(field)),
        None => {}
        Some((table, column)) => {
            for row in doc.rows(table) {
                let value = row.text(column);
                if !value.is_empty() && !found.contains(&value) && is_planned(doc, field, row) {
                    found.push(value);
                }
            }
        }
    }
    found
}

/// False for what plans need not count: orders that are not open, and rows of which nothing is left.
fn is_planned(doc: &SimDoc, field: &str, row: &SimDoc) -> bool {
    let (all, done): (&str, &[&str]) = match (doc.kind, field) {
        ("Sales Order", "items.item_code") => ("qty", &["delivered_qty"]),
        ("Purchase Order", "items.item_code") => ("qty", &["received_qty"]),
        ("Material Request", "items.item_code") => ("qty", &["ordered_qty"]),
        ("Work Order", "production_item") => ("qty", &["produced_qty"]),
        ("Work Order", "required_items.item_code") => {
            ("required_qty", &["transferred_qty", "consumed_qty"])
        }
        _ => return true,
    };
    let all = row.num(all);
    doc.docstatus() == 1
        && !matches!(doc.text("status"), "Closed" | "Stopped")
        && done.iter().all(|done| row.num(done) < all)
}

/// A key that puts names into an order without meaning.
pub(crate) fn scattered(name: &str) -> String {
    hash10(name)
}
