//! The outline of documents of a type: party, total, date and status, whatever the type calls them.

use serde_json::{Value, json};

use super::amounts;
use crate::{
    cell,
    currency::{self, AmountPlace, Currencies},
    error::ErpError,
    meta::{MetaFieldKind, TypeMeta},
    site::{Document, ErpSite, ListQuery, NEWEST},
};

const PARTIES: [&str; 6] = [
    "customer",
    "supplier",
    "party_name",
    "party",
    "employee",
    "title",
];
const TOTALS: [&str; 7] = [
    "grand_total",
    "paid_amount",
    "total_debit",
    "total_amount",
    "total",
    "for_quantity",
    "qty",
];
const DAYS: [&str; 4] = [
    "posting_date",
    "transaction_date",
    "schedule_date",
    "planned_start_date",
];

/// The columns of the outline that a type has.
pub(crate) fn columns(meta: &TypeMeta) -> Vec<&str> {
    let first = |names: &[&'static str]| {
        names
            .iter()
            .copied()
            .find(|name| meta.fields.iter().any(|it| it.name == *name))
    };
    let mut columns = vec!["name", "docstatus", "owner"];
    columns.extend(
        ["status", "company", "currency"]
            .iter()
            .filter_map(|name| first(&[name])),
    );
    let total = first(&TOTALS);
    let chosen = [first(&PARTIES), total, first(&DAYS)];
    columns.extend(chosen.into_iter().flatten());
    let total = total.and_then(|name| meta.field(name));
    let currencies = total.map(currency::named).into_iter().flatten().flatten();
    let currencies: Vec<_> = currencies
        .filter(|name| meta.field(name).is_some() && !columns.contains(name))
        .collect();
    columns.extend(currencies);
    columns.extend(meta.workflow.as_ref().map(|it| it.state_field.as_str()));
    columns
}

/// The outline of a document under the same words for every type, with the currency of its total.
pub(crate) fn with_currency(
    meta: &TypeMeta,
    document: &Document,
    currencies: &Currencies,
) -> Value {
    let found = |names: &[&'static str]| {
        let mut names = names.iter().copied();
        names.find(|name| document.contains_key(*name))
    };
    let pick = |names: &[&'static str]| {
        let name = found(names)?;
        cell::cell(meta.field(name), document.get(name)?, cell::IN_LIST)
    };
    // A total that is a quantity has none.
    let total = found(&TOTALS).and_then(|name| meta.field(name));
    let total = total.filter(|field| field.kind == MetaFieldKind::Currency);
    let currency = total.map(|field| {
        let place = AmountPlace {
            document,
            row: None,
            currencies,
        };
        amounts::currency(place.currency(meta, field).as_deref())
    });
    let mut outline = json!({
        "doctype": meta.name,
        "name": document.get("name"),
        "status": pick(&["status"]),
        "docstatus": meta.is_submittable.then(|| document.get("docstatus").map(cell::docstatus)),
        "party": pick(&PARTIES),
        "total": pick(&TOTALS),
        "currency": currency,
        "date": pick(&DAYS),
    });
    if let Some(fields) = outline.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    outline
}

/// The documents with these names that the user may see.
pub(crate) async fn documents(
    site: &ErpSite,
    meta: &TypeMeta,
    names: &[&str],
) -> Result<Vec<Document>, ErpError> {
    let query = ListQuery {
        doctype: &meta.name,
        fields: columns(meta).iter().map(|column| json!(column)).collect(),
        filters: vec![json!(["name", "in", names])],
        order: NEWEST.to_owned(),
        limit: names.len(),
        ..ListQuery::default()
    };
    let found = site.list(meta, query).await?;
    for document in &found.rows {
        if let Some(name) = document.get("name").and_then(Value::as_str) {
            site.keep(meta, name, document);
        }
    }
    Ok(found.rows)
}
