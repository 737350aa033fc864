//! Handle of a test: faults, edits by other persons, what was seen and done.

use std::time::Duration;

use serde_json::Value;

use crate::cell::SimCell;
use crate::faults::SimErpTrigger;
use crate::invariants;
use crate::meta::{FieldKind, SimField};
use crate::methods::DEFAULT_OF_ALL;
use crate::server::SharedSite;
use crate::site::{SimErpEffect, SimErpSeen};

/// Acts on a running company. Clones act on the same one.
#[derive(Clone)]
pub struct SimErpControl(SharedSite);

impl SimErpControl {
    pub(crate) fn new(site: SharedSite) -> Self {
        Self(site)
    }

    /// Switches a fault on.
    pub fn fault(&self, trigger: SimErpTrigger) {
        self.0.lock().triggers.push(trigger);
    }

    /// Switches all faults off.
    pub fn clear_faults(&self) {
        self.0.lock().triggers.clear();
    }

    /// Delays every answer.
    pub fn set_delay(&self, delay: Duration) {
        self.0.lock().delay = delay;
    }

    /// Stops the background queue: what is submitted there stays `Queued`.
    pub fn set_queue_stuck(&self, stuck: bool) {
        self.0.lock().is_stuck = stuck;
    }

    /// Another person saves a document: `modified` changes, and a text field if one is given.
    pub fn edit(&self, doctype: &str, name: &str, field: Option<(&'static str, &str)>) {
        let field = field.map(|(field, value)| (field, SimCell::from(value)));
        self.0.lock().edit(doctype, name, field);
    }

    /// Another person raises the rate of each row by one, of a submitted order too ("Update Items").
    /// `false` if the rates do not fit the document.
    pub fn raise_rates(&self, doctype: &str, name: &str) -> bool {
        self.0.lock().raise(doctype, name).is_ok()
    }

    /// Withdraws all rights of a user on a type, or gives them back.
    pub fn set_withdrawn(&self, user: &str, doctype: &str, withdrawn: bool) {
        let mut site = self.0.lock();
        let key = (user.to_owned(), doctype.to_owned());
        if withdrawn {
            site.books.withdrawn.insert(key);
        } else {
            site.books.withdrawn.remove(&key);
        }
    }

    /// Sets the default company of all users who have none of their own, or takes it away.
    pub fn set_default_company(&self, company: Option<&str>) {
        let mut site = self.0.lock();
        let defaults = &mut site.books.company_defaults;
        defaults.remove(DEFAULT_OF_ALL);
        defaults.extend(company.map(|it| (DEFAULT_OF_ALL.to_owned(), it.to_owned())));
    }

    /// Adds a text field to a type, as an administrator does; a unique one refuses equal values.
    pub fn add_field(&self, doctype: &str, field: &'static str, unique: bool) {
        let marks = if unique { "un" } else { "n" };
        let mut site = self.0.lock();
        if let Some(of) = site.books.meta.get_mut(doctype) {
            of.fields
                .push(SimField::custom((field, FieldKind::Data, "", marks)));
        }
    }

    /// Makes a field read-only.
    pub fn lock_field(&self, doctype: &str, field: &str) {
        let mut site = self.0.lock();
        let of = site.books.meta.get_mut(doctype);
        let found = of.and_then(|of| of.fields.iter_mut().find(|it| it.name == field));
        if let Some(found) = found {
            found.locked = true;
        }
    }

    /// All requests so far, in the order of their answers.
    pub fn requests(&self) -> Vec<SimErpSeen> {
        self.0.lock().seen.clone()
    }

    /// The number of connections that were accepted since the start: clients that keep them open need few.
    pub fn connections(&self) -> usize {
        self.0.lock().connections
    }

    /// All changes that were committed since the start, whoever made them, oldest first.
    pub fn effects(&self) -> Vec<SimErpEffect> {
        self.0.lock().effects.clone()
    }

    /// A stored document as JSON, without regard to rights.
    pub fn document(&self, doctype: &str, name: &str) -> Option<Value> {
        let site = self.0.lock();
        site.books.find(doctype, name).map(|doc| doc.json(true))
    }

    /// Names of all documents of a type.
    pub fn names(&self, doctype: &str) -> Vec<String> {
        let site = self.0.lock();
        site.books
            .all(doctype)
            .map(|doc| doc.name.clone())
            .collect()
    }

    /// A digest of everything that is stored.
    pub fn digest(&self) -> u64 {
        self.0.lock().books.digest()
    }

    /// Invariants of the books that are broken; none should be.
    pub fn broken(&self) -> Vec<String> {
        let mut site = self.0.lock();
        site.settle();
        invariants::broken(&site.books)
    }
}
