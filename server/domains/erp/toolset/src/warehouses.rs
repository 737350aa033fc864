//! The warehouses of the companies within reach, for sites whose stock levels name no company.

use serde_json::json;

use crate::{
    error::ErpError,
    site::{ErpSite, ListQuery},
    texts::board as say,
};

/// The most warehouses that fit into a query.
const MOST: usize = 200;

pub(crate) async fn of_companies(site: &ErpSite) -> Result<Vec<String>, ErpError> {
    let meta = site.readable_type("Warehouse").await?;
    let query = ListQuery {
        doctype: "Warehouse",
        fields: vec![json!("name")],
        order: "name asc".to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    if found.has_more {
        return Err(ErpError::input(say::TOO_MANY_WAREHOUSES));
    }
    let names = found.rows.iter();
    let names = names.filter_map(|row| row.get("name")?.as_str().map(str::to_owned));
    Ok(names.collect())
}
