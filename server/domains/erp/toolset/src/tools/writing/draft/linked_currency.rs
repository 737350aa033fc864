//! Currencies that a new document has from what it links to. The ERP fills them in, and lets nobody write them.

use serde_json::Value;

use crate::{
    error::ErpError,
    meta::TypeMeta,
    site::{Document, ErpSite},
};

/// Types with such a currency: the field with the link, and the type that it leads to.
const OF_LINK: [(&str, &str, &str); 1] = [("Item Price", "price_list", "Price List")];

const CURRENCY: &str = "currency";

/// The document as a card shows it: with the currency of its link, where there is one and the ERP tells. It is
/// sent without.
pub(crate) async fn with_linked_currency(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
) -> Document {
    let mut shown = document.clone();
    let currency = of_link(site, meta, document).await;
    let currency = currency.unwrap_or_else(|error| {
        let reason = error.reason();
        tracing::debug!(reason, "the currency of a link cannot be read");
        None
    });
    shown.extend(currency.map(|it| (CURRENCY.to_owned(), it)));
    shown
}

async fn of_link(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
) -> Result<Option<Value>, ErpError> {
    let mut types = OF_LINK.iter();
    let Some((_, field, doctype)) = types.find(|it| it.0 == meta.name) else {
        return Ok(None);
    };
    let name = document.get(*field).and_then(Value::as_str);
    let Some(name) = name.filter(|_| !document.contains_key(CURRENCY)) else {
        return Ok(None);
    };
    let linked = site.readable_type(doctype).await?;
    let linked = site.document(&linked, name).await?;
    Ok(linked.get(CURRENCY).filter(|it| it.is_string()).cloned())
}
