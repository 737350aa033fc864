//! A till's session whose closing is drafted.

use anyhow::Context;
use serde_json::{Value, json};
use simerp::{SimErp, SimErpUser};

use super::post;

/// Sells this many more bells for cash, counts the drawer, and drafts the closing.
pub(super) async fn draft_closing(company: &SimErp, more: u8) -> anyhow::Result<()> {
    for _ in 0..more {
        sell_bell(company).await?;
    }
    let control = company.control();
    let sessions = control.names("POS Opening Entry");
    let session = sessions.first().context("no session")?;
    let sales = control.names("POS Invoice").into_iter();
    let sales = sales.filter_map(|name| control.document("POS Invoice", &name));
    let sales: Vec<_> = sales.filter(|it| it["docstatus"] == 1).collect();
    let cash = 187.6 + 7.9 * f64::from(more);
    let total: f64 = sales
        .iter()
        .filter_map(|it| it["grand_total"].as_f64())
        .sum();
    let row = |it: &Value| {
        json!({
            "pos_invoice": it["name"], "posting_date": it["posting_date"],
            "customer": it["customer"], "grand_total": it["grand_total"],
        })
    };
    let count = |mode: &str, opening: f64, amount: f64| {
        json!({
            "mode_of_payment": mode, "opening_amount": opening, "expected_amount": cents(amount),
            "closing_amount": cents(amount),
        })
    };
    let closing = json!({
        "pos_opening_entry": session, "period_end_date": "2026-11-21 16:00:00",
        "posting_date": "2026-11-21", "grand_total": cents(total),
        "pos_invoices": sales.iter().map(row).collect::<Vec<_>>(),
        "payment_reconciliation": [count("Cash", 150.0, cash), count("Credit Card", 0.0, 49.9)],
    });
    post(
        company,
        SimErpUser::Agent,
        "resource/POS Closing Entry",
        &closing,
    )
    .await
}

async fn sell_bell(company: &SimErp) -> anyhow::Result<()> {
    let sale = json!({
        "customer": "Walk-in Customer", "company": "Aldergate Cycles", "pos_profile": "Shop Till",
        "taxes_and_charges": "VAT 19 included - AC", "docstatus": 1,
        "items": [{ "item_code": "BELL", "qty": 1 }],
        "payments": [{ "mode_of_payment": "Cash", "amount": 7.9 }],
    });
    // A session takes the invoices of its own cashier alone.
    post(company, SimErpUser::Clerk, "resource/POS Invoice", &sale).await
}

fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}
