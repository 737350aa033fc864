//! Questions that reports answer, as people who keep books ask them.

use agent::ports::ToolExample;

pub(super) const ALL: &[ToolExample] = &[
    ToolExample::worked(
        "Run the report Accounts Receivable for Aldergate Cycles as of 2026-11-30.",
        r#"{"report": "Accounts Receivable", "filters": [
        {"name": "company", "value": "Aldergate Cycles"},
        {"name": "report_date", "value": "2026-11-30"},
        {"name": "range", "value": "30, 60, 90, 120"}
    ]}"#,
    ),
    ToolExample::worked(
        "Show the trial balance of Aldergate Cycles for 2026.",
        r#"{"report": "Trial Balance", "filters": [
        {"name": "company", "value": "Aldergate Cycles"},
        {"name": "fiscal_year", "value": "2026"}
    ]}"#,
    ),
    ToolExample::worked(
        "Run the report Trial Balance for Aldergate Cycles.",
        r#"{"report": "Trial Balance", "filters": [{"name": "company", "value": "Aldergate Cycles"}]}"#,
    ),
    ToolExample::worked(
        "Run the report Accounts Receivable.",
        r#"{"report": "Accounts Receivable", "filters": []}"#,
    ),
    ToolExample::worked(
        "Show the trial balance.",
        r#"{"report": "Trial Balance", "filters": []}"#,
    ),
    ToolExample::worked(
        "What are our receivables?",
        r#"{"report": "Accounts Receivable", "filters": []}"#,
    ),
    ToolExample::worked(
        "What are our payables?",
        r#"{"report": "Accounts Payable", "filters": []}"#,
    ),
    ToolExample::worked(
        "What is our profit this year?",
        r#"{"report": "Profit and Loss Statement", "filters": []}"#,
    ),
    ToolExample::worked(
        "How is the company doing?",
        r#"{"report": "Profit and Loss Statement", "filters": []}"#,
    ),
    ToolExample::worked(
        "What is our revenue this year?",
        r#"{"report": "Gross Profit", "filters": [], "period": "this year"}"#,
    ),
    ToolExample::worked(
        "What is our revenue?",
        r#"{"report": "Gross Profit", "filters": []}"#,
    ),
    ToolExample::worked(
        "What did we sell last month?",
        r#"{"report": "Gross Profit", "filters": [], "period": "last month"}"#,
    ),
    ToolExample::worked(
        "What were our sales last month?",
        r#"{"report": "Gross Profit", "filters": [], "period": "last month"}"#,
    ),
    ToolExample::worked(
        "How old are our receivables?",
        r#"{"report": "Accounts Receivable", "filters": []}"#,
    ),
    ToolExample::worked(
        "How old are our payables?",
        r#"{"report": "Accounts Payable", "filters": []}"#,
    ),
    ToolExample::worked(
        "Show the profit and loss.",
        r#"{"report": "Profit and Loss Statement", "filters": []}"#,
    ),
    ToolExample::worked(
        "Show the profit and loss of last month.",
        r#"{"report": "Profit and Loss Statement", "filters": [], "period": "last month"}"#,
    ),
    ToolExample::worked(
        "How much VAT do we owe?",
        r#"{"report": "Trial Balance", "filters": []}"#,
    ),
    ToolExample::worked(
        "Show the VAT.",
        r#"{"report": "Trial Balance", "filters": []}"#,
    ),
];
