//! A word on a document without taxes: the ERP adds none to a new one unless a tax rule of its own does, and
//! that is seen only after it is saved. A draft that has none then stays without.

use protocol::{RiskReason, RiskWeight};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{
    decimal::decimal,
    error::ErpError,
    meta::TypeMeta,
    plain_text::plain,
    site::{Document, ErpSite, ListQuery},
    texts::totals as say,
};

/// The newest submitted documents that are looked at.
const MOST: usize = 20;
const TAXES: &str = "taxes";
/// The field of types whose taxes come from a template.
const TEMPLATE: &str = "taxes_and_charges";
const TOTAL: &str = "total_taxes_and_charges";
const PARTIES: [&str; 3] = ["customer", "supplier", "party_name"];

/// A reason if a new document of a type with taxes is given none. It warns where others of the same party,
/// or of the company if the party has none yet, usually have some. It makes one request.
pub(crate) async fn untaxed(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
) -> Option<RiskReason> {
    if !lacks_taxes(meta, document) {
        return None;
    }
    let (weight, detail) = match usual(site, meta, document).await {
        Ok(Some(taxed)) => (RiskWeight::Warning, say::none_are_added(&taxed)),
        Ok(None) => (RiskWeight::Note, say::NO_TAXES_DETAIL.to_owned()),
        Err(error) => (RiskWeight::Note, say::others_unknown(&error.reason())),
    };
    let reason = RiskReason::new("untaxed", weight, say::NO_TAXES);
    Some(reason.meaning(detail))
}

/// The same of a draft before it becomes final. It is silent where others usually have none either.
pub(crate) async fn stays_untaxed(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
) -> Option<RiskReason> {
    if !lacks_taxes(meta, document) {
        return None;
    }
    let (weight, detail) = match usual(site, meta, document).await {
        Ok(taxed) => (RiskWeight::Warning, taxed?),
        Err(error) => (RiskWeight::Note, say::not_compared(&error.reason())),
    };
    Some(RiskReason::new("untaxed", weight, say::STAYS_UNTAXED).meaning(detail))
}

/// True for a document of a type with taxes that has neither any nor a template for them.
fn lacks_taxes(meta: &TypeMeta, document: &Document) -> bool {
    let rows = document.get(TAXES).and_then(Value::as_array);
    let has_rows = rows.is_some_and(|rows| !rows.is_empty());
    meta.field(TEMPLATE).is_some() && !has_rows && text(document, TEMPLATE).is_none()
}

/// A sentence about others that have taxes, if that is usual.
async fn usual(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
) -> Result<Option<String>, ErpError> {
    let party = PARTIES.into_iter().find(|it| meta.field(it).is_some());
    let mut filters = vec![json!(["docstatus", "=", 1])];
    if meta.field("company").is_some()
        && let Some(company) = text(document, "company")
    {
        filters.push(json!(["company", "=", company]));
    }
    let columns = ["name", TOTAL].into_iter().chain(party);
    let query = ListQuery {
        doctype: &meta.name,
        fields: columns
            .filter(|it| meta.field(it).is_some())
            .map(|it| json!(it))
            .collect(),
        filters,
        order: "creation desc, name asc".to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    let found = site.list(meta, query).await?;
    let name = party.and_then(|field| text(document, field));
    Ok(told(&found.rows, party.unwrap_or_default(), name))
}

/// `party`: the field of the rows with the party, and the one of the new document.
fn told(rows: &[Document], party: &str, name: Option<&str>) -> Option<String> {
    let of_party: Vec<&Document> = rows
        .iter()
        .filter(|row| name.is_some() && text(row, party) == name)
        .collect();
    let (rows, of) = if of_party.is_empty() {
        (rows.iter().collect(), None)
    } else {
        (of_party, name)
    };
    // A total that the key may not see is no zero.
    let known = rows.iter().filter_map(|row| {
        let total = row.get(TOTAL).and_then(decimal)?;
        Some((text(row, "name")?, total))
    });
    let known: Vec<_> = known.collect();
    let taxed = known.iter().filter(|(_, total)| *total != Decimal::ZERO);
    let taxed: Vec<_> = taxed.map(|(name, _)| *name).collect();
    let newest = taxed.first()?;
    let is_usual = taxed.len() * 2 >= known.len();
    is_usual.then(|| {
        let of = of.map(|it| plain(it, 140));
        say::others_are_taxed(taxed.len(), known.len(), of.as_deref(), &plain(newest, 140))
    })
}

fn text<'a>(document: &'a Document, field: &str) -> Option<&'a str> {
    let text = document.get(field)?.as_str()?;
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_usual_for_the_party_counts_before_the_rest() {
        let rows: Vec<Document> = [
            ("S-5", "Kestrel", json!(19)),
            ("S-4", "Abroad", json!(0)),
            ("S-3", "Kestrel", json!("38.5")),
            ("S-2", "Kestrel", json!(0)),
            ("S-1", "<b>Hidden</b>", Value::Null),
        ]
        .into_iter()
        .map(|(name, customer, taxes)| {
            let row = json!({"name": name, "customer": customer, TOTAL: taxes});
            row.as_object().unwrap().clone()
        })
        .collect();
        for (customer, expect) in [
            (Some("Kestrel"), Some((2, 3, Some("Kestrel")))),
            (Some("Abroad"), None),
            // Of this one nothing is known.
            (Some("<b>Hidden</b>"), None),
            // A new customer: of all whose taxes are known.
            (Some("New"), Some((2, 4, None))),
            (None, Some((2, 4, None))),
        ] {
            let found = told(&rows, "customer", customer);
            let expect =
                expect.map(|(taxed, all, of)| say::others_are_taxed(taxed, all, of, "S-5"));
            assert_eq!(found, expect, "{customer:?}");
        }
        assert_eq!(told(&[], "customer", Some("New")), None);
    }
}
