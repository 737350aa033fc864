//! Orders to make one document out of another, as people give them.

use agent::ports::ToolExample;

pub(super) const ALL: &[ToolExample] = &[
    ToolExample::worked(
        "Make a delivery note of the sales order SAL-ORD-2026-00012.",
        r#"{"source_doctype": "Sales Order", "source_name": "SAL-ORD-2026-00012", "target_doctype": "Delivery Note"}"#,
    ),
    ToolExample::worked(
        "Draft the sales invoice of the delivery note MAT-DN-2026-00003.",
        r#"{"source_doctype": "Delivery Note", "source_name": "MAT-DN-2026-00003", "target_doctype": "Sales Invoice"}"#,
    ),
    ToolExample::worked(
        "Draft a payment of the sales invoice ACC-SINV-2026-00004.",
        r#"{"source_doctype": "Sales Invoice", "source_name": "ACC-SINV-2026-00004", "target_doctype": "Payment Entry"}"#,
    ),
    ToolExample::worked(
        "Deliver the sales order SAL-ORD-2026-00012.",
        r#"{"source_doctype": "Sales Order", "source_name": "SAL-ORD-2026-00012", "target_doctype": "Delivery Note"}"#,
    ),
    ToolExample::worked(
        "Make an invoice of the sales order SAL-ORD-2026-00012.",
        r#"{"source_doctype": "Sales Order", "source_name": "SAL-ORD-2026-00012", "target_doctype": "Sales Invoice"}"#,
    ),
    ToolExample::worked(
        "Take a payment of 250.25 for the invoice ACC-SINV-2026-00004.",
        r#"{"source_doctype": "Sales Invoice", "source_name": "ACC-SINV-2026-00004", "target_doctype": "Payment Entry", "fields": [{"field": "paid_amount", "value": 250.25}]}"#,
    ),
    ToolExample::worked(
        "Take a payment of 250.25 for the invoice ACC-SINV-2026-00004 with the reference TR-88 of 2026-11-20.",
        r#"{"source_doctype": "Sales Invoice", "source_name": "ACC-SINV-2026-00004", "target_doctype": "Payment Entry", "fields": [{"field": "paid_amount", "value": 250.25}, {"field": "reference_no", "value": "TR-88"}, {"field": "reference_date", "value": "2026-11-20"}]}"#,
    ),
    ToolExample::worked(
        "Make an invoice from SAL-ORD-2026-00012.",
        r#"{"source_doctype": "Sales Order", "source_name": "SAL-ORD-2026-00012", "target_doctype": "Sales Invoice"}"#,
    ),
    ToolExample::worked(
        "Create an invoice for SAL-ORD-2026-00012.",
        r#"{"source_doctype": "Sales Order", "source_name": "SAL-ORD-2026-00012", "target_doctype": "Sales Invoice"}"#,
    ),
    ToolExample::worked(
        "Invoice SAL-ORD-2026-00012.",
        r#"{"source_doctype": "Sales Order", "source_name": "SAL-ORD-2026-00012", "target_doctype": "Sales Invoice"}"#,
    ),
    ToolExample::worked(
        "Invoice the order SAL-ORD-2026-00012.",
        r#"{"source_doctype": "Sales Order", "source_name": "SAL-ORD-2026-00012", "target_doctype": "Sales Invoice"}"#,
    ),
    ToolExample::worked(
        "Make a delivery note from SAL-ORD-2026-00012.",
        r#"{"source_doctype": "Sales Order", "source_name": "SAL-ORD-2026-00012", "target_doctype": "Delivery Note"}"#,
    ),
    ToolExample::worked(
        "Deliver SAL-ORD-2026-00012.",
        r#"{"source_doctype": "Sales Order", "source_name": "SAL-ORD-2026-00012", "target_doctype": "Delivery Note"}"#,
    ),
    ToolExample::worked(
        "Record a payment of 250.25 for ACC-SINV-2026-00004.",
        r#"{"source_doctype": "Sales Invoice", "source_name": "ACC-SINV-2026-00004", "target_doctype": "Payment Entry", "fields": [{"field": "paid_amount", "value": 250.25}]}"#,
    ),
    ToolExample::worked(
        "Record a payment of 250.25 for ACC-SINV-2026-00004 with the reference TR-88 of 2026-11-20.",
        r#"{"source_doctype": "Sales Invoice", "source_name": "ACC-SINV-2026-00004", "target_doctype": "Payment Entry", "fields": [{"field": "paid_amount", "value": 250.25}, {"field": "reference_no", "value": "TR-88"}, {"field": "reference_date", "value": "2026-11-20"}]}"#,
    ),
    ToolExample::worked(
        "Record a payment of 250.25 from Kestrel Cycles for ACC-SINV-2026-00004.",
        r#"{"source_doctype": "Sales Invoice", "source_name": "ACC-SINV-2026-00004", "target_doctype": "Payment Entry", "fields": [{"field": "party", "value": "Kestrel Cycles"}, {"field": "paid_amount", "value": 250.25}]}"#,
    ),
    ToolExample::worked(
        "Record a payment of 250.25 from Kestrel Cycles for ACC-SINV-2026-00004 with the reference TR-88 of 2026-11-20.",
        r#"{"source_doctype": "Sales Invoice", "source_name": "ACC-SINV-2026-00004", "target_doctype": "Payment Entry", "fields": [{"field": "party", "value": "Kestrel Cycles"}, {"field": "paid_amount", "value": 250.25}, {"field": "reference_no", "value": "TR-88"}, {"field": "reference_date", "value": "2026-11-20"}]}"#,
    ),
    ToolExample::worked(
        "Kestrel Cycles paid ACC-SINV-2026-00004 with the reference TR-88 of 2026-11-20.",
        r#"{"source_doctype": "Sales Invoice", "source_name": "ACC-SINV-2026-00004", "target_doctype": "Payment Entry", "fields": [{"field": "party", "value": "Kestrel Cycles"}, {"field": "reference_no", "value": "TR-88"}, {"field": "reference_date", "value": "2026-11-20"}]}"#,
    ),
    ToolExample::worked(
        "Kestrel Cycles paid ACC-SINV-2026-00004.",
        r#"{"source_doctype": "Sales Invoice", "source_name": "ACC-SINV-2026-00004", "target_doctype": "Payment Entry", "fields": [{"field": "party", "value": "Kestrel Cycles"}]}"#,
    ),
    ToolExample::worked(
        "We paid ACC-PINV-2026-00003.",
        r#"{"source_doctype": "Purchase Invoice", "source_name": "ACC-PINV-2026-00003", "target_doctype": "Payment Entry"}"#,
    ),
    ToolExample::worked(
        "We paid ACC-PINV-2026-00003 with the reference TR-88 of 2026-11-20.",
        r#"{"source_doctype": "Purchase Invoice", "source_name": "ACC-PINV-2026-00003", "target_doctype": "Payment Entry", "fields": [{"field": "reference_no", "value": "TR-88"}, {"field": "reference_date", "value": "2026-11-20"}]}"#,
    ),
];
