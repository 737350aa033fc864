//! Fields and rows as calls give them: lists of names and values, because a schema must be closed.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A field and its value.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldValue {
    #[schemars(regex(pattern = r"^[a-z_][a-z0-9_]{0,139}$"))]
    pub(crate) field: String,
    #[schemars(schema_with = "one_value")]
    pub(crate) value: Value,
}

/// Rows of a table.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableRows {
    #[schemars(regex(pattern = r"^[a-z_][a-z0-9_]{0,139}$"))]
    pub(crate) table: String,
    #[schemars(length(min = 1, max = 100))]
    pub(crate) rows: Vec<NewRow>,
}

/// A new row of a table.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRow {
    #[schemars(length(min = 1, max = 40))]
    pub(crate) fields: Vec<FieldValue>,
}

/// A change of a row.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftRowChange {
    /// Such as "items".
    #[schemars(regex(pattern = r"^[a-z_][a-z0-9_]{0,139}$"))]
    pub(crate) table: String,
    pub(crate) action: RowAction,
    /// The row's name, to change or remove it.
    #[serde(default)]
    #[schemars(length(max = 140))]
    pub(crate) row: Option<String>,
    /// Its new values.
    #[serde(default)]
    #[schemars(length(max = 40))]
    pub(crate) fields: Vec<FieldValue>,
}

/// The way in which a row changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RowAction {
    Add,
    Change,
    Remove,
}

/// A row of the source with the quantity to take over.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceRow {
    /// The row's name in the source document.
    #[schemars(length(min = 1, max = 140))]
    pub(crate) source_row: String,
    #[schemars(schema_with = "a_quantity")]
    pub(crate) qty: Value,
}

fn one_value(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "number", "boolean"] })
}

// Read as JSON, so that a quantity is never a floating-point number.
fn a_quantity(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "number", "exclusiveMinimum": 0 })
}

/// The parts of an input that rules look at, whichever tool it is for.
#[derive(Debug, Default)]
pub(crate) struct DraftInput<'a> {
    pub(crate) doctype: &'a str,
    pub(crate) fields: &'a [FieldValue],
    pub(crate) rows: Vec<InputRow<'a>>,
    /// True if it changes a document that is submitted.
    pub(crate) is_of_submitted: bool,
}

/// The input of a tool that makes or changes a draft.
pub(crate) trait DraftCall: DeserializeOwned {
    /// The part of the input that rules check.
    fn draft(&self) -> DraftInput<'_>;
}

/// A row of an input.
#[derive(Debug)]
pub(crate) struct InputRow<'a> {
    pub(crate) table: &'a str,
    pub(crate) action: RowAction,
    pub(crate) fields: &'a [FieldValue],
}

impl<'a> DraftInput<'a> {
    pub(crate) fn new(doctype: &'a str, fields: &'a [FieldValue]) -> Self {
        Self {
            doctype,
            fields,
            ..Self::default()
        }
    }

    #[must_use]
    pub(crate) fn with_tables(mut self, tables: &'a [TableRows]) -> Self {
        let rows = tables.iter().flat_map(|of| {
            of.rows.iter().map(|row| InputRow {
                table: &of.table,
                action: RowAction::Add,
                fields: &row.fields,
            })
        });
        self.rows.extend(rows);
        self
    }

    #[must_use]
    pub(crate) fn with_changes(mut self, changes: &'a [DraftRowChange]) -> Self {
        let rows = changes.iter().map(|it| InputRow {
            table: &it.table,
            action: it.action,
            fields: &it.fields,
        });
        self.rows.extend(rows);
        self
    }

    /// Leaves out tables that the ERP's form fills: a call chooses nothing in them.
    #[must_use]
    pub(crate) fn without(mut self, tables: &[&str]) -> Self {
        self.rows.retain(|row| !tables.contains(&row.table));
        self
    }

    /// All fields of the document and of its rows.
    pub(crate) fn all_fields(&self) -> impl Iterator<Item = &'a FieldValue> {
        let rows = self.rows.iter().flat_map(|row| row.fields);
        self.fields.iter().chain(rows)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        let found = self.fields.iter().find(|it| it.field == name)?;
        found.value.as_str()
    }
}
