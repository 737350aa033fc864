//! The parts of a card that say what a document is, or what changes in it.

use protocol::{CardSection, DiffLine, Fact, LineChange};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    changes::ChangedTable,
    differences::is_same,
    rows_in,
    totals::{TOTALS, TotalsOf, taxes_and_totals},
};
use crate::tools::writing::{
    acting::{field_label, label},
    cells::{CardCell, CardColumn, CardValues, table},
};
use crate::{
    decimal::decimal,
    meta::{MetaField, MetaFieldKind, TypeMeta},
    plain_text::plain,
    site::Document,
    texts::draft as say,
};

/// Columns that tell most about a row, of those that a mapped document has.
const TELLING: [&str; 14] = [
    "item_code",
    "qty",
    "uom",
    "rate",
    "discount_percentage",
    "amount",
    "warehouse",
    "s_warehouse",
    "t_warehouse",
    "schedule_date",
    "reference_doctype",
    "reference_name",
    "outstanding_amount",
    "allocated_amount",
];
/// Columns with sums.
const SUMMED: [&str; 11] = [
    "allocated_amount",
    "amount",
    "base_amount",
    "billing_amount",
    "billing_hours",
    "closing_amount",
    "difference",
    "expected_amount",
    "grand_total",
    "opening_amount",
    "tax_amount",
];
/// Set by the ERP to the time of each request.
const VOLATILE: [&str; 2] = ["posting_time", "modified"];
/// The most characters of a value before a change.
const BEFORE: usize = 600;

/// The other party of a document.
pub(crate) fn party(document: &Document) -> Option<&str> {
    let mut names = ["customer", "supplier", "party_name", "party"].into_iter();
    // `party_name` of a payment is no link, but the same name.
    names.find_map(|name| document.get(name)?.as_str().filter(|it| !it.is_empty()))
}

/// Every field and row of a document, each by its label. The document is short: it is what a call
/// gave.
pub(crate) fn content(values: CardValues<'_>) -> Vec<CardSection> {
    let CardValues { meta, document, .. } = values;
    let fields = document.iter().filter(|(_, value)| !value.is_array());
    let fields = fields
        .map(|(name, value)| fact(values, name, value))
        .collect();
    let title = say::FIELDS.to_owned();
    let mut sections = vec![CardSection::Fields { title, fields }];
    let tables = meta.table_fields();
    sections.extend(tables.filter_map(|table| {
        let rows = rows_in(document, &table.name);
        let columns = meta.rows_of(table).unwrap_or_default().iter();
        let used = columns.filter(|it| rows.iter().any(|row| row.get(&it.name).is_some()));
        rows_section(values, table, &used.collect::<Vec<_>>(), rows)
    }));
    sections
}

/// The document as the ERP maps it: the fields that matter, its rows, its taxes and its totals.
pub(crate) fn mapped_content(
    values: CardValues<'_>,
    given: &Document,
    of: TotalsOf,
) -> Vec<CardSection> {
    let CardValues { meta, document, .. } = values;
    let is_telling = |name: &str| {
        let field = meta.field(name);
        given.contains_key(name)
            || field.is_some_and(|it| it.is_mandatory || it.kind == MetaFieldKind::Date)
            || matches!(
                name,
                "customer" | "supplier" | "party_type" | "party" | "paid_from" | "paid_to"
            )
    };
    let is_total = |name: &str| TOTALS.contains(&name);
    let fields = document.iter().filter(|(name, value)| {
        !value.is_array() && !is_empty(value) && is_telling(name) && !is_total(name)
    });
    let fields = fields
        .map(|(name, value)| fact(values, name, value))
        .collect();
    let title = say::FIELDS.to_owned();
    let mut sections = vec![CardSection::Fields { title, fields }];
    let tables = meta.table_fields().filter(|it| it.name != "taxes");
    for table in tables {
        let rows = rows_in(document, &table.name);
        let columns = meta.rows_of(table).unwrap_or_default();
        let has = |name: &str| {
            let mut values = rows.iter().filter_map(|row| row.get(name));
            values.any(|value| !is_empty(value) && decimal(value) != Some(Decimal::ZERO))
        };
        let mut used: Vec<_> = columns
            .iter()
            .filter(|it| TELLING.contains(&&*it.name) && has(&it.name))
            .collect();
        if used.is_empty() {
            let listed = columns.iter().filter(|it| it.in_list_view && has(&it.name));
            used = listed.collect();
        }
        sections.extend(rows_section(values, table, &used, rows));
    }
    sections.extend(taxes_and_totals(values, of));
    sections
}

