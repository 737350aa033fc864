//! Warnings about the other party of a document that only the ERP knows: bank details that changed of
//! late, and a number of the party's that another document already has.

use protocol::{RiskReason, RiskWeight};
use serde_json::{Value, json};

use crate::{
    dates,
    error::ErpError,
    identity::ErpIdentity,
    meta::TypeMeta,
    plain_text::plain,
    site::{Document, ErpSite, ListQuery},
    texts::party as say,
};

/// Days in which changed bank details are a warning: to change them before a payment is the usual
/// fraud.
const DAYS: i64 = 30;
const DAY_MS: i64 = 86_400_000;
/// The most names in a warning.
const MOST: usize = 5;

/// Name of the rule of [`bank_changes`].
pub(crate) const BANK_CHANGED: &str = "bank_changed";

/// A warning if bank accounts of the party of a payment have changed within 30 days, or if they
/// cannot be seen. None for documents that pay nobody.
pub(crate) async fn bank_changes(
    site: &ErpSite,
    who: &ErpIdentity,
    document: &Document,
) -> Option<RiskReason> {
    let text = |field: &str| document.get(field).and_then(Value::as_str);
    let (kind, party) = (text("party_type")?, text("party")?);
    if text("payment_type") == Some("Receive") {
        return None;
    }
    let since = dates::instant(site.client.now() - DAYS * DAY_MS).to_zoned(who.time_zone.clone());
    let since = since.strftime("%Y-%m-%d %H:%M:%S").to_string();
    let query = ListQuery {
        doctype: "Bank Account",
        fields: vec![json!("name"), json!("modified"), json!("modified_by")],
        filters: vec![
            json!(["party_type", "=", kind]),
            json!(["party", "=", party]),
            json!(["modified", ">=", since]),
        ],
        order: "modified desc, name asc".to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    // Its documents are not shown, so a type that is not read otherwise is asked here.
    let rows = match site.list_of_any(query).await {
        Ok(found) => found.rows,
        Err(error) => {
            let sentence = say::bank_unknown(party);
            let reason = RiskReason::new("bank_unknown", RiskWeight::Warning, sentence);
            return Some(reason.meaning(error.reason()));
        }
    };
    let changes = rows.iter().map(|row| {
        let text = |field: &str| plain(row.get(field).and_then(Value::as_str).unwrap_or("?"), 140);
        let at = dates::moment(&text("modified"), &who.time_zone);
        say::changed_at(&text("name"), &at, &text("modified_by"))
    });
    let changes: Vec<_> = changes.collect();
    if changes.is_empty() {
        return None;
    }
    let reason = RiskReason::new(BANK_CHANGED, RiskWeight::Grave, say::bank_changed(party));
    Some(reason.meaning(changes.join("; ")))
}

/// A warning if another document of the type has the same number of the party's, such as `po_no`.
pub(crate) async fn duplicates(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
) -> Result<Option<RiskReason>, ErpError> {
    let text = |field: &str| {
        let value = document.get(field).and_then(Value::as_str);
        value.map(str::trim).filter(|it| !it.is_empty())
    };
    for (number, party) in [("po_no", "customer"), ("bill_no", "supplier")] {
        let has = |field: &str| meta.fields.iter().any(|it| it.name == field);
        let (Some(value), Some(name)) = (text(number), text(party)) else {
            continue;
        };
        if !has(number) || !has(party) {
            continue;
        }
        let query = ListQuery {
            doctype: &meta.name,
            fields: vec![json!("name")],
            filters: vec![
                json!([number, "=", value]),
                json!([party, "=", name]),
                json!(["docstatus", "!=", 2]),
                json!(["name", "!=", text("name").unwrap_or_default()]),
            ],
            order: "creation desc, name asc".to_owned(),
            limit: MOST,
            ..ListQuery::default()
        };
        let found = site.list(meta, query).await?;
        let names = found
            .rows
            .iter()
            .filter_map(|row| row.get("name")?.as_str());
        let names: Vec<_> = names.collect();
        if !names.is_empty() {
            let sentence = say::duplicate(value, &names.join(", "));
            let reason = RiskReason::new("duplicate", RiskWeight::Warning, sentence);
            return Ok(Some(reason));
        }
    }
    Ok(None)
}
