//! The parts of the board.

use protocol::Known;

use super::{AT, cell, check, money, row};
use crate::{DocumentRow, DocumentsPart, DueWithin, ErpHealthPart, ShortageRow, ShortagesPart};

#[test]
fn lists() {
    let waiting = DocumentRow {
        doctype: "Purchase Order".to_owned(),
        name: "PUR-ORD-2026-00007".to_owned(),
        state: Some("Pending Approval".to_owned()),
        since: Some(AT),
        by: Some("agent@aldergate.example".to_owned()),
        is_own: true,
        steps: Some(Known::Value(vec!["Approve".to_owned()])),
        ..DocumentRow::default()
    };
    check("board_row", &waiting);
    let of_others = DocumentRow {
        steps: None,
        waits_for: vec!["Purchase Manager".to_owned()],
        ..waiting
    };
    check("board_row_of_others", &of_others);
    let listed = DocumentsPart {
        rows: Known::Value(vec![row()]),
        count: Some(1),
        sums: vec![money("1190.00")],
        due: Vec::new(),
        lacks: vec!["Purchase Order: missing right".to_owned()],
        at: Some(AT),
        trouble: Some("no answer from erp.example.org".to_owned()),
    };
    check("board_documents", &listed);
    let money_due = DocumentsPart {
        due: vec![
            DueWithin {
                days: 7,
                sums: Known::Value(vec![money("714.00")]),
            },
            DueWithin {
                days: 30,
                sums: Known::unknown("too many"),
            },
        ],
        lacks: Vec::new(),
        trouble: None,
        ..listed
    };
    check("board_documents_due", &money_due);
    let unknown = DocumentsPart {
        rows: Known::unknown("not permitted"),
        count: None,
        sums: Vec::new(),
        due: Vec::new(),
        lacks: Vec::new(),
        at: None,
        trouble: None,
    };
    check("board_documents_unknown", &unknown);
}

#[test]
fn stock() {
    let row = ShortageRow {
        item: "FRAME-M".to_owned(),
        warehouse: "Raw - AC".to_owned(),
        stock: cell("-2"),
        projected: cell("-42.5"),
        is_negative: true,
    };
    let part = ShortagesPart {
        rows: Known::Value(vec![row]),
        count: None,
        at: Some(AT),
        trouble: None,
    };
    check("board_shortages", &part);
}

#[test]
fn health() {
    let part = ErpHealthPart {
        site: "erp.example.org".to_owned(),
        user: Known::Value("agent@aldergate.example".to_owned()),
        at: Some(AT),
        trouble: None,
        help: None,
        clock_offset: Known::Value(-3),
        last_posting: Known::Value(row()),
        balanced: Known::Value(true),
        balance_days: 30,
        queue_failed: Known::unknown("not permitted"),
        missing: vec!["Submission Queue".to_owned()],
        companies: vec!["Aldergate Cycles".to_owned()],
    };
    check("board_health", &part);
    let refused = ErpHealthPart {
        user: Known::unknown("this key is not used"),
        trouble: Some("this key is not used".to_owned()),
        help: Some("Add a User with only the roles for the work.".to_owned()),
        ..part
    };
    check("board_health_refused", &refused);
}
