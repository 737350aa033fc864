//! Links of a document: each names one that exists and may be used, in its exact case.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::join_all;
use serde_json::{Value, json};

use super::rows_in;
use crate::{
    error::{ErpError, RefusalKind},
    meta::{MetaField, MetaFieldKind, TypeMeta},
    site::{Document, ErpSite, ListQuery},
    texts::draft as say,
};

/// Checks every link, one request for each type. Returns those that this user may not check.
pub(crate) async fn check_links(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
) -> Result<Vec<String>, ErpError> {
    let links = links_of(meta, document);
    let checks = links
        .iter()
        .map(|(doctype, names)| check(site, doctype, names));
    let mut unchecked = Vec::new();
    for checked in join_all(checks).await {
        unchecked.extend(checked?);
    }
    Ok(unchecked)
}

/// The things that a document links to, as a policy names them.
pub(crate) fn linked_objects(meta: &TypeMeta, document: &Document) -> Vec<String> {
    let links = links_of(meta, document).into_iter();
    let objects = links.flat_map(|(doctype, names)| {
        let names = names.into_iter();
        names.map(move |name| format!("{doctype}/{name}").to_lowercase())
    });
    objects.collect()
}

fn links_of(meta: &TypeMeta, document: &Document) -> LinkNames {
    let mut links = BTreeMap::new();
    collect(&meta.fields, document, &mut links);
    for table in meta.table_fields() {
        let columns = meta.rows_of(table).unwrap_or_default();
        let rows = rows_in(document, &table.name);
        for row in rows.iter().filter_map(Value::as_object) {
            collect(columns, row, &mut links);
        }
    }
    links
}

type LinkNames = BTreeMap<String, BTreeSet<String>>;

fn collect(fields: &[MetaField], values: &Document, links: &mut LinkNames) {
    let text = |name: &str| {
        values
            .get(name)
            .and_then(Value::as_str)
            .filter(|it| !it.is_empty())
    };
    for field in fields {
        let doctype = match field.kind {
            MetaFieldKind::Link => Some(field.options.as_str()),
            MetaFieldKind::DynamicLink => text(&field.options),
            _ => None,
        };
        if let Some((doctype, name)) = doctype.zip(text(&field.name)) {
            links
                .entry(doctype.to_owned())
                .or_default()
                .insert(name.to_owned());
        }
    }
}

/// The type itself, if the links to it cannot be checked.
async fn check(
    site: &ErpSite,
    doctype: &str,
    names: &BTreeSet<String>,
) -> Result<Option<String>, ErpError> {
    if doctype == "DocType" {
        // Its list is for System Managers; that a type is there, its metadata says.
        for name in names {
            site.any_type(name).await?;
        }
        return Ok(None);
    }
    let meta = match site.readable_type(doctype).await {
        Ok(meta) => meta,
        // A type that is never read here, such as User, is checked by the ERP.
        Err(ErpError::Own(_)) => return Ok(Some(doctype.to_owned())),
        Err(error) => return Err(error),
    };
    let flags = ["disabled", "enabled", "has_variants"];
    let flags = flags.into_iter().filter(|it| meta.field(it).is_some());
    let query = ListQuery {
        doctype,
        fields: ["name"]
            .into_iter()
            .chain(flags)
            .map(|it| json!(it))
            .collect(),
        filters: vec![json!(["name", "in", names])],
        order: "name asc".to_owned(),
        limit: names.len() * 2,
        ..ListQuery::default()
    };
    let found = match site.list(&meta, query).await {
        Ok(found) => found.rows,
        Err(error) if error.kind() == Some(RefusalKind::Permission) => {
            return Ok(Some(doctype.to_owned()));
        }
        Err(error) => return Err(error),
    };
    for name in names {
        let exact = found
            .iter()
            .find(|row| row.get("name").and_then(Value::as_str) == Some(name.as_str()));
        let Some(row) = exact else {
            let alike = found.iter().filter_map(|row| row.get("name")?.as_str());
            let alike = alike
                .clone()
                .find(|it| it.to_lowercase() == name.to_lowercase());
            return Err(ErpError::input(say::no_such_link(doctype, name, alike)));
        };
        let is = |flag: &str, on: bool| {
            let value = row.get(flag);
            value.is_some_and(|it| *it == i32::from(on) || *it == on)
        };
        if is("disabled", true) || is("enabled", false) {
            return Err(ErpError::input(say::is_disabled(doctype, name)));
        }
        if is("has_variants", true) {
            return Err(ErpError::input(say::is_template(doctype, name)));
        }
    }
    Ok(None)
}
