//! Masters that the check's own documents name, and taking those documents back.

use serde_json::json;

use crate::{
    client::SiteTrial,
    error::ErpError,
    site::{ErpSite, ListQuery, NEWEST},
    texts::site_check as say,
};

/// The name of one document of a type; None if there is none, or none within reach.
pub(super) async fn first(
    site: &ErpSite,
    doctype: &str,
    wanted: &[(&str, i64)],
) -> Result<Option<String>, ErpError> {
    let meta = site.readable_type(doctype).await?;
    let filters = wanted
        .iter()
        .map(|(field, value)| json!([field, "=", value]));
    let query = ListQuery {
        doctype,
        fields: vec![json!("name")],
        filters: filters.collect(),
        order: NEWEST.to_owned(),
        limit: 1,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    let name = found.rows.first().and_then(|row| row["name"].as_str());
    Ok(name.map(str::to_owned))
}

/// The company that the documents are of: the first within reach.
pub(super) async fn company(site: &ErpSite) -> Result<Option<String>, ErpError> {
    match site.reach.companies().first() {
        Some(company) => Ok(Some(company.clone())),
        None => first(site, "Company", &[]).await,
    }
}

/// An item that can be traded.
pub(super) async fn item(site: &ErpSite) -> Result<Option<String>, ErpError> {
    let wanted = [("disabled", 0), ("has_variants", 0), ("is_stock_item", 1)];
    first(site, "Item", &wanted).await
}

/// Deletes a document of the check. Gives the sentence about what stays, if anything does.
pub(super) async fn delete(site: &ErpSite, doctype: &str, name: &str) -> Option<String> {
    let gone = site
        .client
        .try_out(SiteTrial::Delete { doctype, name })
        .await;
    gone.err()
        .map(|error| say::is_left(doctype, name, &error.reason()))
}
