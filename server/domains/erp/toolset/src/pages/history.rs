//! Part `history`: versions, comments and steps of a document, as the site recorded them.

use erp_wire::{ChangedField, DocumentHistory, HistoryEntry};
use jiff::tz::TimeZone;
use serde_json::Value;

use super::{OpenedDocument, document::label};
use crate::{
    cell, client::ErpMethod, error::ErpError, meta::TypeMeta, plain_text::plain, shown,
    site::ErpSite, texts::pages as say,
};

/// The most changes of one version that are shown.
const MOST_CHANGES: usize = 40;
/// Versions that the site answers with; it may have older ones.
const VERSIONS: usize = 10;

pub(super) async fn page(
    site: &ErpSite,
    opened: &OpenedDocument,
) -> Result<DocumentHistory, ErpError> {
    let OpenedDocument { meta, document, at } = opened;
    let zone = site.identity().await?.time_zone.clone();
    let parameters = [
        ("doctype", meta.name.clone()),
        ("name", opened.name().to_owned()),
    ];
    let answer = site.method(ErpMethod::DocumentInfo, &parameters).await?;
    let list = |name: &str| answer.data[name].as_array().into_iter().flatten();
    let mut entries: Vec<_> = list("versions")
        .filter_map(|version| of_version(meta, version, &zone))
        .collect();
    for (name, kind) in [
        ("comments", "comment"),
        ("workflow_logs", "workflow"),
        ("info_logs", "info"),
    ] {
        entries.extend(list(name).map(|comment| of_comment(kind, comment, &zone)));
    }
    entries.push(HistoryEntry {
        at: shown::known_moment(document.get("creation"), &zone),
        by: opened.text("owner").unwrap_or_default().to_owned(),
        kind: "created".to_owned(),
        text: String::new(),
        changes: Vec::new(),
    });
    // Stable, so what happened at the same time keeps its order.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.at.value().copied()));
    let is_cut = list("versions").count() >= VERSIONS;
    Ok(DocumentHistory {
        entries,
        notes: is_cut
            .then(|| say::ONLY_NEWEST_VERSIONS.to_owned())
            .into_iter()
            .collect(),
        at: *at,
    })
}

fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value[field].as_str().filter(|text| !text.is_empty())
}

fn of_comment(kind: &str, comment: &Value, zone: &TimeZone) -> HistoryEntry {
    // The name in a comment is what its writer said; the owner is who wrote it.
    let by = text(comment, "owner").or_else(|| text(comment, "comment_email"));
    HistoryEntry {
        at: shown::known_moment(comment.get("creation"), zone),
        by: by.unwrap_or_default().to_owned(),
        kind: kind.to_owned(),
        text: plain(
            text(comment, "content").unwrap_or_default(),
            cell::IN_DOCUMENT,
        ),
        changes: Vec::new(),
    }
}

/// The changes of a version: of fields, of rows, rows that came and went. None if it has none.
fn of_version(meta: &TypeMeta, version: &Value, zone: &TimeZone) -> Option<HistoryEntry> {
    let data = match &version["data"] {
        Value::String(text) => serde_json::from_str(text).ok()?,
        data => data.clone(),
    };
    let named = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        meta.field(name).map_or_else(|| name.to_owned(), label)
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut kind = "changed";
    let mut changes = Vec::new();
    for change in list(&data["changed"]) {
        if change[0] == "docstatus" {
            kind = match change[2].as_i64() {
                Some(1) => "submitted",
                Some(2) => "cancelled",
                _ => kind,
            };
            continue;
        }
        changes.push(changed(named(&change[0]), &change[1], &change[2]));
    }
    for row in list(&data["row_changed"]) {
        let place = row[1].as_i64().map_or(0, |at| at + 1).to_string();
        for change in list(&row[3]) {
            let field = field_of_row(meta, &row[0], &change[0]);
            let label = say::in_row(&named(&row[0]), &place, &field);
            changes.push(changed(label, &change[1], &change[2]));
        }
    }
    for (list_name, word) in [("added", say::ROW_ADDED), ("removed", say::ROW_REMOVED)] {
        for row in list(&data[list_name]) {
            changes.push(ChangedField {
                label: say::with_row(word, &named(&row[0])),
                before: String::new(),
                after: String::new(),
            });
        }
    }
    changes.truncate(MOST_CHANGES);
    (kind != "changed" || !changes.is_empty()).then(|| HistoryEntry {
        at: shown::known_moment(version.get("creation"), zone),
        by: text(version, "owner").unwrap_or_default().to_owned(),
        kind: kind.to_owned(),
        text: String::new(),
        changes,
    })
}

fn field_of_row(meta: &TypeMeta, table: &Value, field: &Value) -> String {
    let name = field.as_str().unwrap_or_default();
    let table = table.as_str().and_then(|table| meta.field(table));
    let columns = table.and_then(|table| meta.rows_of(table));
    let mut columns = columns.unwrap_or_default().iter();
    let found = columns.find(|column| column.name == name);
    found.map_or_else(|| name.to_owned(), label)
}

fn changed(label: String, before: &Value, after: &Value) -> ChangedField {
    let shown = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => plain(text, cell::IN_LIST),
        other => plain(&other.to_string(), cell::IN_LIST),
    };
    ChangedField {
        label,
        before: shown(before),
        after: shown(after),
    }
}