/// A digest of all that a mapped document says, but for what changes by itself: stocks, names in
/// other fields, the time of day.
pub(crate) fn facts_of(meta: &TypeMeta, document: &Document) -> String {
    let kept = |fields: &[MetaField], values: &Document| {
        let fields = fields.iter().filter(|it| {
            (!it.is_read_only || TOTALS.contains(&&*it.name) || SUMMED.contains(&&*it.name))
                && !it.kind.is_table()
                && !VOLATILE.contains(&&*it.name)
        });
        let values = fields.filter_map(|it| Some((it.name.clone(), values.get(&it.name)?)));
        json!(values.filter(|(_, it)| !it.is_null()).collect::<Vec<_>>())
    };
    let tables = meta.table_fields().map(|table| {
        let columns = meta.rows_of(table).unwrap_or_default();
        let rows = rows_in(document, &table.name).iter();
        let rows = rows
            .filter_map(Value::as_object)
            .map(|row| kept(columns, row));
        json!([table.name, rows.collect::<Vec<_>>()])
    });
    let tables: Vec<_> = tables.collect();
    let text = json!([kept(&meta.fields, document), tables]).to_string();
    let bytes = Sha256::digest(text.as_bytes());
    let hex = bytes.iter().take(16).map(|byte| format!("{byte:02x}"));
    hex.collect()
}

/// The lines of a change: each value before and after, rows added and removed.
pub(crate) fn change_lines(
    values: CardValues<'_>,
    fields: &Document,
    tables: &[ChangedTable],
) -> Vec<DiffLine> {
    let CardValues {
        meta,
        document: before,
        ..
    } = values;
    // A change of the currency is one of every amount.
    let mut after = before.clone();
    after.extend(fields.clone());
    let then = values.of(&after);
    let mut lines = Vec::new();
    for (name, value) in fields {
        let old = before.get(name).unwrap_or(&Value::Null);
        let cells = [values.own(name, old), then.own(name, value)];
        changed(&label(meta, name), [old, value], cells, &mut lines);
    }
    for ChangedTable { table, rows, .. } in tables {
        let field = meta.table_fields().find(|it| it.name == *table);
        let columns = field.and_then(|it| meta.rows_of(it)).unwrap_or_default();
        let title = label(meta, table);
        let old = rows_in(before, table);
        let same = |row: &Value, list: &[Value]| {
            let name = row.get("name").filter(|it| it.is_string())?;
            list.iter().position(|it| it.get("name") == Some(name))
        };
        for (index, row) in old.iter().enumerate() {
            let place = say::row(&title, index + 1, row["item_code"].as_str());
            match same(row, rows) {
                None => {
                    let told = told(values, columns, row);
                    lines.push(line(LineChange::Removed, &place, &told));
                }
                Some(at) => {
                    for column in columns {
                        let new = &rows[at];
                        let place = say::cell(&place, &field_label(column));
                        let of = |row: &Value| row.get(&column.name).cloned().unwrap_or_default();
                        let cells = [
                            cell(values, columns, column, row),
                            cell(then, columns, column, new),
                        ];
                        changed(&place, [&of(row), &of(new)], cells, &mut lines);
                    }
                }
            }
        }
        for row in rows.iter().filter(|row| same(row, old).is_none()) {
            let place = say::new_row(&title);
            let told = told(then, columns, row);
            lines.push(line(LineChange::Added, &place, &told));
        }
    }
    lines
}

fn changed(
    place: &str,
    [old, new]: [&Value; 2],
    [before, after]: [CardCell; 2],
    lines: &mut Vec<DiffLine>,
) {
    if is_same(old, new) {
        return;
    }
    // What is there may have markup and any length; what is to come is shown whole.
    let before = match before {
        CardCell::Text(text) => plain(&text, BEFORE),
        other => other.whole(),
    };
    lines.push(line(LineChange::Removed, place, &before));
    lines.push(line(LineChange::Added, place, &after.whole()));
}

fn line(change: LineChange, place: &str, value: &str) -> DiffLine {
    let value = if value.is_empty() { say::EMPTY } else { value };
    DiffLine {
        change,
        text: format!("{place}: {value}"),
    }
}

/// The values of a row in one line.
fn told(values: CardValues<'_>, columns: &[MetaField], row: &Value) -> String {
    let cells = columns.iter().filter(|it| it.kind.holds_value());
    let cells = cells.filter(|it| row.get(&it.name).is_some_and(|value| !is_empty(value)));
    let cells = cells.map(|it| {
        let value = cell(values, columns, it, row).whole();
        format!("{} {value}", field_label(it))
    });
    cells.collect::<Vec<_>>().join(", ")
}

fn fact(values: CardValues<'_>, name: &str, value: &Value) -> Fact {
    Fact {
        label: label(values.meta, name),
        value: values.own(name, value).whole(),
    }
}

fn cell(
    values: CardValues<'_>,
    columns: &[MetaField],
    column: &MetaField,
    row: &Value,
) -> CardCell {
    let row = row.as_object();
    row.map_or_else(CardCell::nothing, |row| values.of_row(row, columns, column))
}

fn rows_section(
    values: CardValues<'_>,
    of: &MetaField,
    used: &[&MetaField],
    rows: &[Value],
) -> Option<CardSection> {
    let columns = values.meta.rows_of(of).unwrap_or_default();
    let heads = used.iter().map(|it| {
        let is_summed = SUMMED.contains(&&*it.name);
        CardColumn::new(field_label(it), it.kind.is_number()).summed(is_summed)
    });
    let line = |row: &Value| {
        used.iter()
            .map(|it| cell(values, columns, it, row))
            .collect()
    };
    let rows: Vec<Vec<_>> = rows.iter().map(line).collect();
    let heads: Vec<_> = heads.collect();
    // What is to be made is shown whole.
    table(&field_label(of), &heads, &rows, usize::MAX)
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}
