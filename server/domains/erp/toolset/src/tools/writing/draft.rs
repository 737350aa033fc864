//! Documents before they are sent: every name and value checked against the live metadata, so that
//! nothing in them is dropped, coerced or reset without a word.

mod card;
mod changes;
mod creation;
mod demands;
mod differences;
mod input;
mod linked_currency;
mod links;
mod mapping;
mod open_drafts;
mod rules;
mod search;
mod totals;

use serde_json::{Map, Value};

use crate::{
    check::stored,
    error::ErpError,
    meta::{MetaField, TypeMeta, TypeRights},
    reach::company_field,
    site::{Document, ErpSite},
    texts::draft as say,
};

pub(crate) use self::{
    card::{change_lines, content, facts_of, mapped_content, party},
    changes::{ChangedTable, apply, asked_for},
    creation::{DraftTrace, NewDraft, reconcile},
    demands::demand_reference,
    differences::{differences, is_same},
    input::{DraftCall, DraftInput, DraftRowChange, FieldValue, SourceRow, TableRows},
    linked_currency::with_linked_currency,
    links::{check_links, linked_objects},
    mapping::{MapTarget, mapped, narrowed, part_paid},
    open_drafts::{
        DraftSource, draft_name, drafts_reason, drafts_section, drafts_sentence, open_drafts,
    },
    rules::{all_reasons, assess, objects, reasons, tier},
    totals::{TotalsOf, amounts_anew, estimate, taxes_and_totals, totals},
};

/// Fields that decide what a document is rather than what it says.
const RESERVED: [&str; 15] = [
    "amended_from",
    "creation",
    "docstatus",
    "doctype",
    "flags",
    "idx",
    "modified",
    "modified_by",
    "name",
    "owner",
    "parent",
    "parentfield",
    "parenttype",
    "workflow_state",
    "__islocal",
];

/// True for a field that a call may never set.
pub(crate) fn is_reserved(field: &str) -> bool {
    RESERVED.contains(&field) || field.starts_with('_')
}

/// The document or row that values are for, as it is stored.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CopyBefore<'a> {
    /// None is stored.
    New,
    Draft(&'a Document),
    Submitted(&'a Document),
}

/// Checks of the values of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldCheck<'a> {
    /// None if they are not known: then the ERP decides.
    pub(crate) rights: Option<&'a TypeRights>,
    /// The field with the id of the call, which no call sets.
    pub(crate) key: Option<&'a str>,
    /// Fields and tables that people cannot fill, but that the ERP's own form does. They are those of a
    /// tool that does what the form does, never those of a call.
    form: &'a [&'a str],
}

impl<'a> FieldCheck<'a> {
    pub(crate) fn new(site: &'a ErpSite, rights: Option<&'a TypeRights>) -> Self {
        Self {
            rights,
            key: site.config.key_field.as_deref(),
            form: &[],
        }
    }

