//! One golden JSON snapshot per type: a changed snapshot is a changed protocol.
//!
//! Snapshots of released types never change, because old tabs contain them.

mod board;
mod pages;

use protocol::Timestamp;

use crate::{DocumentCell, DocumentRow};

protocol::golden_check!("golden/snapshots");

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn cell(text: &str) -> DocumentCell {
    DocumentCell {
        text: text.to_owned(),
        ..DocumentCell::default()
    }
}

fn money(text: &str) -> DocumentCell {
    DocumentCell {
        unit: Some("EUR".to_owned()),
        ..cell(text)
    }
}

fn row() -> DocumentRow {
    DocumentRow {
        doctype: "Sales Invoice".to_owned(),
        name: "ACC-SINV-2026-00004".to_owned(),
        party: Some("Merlin Bikes".to_owned()),
        amount: Some(money("1190.00")),
        state: Some("Overdue".to_owned()),
        day: Some("2026-10-12".to_owned()),
        late: Some(40),
        ..DocumentRow::default()
    }
}
