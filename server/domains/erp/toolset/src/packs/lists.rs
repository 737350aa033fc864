//! Documents and rows of their tables, all that fit: a figure of a part of them would be wrong.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::figures::text;
use crate::{
    error::ErpError,
    meta::TypeMeta,
    site::{Document, ErpSite, ListQuery},
    texts::{packs as say, readings},
};

/// The most documents that a figure is made of.
pub(super) const MOST_DOCUMENTS: usize = 300;
/// The most rows of their tables.
const MOST_ROWS: usize = 2_000;
/// Names of documents in one request: more would not fit into an address.
const NAMES_AT_ONCE: usize = 60;

/// The documents that fit, with the columns that the type has.
pub(super) async fn documents(
    site: &ErpSite,
    meta: &TypeMeta,
    columns: &[&str],
    filters: Vec<Value>,
    order: &str,
) -> Result<Vec<Document>, ErpError> {
    let query = ListQuery {
        filters,
        order: order.to_owned(),
        limit: MOST_DOCUMENTS,
        ..ListQuery::of(meta, columns)
    };
    let found = site.list(meta, query).await?;
    if found.has_more {
        Err(ErpError::input(say::too_many(MOST_DOCUMENTS, &meta.name)))
    } else {
        Ok(found.rows)
    }
}

/// The rows of a table of these documents, with the columns that its type has. Each has its document
/// under `parent`. The documents come from a list, so they are within reach.
pub(super) async fn rows(
    site: &ErpSite,
    meta: &TypeMeta,
    table: &str,
    columns: &[&str],
    more: &[Value],
    documents: &[Document],
) -> Result<Vec<Document>, ErpError> {
    let field = meta.table_fields().find(|it| it.name == table);
    let Some((field, types)) = field.and_then(|it| Some((it, meta.rows_of(it)?))) else {
        return Err(ErpError::input(say::no_table(&meta.name, table)));
    };
    let mut fields = vec!["name", "parent"];
    let has = |column: &&&str| types.iter().any(|it| it.name == **column);
    fields.extend(columns.iter().filter(has));
    let names: Vec<_> = documents.iter().map(|it| text(it, "name")).collect();
    let mut found = Vec::new();
    for names in names.chunks(NAMES_AT_ONCE) {
        let mut filters = vec![
            json!(["parent", "in", names]),
            json!(["parenttype", "=", meta.name]),
        ];
        filters.extend_from_slice(more);
        let parameters = [
            ("parent", meta.name.clone()),
            ("fields", json!(fields).to_string()),
            ("filters", json!(filters).to_string()),
            ("order_by", "parent asc, idx asc".to_owned()),
            ("limit_start", "0".to_owned()),
            ("limit_page_length", (MOST_ROWS + 1).to_string()),
        ];
        // Only version 1 takes the type of the rows' documents.
        let answer = site
            .client
            .list_as_in_v1(&field.options, &parameters)
            .await?;
        let rows = answer.data.as_array();
        let rows = rows.ok_or_else(|| site.unusable("data"))?;
        found.extend(rows.iter().filter_map(Value::as_object).cloned());
        if found.len() > MOST_ROWS {
            return Err(ErpError::input(say::too_many(MOST_ROWS, &field.options)));
        }
    }
    Ok(found)
}

/// A filter for documents with a row of an item.
pub(super) fn with_item(meta: &TypeMeta, table: &str, items: &[&str]) -> Value {
    let field = meta.table_fields().find(|it| it.name == table);
    let rows = field.map_or("", |it| it.options.as_str());
    json!([rows, "item_code", "in", items])
}

/// The documents by their names.
pub(super) fn by_name(documents: &[Document]) -> BTreeMap<&str, &Document> {
    documents.iter().map(|it| (text(it, "name"), it)).collect()
}

/// Refuses a company that is out of reach or not there: the lists of one that is not there are empty.
pub(super) async fn company(site: &ErpSite, name: &str) -> Result<(), ErpError> {
    site.reach.company(name)?;
    let meta = site.readable_type("Company").await?;
    let filters = vec![json!(["name", "=", name])];
    let found = documents(site, &meta, &["name"], filters, "name asc").await?;
    // The database finds a name in any case.
    if found.iter().any(|it| text(it, "name") == name) {
        Ok(())
    } else {
        Err(ErpError::input(readings::NO_SUCH_COMPANY))
    }
}
