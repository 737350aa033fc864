//! The parts of a document's page.

use protocol::{Known, Offer};
use serde_json::json;

use super::{AT, cell, check, money, row};
use crate::{
    ChangedField, DocumentCell, DocumentColumn, DocumentField, DocumentGlance, DocumentHistory,
    DocumentLedger, DocumentLinks, DocumentPage, DocumentSection, DocumentTable, DocumentsPart,
    GlanceList, HistoryEntry, OwnApprovals, WorkflowPlace,
};

fn table() -> DocumentTable {
    DocumentTable {
        title: "Items".to_owned(),
        columns: vec![
            DocumentColumn {
                label: "Item".to_owned(),
                is_number: false,
            },
            DocumentColumn {
                label: "Amount".to_owned(),
                is_number: true,
            },
        ],
        rows: vec![vec![cell("Frame <M>"), money("600.00")]],
        of: 3,
        foot: vec![cell(""), money("600.00")],
        notes: vec!["2 more rows".to_owned()],
    }
}

#[test]
fn document() {
    let customer = DocumentField {
        label: "Customer".to_owned(),
        value: DocumentCell {
            to: Some("Customer/Kestrel & Söhne".to_owned()),
            ..cell("Kestrel & Söhne")
        },
    };
    let page = DocumentPage {
        doctype: "Sales Order".to_owned(),
        name: "SAL-ORD-2026-00012".to_owned(),
        title: Some("Kestrel & Söhne".to_owned()),
        status: Some("To Deliver and Bill".to_owned()),
        docstatus: Some("submitted".to_owned()),
        workflow: Some(WorkflowPlace {
            name: "Order Approval".to_owned(),
            state: "Approved".to_owned(),
            steps: Known::unknown("not permitted"),
            waits_for: Vec::new(),
        }),
        head: vec![customer.clone()],
        sections: vec![DocumentSection {
            title: "Terms".to_owned(),
            fields: vec![customer],
        }],
        tables: vec![table()],
        offers: vec![Offer {
            tool: "cancel_doc".to_owned(),
            label: "Cancel".to_owned(),
            on: "document".to_owned(),
            when: "submitted".to_owned(),
            only: Vec::new(),
            with: json!({ "doctype": "Sales Order" }),
        }],
        drafts: Vec::new(),
        modified: "2026-11-21 15:30:04.000001".to_owned(),
        modified_at: Known::Value(AT),
        modified_by: "clerk@aldergate.example".to_owned(),
        owner: "agent@aldergate.example".to_owned(),
        is_own: true,
        at: AT,
    };
    check("page_document", &page);
    let of_a_draft = DocumentPage {
        title: None,
        workflow: None,
        head: Vec::new(),
        sections: Vec::new(),
        tables: Vec::new(),
        offers: Vec::new(),
        drafts: vec![row()],
        ..page
    };
    check("page_document_drafts", &of_a_draft);
}

#[test]
fn around_it() {
    let list = |title: &str, table| GlanceList {
        title: title.to_owned(),
        table,
    };
    let glance = DocumentGlance {
        lists: vec![
            list("Open orders", Known::Value(table())),
            list("Balance", Known::unknown("not permitted")),
        ],
        at: AT,
    };
    check("page_glance", &glance);
    let ledger = DocumentLedger {
        docstatus: Some("draft".to_owned()),
        accounting: Some(Known::Value(table())),
        balanced: Some(true),
        stock: Some(Known::unknown("not permitted")),
        at: AT,
    };
    check("page_ledger", &ledger);
    let links = DocumentLinks {
        before: vec![row()],
        before_hidden: 0,
        after: Vec::new(),
        after_hidden: 2,
        notes: vec!["drafts are not traced".to_owned()],
        at: AT,
    };
    check("page_links", &links);
    let history = DocumentHistory {
        entries: vec![HistoryEntry {
            at: Known::Value(AT),
            by: "clerk@aldergate.example".to_owned(),
            kind: "changed".to_owned(),
            text: String::new(),
            changes: vec![ChangedField {
                label: "Rate".to_owned(),
                before: "110".to_owned(),
                after: "120".to_owned(),
            }],
        }],
        notes: Vec::new(),
        at: AT,
    };
    check("page_history", &history);
}

#[test]
fn own_approvals() {
    let list = DocumentsPart {
        rows: Known::Value(vec![row()]),
        count: Some(1),
        sums: Vec::new(),
        due: Vec::new(),
        lacks: Vec::new(),
        at: None,
        trouble: None,
    };
    let own = OwnApprovals {
        user: Some(Known::Value("manager@aldergate.example".to_owned())),
        list: Some(list),
    };
    check("page_own_approvals", &own);
    let unreadable = OwnApprovals {
        user: Some(Known::unknown("the key file was lost")),
        list: None,
    };
    check("page_own_approvals_unknown", &unreadable);
}
