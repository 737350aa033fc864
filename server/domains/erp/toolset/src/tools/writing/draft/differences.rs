//! The differences between what a call asked for and what the ERP stored.

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::rows_in;
use crate::{
    cell,
    decimal::decimal,
    meta::{MetaField, TypeMeta},
    site::Document,
};

/// The differences between what was asked for and what the ERP stored.
pub(crate) fn differences(meta: &TypeMeta, wanted: &Document, stored: &Document) -> Vec<Value> {
    let mut found = Vec::new();
    compare("", &meta.fields, wanted, stored, &mut found);
    for table in meta.table_fields() {
        let columns = meta.rows_of(table).unwrap_or_default();
        let (wanted, stored) = (rows_in(wanted, &table.name), rows_in(stored, &table.name));
        if !wanted.is_empty() && wanted.len() != stored.len() {
            let (requested, has) = (wanted.len(), stored.len());
            found.push(
                json!({ "field": table.name, "requested_rows": requested, "stored_rows": has }),
            );
        }
        for (index, (wanted, stored)) in wanted.iter().zip(stored).enumerate() {
            if let (Some(wanted), Some(stored)) = (wanted.as_object(), stored.as_object()) {
                let path = format!("{}[{}].", table.name, index + 1);
                compare(&path, columns, wanted, stored, &mut found);
            }
        }
    }
    found
}

fn compare(
    path: &str,
    fields: &[MetaField],
    wanted: &Document,
    stored: &Document,
    found: &mut Vec<Value>,
) {
    for field in fields.iter().filter(|field| !field.kind.is_table()) {
        let Some(requested) = wanted.get(&field.name) else {
            continue;
        };
        let has = stored.get(&field.name).unwrap_or(&Value::Null);
        if !is_same(requested, has) {
            let name = format!("{path}{}", field.name);
            let has = cell::cell(Some(field), has, cell::IN_LIST);
            found.push(json!({ "field": name, "requested": requested, "stored": has }));
        }
    }
}

/// True if two values are the same to the ERP: 1 and 1.0, a text and its form without space, an
/// empty one and none.
pub(crate) fn is_same(a: &Value, b: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let number = |value: &Value| match value {
        Value::Bool(flag) => Some(Decimal::from(u8::from(*flag))),
        other => decimal(other),
    };
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a == b,
        // The ERP fills a number that is emptied with zero.
        (Some(number), None) if b.is_null() => number.is_zero(),
        (None, Some(number)) if a.is_null() => number.is_zero(),
        _ => text(a) == text(b),
    }
}
