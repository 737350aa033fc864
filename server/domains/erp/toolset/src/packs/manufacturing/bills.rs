//! Bills of materials.

use serde_json::json;

use crate::{
    error::ErpError,
    packs::{figures::text, lists},
    site::ErpSite,
    texts::packs as say,
};

/// The bill that is asked for, or the item's default one: active and submitted.
pub(super) async fn find(
    site: &ErpSite,
    item: &str,
    company: &str,
    bom: Option<&str>,
) -> Result<String, ErpError> {
    let meta = site.readable_type("BOM").await?;
    let mut filters = vec![
        json!(["item", "=", item]),
        json!(["company", "=", company]),
        json!(["docstatus", "=", 1]),
        json!(["is_active", "=", 1]),
    ];
    match bom {
        Some(bom) => filters.push(json!(["name", "=", bom])),
        None => filters.push(json!(["is_default", "=", 1])),
    }
    let found = lists::documents(site, &meta, &["name", "item"], filters, "name asc").await?;
    let bill = found.iter().find(|it| text(it, "item") == item);
    let bill = bill.ok_or_else(|| ErpError::input(say::no_bill(item)))?;
    Ok(text(bill, "name").to_owned())
}
