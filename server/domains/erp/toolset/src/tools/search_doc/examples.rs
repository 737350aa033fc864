//! Questions as people of the books and of the shop ask them.

use agent::ports::ToolExample;

/// Submitted invoices of a type with something left to pay, the largest first.
macro_rules! unpaid {
    ($doctype:literal, $party:literal) => {
        concat!(
            r#"{"doctype": ""#,
            $doctype,
            r#"", "filters": [
                {"field": "docstatus", "op": "=", "value": 1},
                {"field": "outstanding_amount", "op": ">", "value": 0}
            ], "fields": [""#,
            $party,
            r#"", "outstanding_amount", "due_date", "status", "party_account_currency"],
            "order_by": {"field": "outstanding_amount", "direction": "desc"}}"#
        )
    };
}

const LATE_ORDERS: &str = r#"{"doctype": "Sales Order", "filters": [
            {"field": "docstatus", "op": "=", "value": 1},
            {"field": "status", "op": "in", "value": ["To Deliver and Bill", "To Deliver"]},
            {"field": "delivery_date", "op": "<", "value": "today"}
        ], "fields": ["customer", "delivery_date", "status", "grand_total", "currency"],
        "order_by": {"field": "delivery_date", "direction": "asc"}}"#;

const PRICES_OF_PUMP: &str = r#"{"doctype": "Item Price", "filters": [{"field": "item_code", "op": "=", "value": "PUMP"}],
            "fields": ["item_code", "price_list", "price_list_rate", "currency", "valid_from",
                "valid_upto"]}"#;

const OPEN_TILLS: &str = r#"{"doctype": "POS Opening Entry", "filters": [
            {"field": "status", "op": "=", "value": "Open"},
            {"field": "docstatus", "op": "=", "value": 1}
        ]}"#;

pub(super) const ALL: &[ToolExample] = &[
    ToolExample::worked(
        "Which sales orders are still open?",
        r#"{"doctype": "Sales Order", "filters": [
            {"field": "docstatus", "op": "=", "value": 1},
            {"field": "status", "op": "not in", "value": ["Completed", "Closed"]}
        ]}"#,
    ),
    ToolExample::worked(
        "Which invoices are overdue?",
        r#"{"doctype": "Sales Invoice",
            "filters": [{"field": "status", "op": "=", "value": "Overdue"}],
            "fields": ["customer", "status", "due_date", "outstanding_amount", "grand_total",
                "currency", "party_account_currency"],
            "order_by": {"field": "due_date", "direction": "asc"}}"#,
    ),
    ToolExample::worked(
        "Show the newest purchase orders.",
        r#"{"doctype": "Purchase Order"}"#,
    ),
    ToolExample::worked(
        "Who is overdue?",
        r#"{"doctype": "Sales Invoice", "filters": [
            {"field": "docstatus", "op": "=", "value": 1},
            {"field": "outstanding_amount", "op": ">", "value": 0},
            {"field": "due_date", "op": "<", "value": "today"}
        ], "fields": ["customer_name", "outstanding_amount", "due_date", "party_account_currency"],
        "order_by": {"field": "due_date", "direction": "asc"}}"#,
    ),
    ToolExample::worked(
        "Which customers owe us money?",
        unpaid!("Sales Invoice", "customer_name"),
    ),
    ToolExample::worked(
        "Who owes us money?",
        unpaid!("Sales Invoice", "customer_name"),
    ),
    ToolExample::worked(
        "What do customers owe us?",
        unpaid!("Sales Invoice", "customer_name"),
    ),
    ToolExample::worked(
        "Which bills do we have to pay?",
        unpaid!("Purchase Invoice", "supplier_name"),
    ),
    ToolExample::worked("Which deliveries are late?", LATE_ORDERS),
    ToolExample::worked("Which orders are late?", LATE_ORDERS),
    ToolExample::worked(
        "Show me the history of Kestrel Cycles.",
        r#"{"doctype": "Sales Order",
            "filters": [{"field": "customer", "op": "=", "value": "Kestrel Cycles"}]}"#,
    ),
    ToolExample::worked(
        "Show the invoices of Merlin Bikes.",
        r#"{"doctype": "Sales Invoice",
            "filters": [{"field": "customer", "op": "=", "value": "Merlin Bikes"}]}"#,
    ),
    ToolExample::worked(
        "Which payments came in?",
        r#"{"doctype": "Payment Entry", "filters": [
            {"field": "docstatus", "op": "=", "value": 1},
            {"field": "payment_type", "op": "=", "value": "Receive"}
        ], "fields": ["party", "posting_date", "mode_of_payment", "paid_amount",
            "paid_from_account_currency"]}"#,
    ),
    ToolExample::worked(
        "Which sales orders are still drafts?",
        r#"{"doctype": "Sales Order",
            "filters": [{"field": "docstatus", "op": "=", "value": 0}]}"#,
    ),
    ToolExample::worked(
        "What is the stock of PUMP?",
        r#"{"doctype": "Bin", "filters": [{"field": "item_code", "op": "=", "value": "PUMP"}],
            "fields": ["item_code", "warehouse", "actual_qty", "reserved_qty", "projected_qty",
                "stock_uom"]}"#,
    ),
    ToolExample::worked("What is the price of the item PUMP?", PRICES_OF_PUMP),
    ToolExample::worked("Change the price of PUMP to 25 EUR.", PRICES_OF_PUMP),
    ToolExample::worked("Which tills are open?", OPEN_TILLS),
    ToolExample::worked("Close the till.", OPEN_TILLS),
];
