//! The parts of the board.

use protocol::Known;

use super::{AT, cell, check, money, row};
use crate::{DocumentRow, DocumentsPart, ErpHealthPart, ShortageRow, ShortagesPart};

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
    let due = DocumentsPart {
        rows: Known::Value(vec![row()]),
        count: Some(1),
        sums: vec![money("1190.00")],
        lacks: vec!["Purchase Order: missing right".to_owned()],
        at: Some(AT),
        trouble: Some("no answer from erp.example.org".to_owned()),
    };
    check("board_documents", &due);
    let unknown = DocumentsPart {
        rows: Known::unknown("not permitted"),
        count: None,
        sums: Vec::new(),
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
        clock_offset: Known::Value(-3),
        last_posting: Known::Value(row()),
        balanced: Known::Value(true),
        balance_days: 30,
        queue_failed: Known::unknown("not permitted"),
        missing: vec!["Submission Queue".to_owned()],
        companies: vec!["Aldergate Cycles".to_owned()],
    };
    check("board_health", &part);
}
