//! What the ERP surely refuses in a new document, so that no card is shown for it.

use serde_json::{Value, json};

use crate::{
    error::{ErpError, RefusalKind},
    meta::TypeMeta,
    site::{Document, ErpSite, ListQuery},
    texts::draft as say,
};

/// Refuses a payment through a bank account without the bank's reference. Who may not read accounts is
/// refused by the ERP alone.
pub(crate) async fn demand_reference(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
) -> Result<(), ErpError> {
    let text = |field: &str| {
        let text = document.get(field).and_then(Value::as_str);
        text.map(str::trim).filter(|it| !it.is_empty())
    };
    let missing: Vec<_> = ["reference_no", "reference_date"]
        .into_iter()
        .filter(|field| text(field).is_none())
        .collect();
    if meta.name != "Payment Entry" || missing.is_empty() {
        return Ok(());
    }
    let account = if text("payment_type") == Some("Receive") {
        text("paid_to")
    } else {
        text("paid_from")
    };
    let Some(account) = account else {
        return Ok(());
    };
    let accounts = match site.readable_type("Account").await {
        Ok(accounts) => accounts,
        Err(error) if error.kind() == Some(RefusalKind::Permission) => return Ok(()),
        Err(error) => return Err(error),
    };
    let query = ListQuery {
        doctype: "Account",
        fields: vec![json!("name"), json!("account_type")],
        filters: vec![json!(["name", "=", account])],
        order: "name asc".to_owned(),
        limit: 1,
        ..ListQuery::default()
    };
    let found = match site.list(&accounts, query).await {
        Ok(found) => found.rows,
        Err(error) if error.kind() == Some(RefusalKind::Permission) => return Ok(()),
        Err(error) => return Err(error),
    };
    let is_bank = |row: &Document| row.get("account_type").and_then(Value::as_str) == Some("Bank");
    if found.first().is_some_and(is_bank) {
        Err(ErpError::input(say::needs_reference(account, &missing)))
    } else {
        Ok(())
    }
}
