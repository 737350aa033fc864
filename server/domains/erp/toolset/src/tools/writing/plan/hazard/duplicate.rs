//! Documents that look like the same once more: the other side's number, or the same party and total
//! within a few days.

use jiff::ToSpan;
use protocol::RiskWeight;
use serde_json::{Value, json};

use super::{ErpSubject, Hazard};
use crate::tools::writing::party_warnings;
use crate::{
    dates,
    error::ErpError,
    site::{ErpSite, ListQuery, NEWEST},
    texts::hazard as say,
};

/// Days around the document in which the same total is suspicious.
const DAYS: i32 = 3;
/// The most documents that are named.
const MOST: usize = 3;

pub(super) async fn check(site: &ErpSite, subject: &ErpSubject) -> Result<Vec<Hazard>, ErpError> {
    let mut hazards = Vec::new();
    let number = party_warnings::duplicates(site, &subject.meta, &subject.document).await?;
    hazards.extend(number.map(|reason| Hazard {
        reason,
        wants_word: false,
    }));
    if let Some(filters) = same_total(subject) {
        let found = others(site, subject, filters).await?;
        if !found.is_empty() {
            hazards.push(Hazard::new(
                "duplicate_total",
                RiskWeight::Warning,
                say::same_total(&found.join(", ")),
                say::SAME_TOTAL_DETAIL,
            ));
        }
    }
    Ok(hazards)
}

fn same_total(subject: &ErpSubject) -> Option<Vec<Value>> {
    let party = ["customer", "supplier", "party"]
        .into_iter()
        .find_map(|field| Some((field, subject.raw(field)?)))?;
    let total = ["grand_total", "paid_amount"]
        .into_iter()
        .find_map(|field| Some((field, subject.document.get(field)?)))?;
    let day = ["posting_date", "transaction_date"]
        .into_iter()
        .find_map(|field| Some((field, dates::day(subject.raw(field)?)?)))?;
    let [from, to] = [
        day.1.checked_sub(DAYS.days()),
        day.1.checked_add(DAYS.days()),
    ];
    let days = [from.ok()?.to_string(), to.ok()?.to_string()];
    Some(vec![
        json!([party.0, "=", party.1]),
        json!([total.0, "=", total.1]),
        json!([day.0, "between", days]),
    ])
}

/// Names of other documents that count.
async fn others(
    site: &ErpSite,
    subject: &ErpSubject,
    mut filters: Vec<Value>,
) -> Result<Vec<String>, ErpError> {
    filters.push(json!(["name", "!=", subject.name]));
    filters.push(json!(["docstatus", "=", 1]));
    let query = ListQuery {
        doctype: &subject.meta.name,
        fields: vec![json!("name")],
        filters,
        order: NEWEST.to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    let found = site.list(&subject.meta, query).await?;
    let names = found
        .rows
        .iter()
        .filter_map(|row| row.get("name")?.as_str());
    Ok(names.map(str::to_owned).collect())
}