    /// The same for a document that a form of the ERP fills.
    #[must_use]
    pub(crate) fn filling(self, form: &'a [&'a str]) -> Self {
        Self { form, ..self }
    }

    /// A table that a call may write, with its columns.
    pub(crate) fn table_of<'m>(
        &self,
        meta: &'m TypeMeta,
        table: &str,
    ) -> Result<(&'m MetaField, &'m [MetaField]), ErpError> {
        let field = meta.table_fields().find(|it| it.name == table);
        let found = field.and_then(|field| Some((field, meta.rows_of(field)?)));
        let (field, columns) =
            found.ok_or_else(|| ErpError::input(say::no_such_table(table, &meta.name)))?;
        if field.is_read_only && !self.form.contains(&table) {
            return Err(ErpError::input(say::read_only(table)));
        }
        Ok((field, columns))
    }

    /// The values as they are sent.
    pub(crate) fn values(
        &self,
        of: &str,
        fields: &[MetaField],
        wanted: &[FieldValue],
        before: CopyBefore<'_>,
    ) -> Result<Map<String, Value>, ErpError> {
        let mut values = Map::new();
        for FieldValue { field: name, value } in wanted {
            if is_reserved(name) || self.key == Some(name) {
                return Err(ErpError::input(say::reserved(name)));
            }
            let field = fields.iter().find(|it| it.name == *name);
            let field = field.ok_or_else(|| ErpError::input(say::no_such_field(name, of)))?;
            self.field(field, before)?;
            let value = self.value(field, value, before)?;
            if values.insert(name.clone(), value).is_some() {
                return Err(ErpError::input(say::given_twice(name)));
            }
        }
        Ok(values)
    }

    /// Refuses a field whose value would not stay.
    fn field(&self, field: &MetaField, before: CopyBefore<'_>) -> Result<(), ErpError> {
        let name = &field.name;
        let refuse = |why: String| Err(ErpError::input(why));
        if field.kind.is_table() {
            return refuse(say::is_table(name));
        }
        if !field.is_writable() && !self.form.contains(&name.as_str()) {
            return refuse(match &field.fetch_from {
                Some(from) if !field.is_read_only => say::overwritten(name, from),
                _ => say::read_only(name),
            });
        }
        self.level(field)?;
        match before {
            CopyBefore::Submitted(_) if !field.allows_change_after_submit => {
                refuse(say::not_after_submit(name))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a field above the user's level, which the ERP would reset.
    pub(crate) fn level(&self, field: &MetaField) -> Result<(), ErpError> {
        let level = field.permlevel;
        let is_reset = |it: &TypeRights| level > 0 && !it.writes_level(level);
        if self.rights.is_some_and(is_reset) {
            return Err(ErpError::input(say::reset(&field.name, level)));
        }
        Ok(())
    }

    fn value(
        &self,
        field: &MetaField,
        value: &Value,
        before: CopyBefore<'_>,
    ) -> Result<Value, ErpError> {
        let (CopyBefore::Draft(document) | CopyBefore::Submitted(document)) = before else {
            return stored(field, value);
        };
        let is_emptied = value.as_str() == Some("");
        if is_emptied && field.is_mandatory {
            return Err(ErpError::input(say::is_mandatory(&field.name)));
        }
        let value = if is_emptied {
            Value::Null
        } else {
            stored(field, value)?
        };
        let old = document.get(&field.name).unwrap_or(&Value::Null);
        let is_empty = old.is_null() || old.as_str() == Some("");
        if field.is_set_once && !is_empty && !is_same(old, &value) {
            return Err(ErpError::input(say::is_set_once(&field.name)));
        }
        Ok(value)
    }
}

/// The new document, with nothing in it that Frappe would drop, coerce or reset.
pub(crate) fn new_document(
    site: &ErpSite,
    meta: &TypeMeta,
    check: FieldCheck<'_>,
    fields: &[FieldValue],
    tables: &[TableRows],
) -> Result<Document, ErpError> {
    if meta.is_single {
        return Err(ErpError::input(say::is_single(&meta.name)));
    }
    let mut document = check.values(&meta.name, &meta.fields, fields, CopyBefore::New)?;
    for TableRows { table, rows } in tables {
        let (field, columns) = check.table_of(meta, table)?;
        check.level(field)?;
        let rows = rows.iter().map(|row| {
            // The rights of the levels are those of the document's own type.
            let row = check.values(table, columns, &row.fields, CopyBefore::New);
            row.map(Value::Object)
        });
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        if document.insert(table.clone(), Value::Array(rows)).is_some() {
            return Err(ErpError::input(say::given_twice(table)));
        }
    }
    if company_field(meta) == Some("company") {
        match document.get("company").and_then(Value::as_str) {
            Some(company) => site.reach.company(company)?,
            // The ERP would take the default of its user, which nobody has seen.
            None => return Err(ErpError::input(say::needs_company(&meta.name))),
        }
    }
    Ok(document)
}

/// The values that a copy takes over: not what only the ERP sets, and never the id of a call.
pub(crate) fn copied(fields: &[MetaField], key: Option<&str>, values: &Document) -> Document {
    let fields = fields.iter().filter(|it| {
        let is_of_state = it.is_not_copied && it.is_read_only;
        it.kind.holds_value() && !is_of_state && !is_reserved(&it.name) && key != Some(&it.name)
    });
    let values = fields.filter_map(|it| {
        let value = values.get(&it.name).filter(|it| !it.is_null())?;
        Some((it.name.clone(), value.clone()))
    });
    values.collect()
}

/// The rows of a table in a document.
pub(crate) fn rows_in<'a>(document: &'a Document, table: &str) -> &'a [Value] {
    let rows = document.get(table).and_then(Value::as_array);
    rows.map(Vec::as_slice).unwrap_or_default()
}
