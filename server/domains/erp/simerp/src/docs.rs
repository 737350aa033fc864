//! The life of a document: insert, update, submit, cancel, amend and delete, in Frappe's order.

mod closing;
mod coerce;
mod links;
mod naming;
mod remove;
mod save;

pub(crate) use self::closing::{due, lines_of, run};
pub(crate) use self::coerce::{from_json, lay_over};
pub(crate) use self::links::{fill_fetched, submitted_links};
pub(crate) use self::remove::{copy_of, delete};
pub(crate) use self::save::{cancel, insert, save, submit, submit_stored};
