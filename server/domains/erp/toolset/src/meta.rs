//! The live metadata of a type: its fields, tables, rights and workflow, as the site has them.
//!
//! Fields differ from site to site, so nothing about them is compiled in as certain.

mod cache;
mod field;
mod parse;
mod rights;
mod workflow;

use std::collections::BTreeMap;

pub(crate) use self::{
    cache::TypeCache,
    field::{MetaField, MetaFieldKind, standard_field},
    rights::{TypeRight, TypeRights},
    workflow::{WorkflowMeta, WorkflowTransition},
};

/// A type of document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TypeMeta {
    pub(crate) name: String,
    pub(crate) is_submittable: bool,
    /// True for the type of the rows of a table, which is never read or written directly.
    pub(crate) is_table: bool,
    pub(crate) is_single: bool,
    /// The rule for the names of new documents.
    pub(crate) autoname: String,
    pub(crate) title_field: Option<String>,
    pub(crate) fields: Vec<MetaField>,
    /// The fields of the types of its tables.
    pub(crate) tables: BTreeMap<String, Vec<MetaField>>,
    permissions: Vec<rights::PermissionRow>,
    pub(crate) workflow: Option<WorkflowMeta>,
}

impl TypeMeta {
    /// The type out of an answer of the site, for tests.
    #[cfg(test)]
    pub(crate) fn of(docs: &serde_json::Value) -> Option<Self> {
        parse::read(docs)
    }

    /// A field of its own, or one that every document has.
    pub(crate) fn field(&self, name: &str) -> Option<&MetaField> {
        let own = self.fields.iter().find(|field| field.name == name);
        own.or_else(|| standard_field(name))
    }

    /// The fields of the rows of one of its tables.
    pub(crate) fn rows_of(&self, table: &MetaField) -> Option<&[MetaField]> {
        self.tables.get(&table.options).map(Vec::as_slice)
    }

    /// Its tables.
    pub(crate) fn table_fields(&self) -> impl Iterator<Item = &MetaField> {
        self.fields.iter().filter(|field| field.kind.is_table())
    }

    /// The columns of its own lists: a name, a title, what the site shows in lists, and the state.
    pub(crate) fn list_columns(&self) -> Vec<&str> {
        const MOST: usize = 12;
        let mut columns = vec!["name"];
        let mut add = |name| {
            if !columns.contains(&name) && columns.len() < MOST {
                columns.push(name);
            }
        };
        let shown = |field: &&MetaField| {
            field.in_list_view && field.permlevel == 0 && field.kind.holds_value()
        };
        self.title_field.iter().for_each(|field| {
            if self.fields.iter().any(|it| it.name == *field) {
                add(field);
            }
        });
        self.fields
            .iter()
            .filter(shown)
            .for_each(|it| add(&it.name));
        for usual in [
            "status",
            "workflow_state",
            "posting_date",
            "transaction_date",
            "grand_total",
            "currency",
            "company",
        ] {
            if let Some(field) = self.fields.iter().find(|it| it.name == usual) {
                add(&field.name);
            }
        }
        if self.is_submittable {
            add("docstatus");
        }
        add("modified");
        columns
    }

    /// The rights of somebody with these roles.
    pub(crate) fn rights(&self, roles: &[String]) -> TypeRights {
        TypeRights::of(&self.permissions, roles)
    }

    /// Names and labels of fields that look like a name, for an error.
    pub(crate) fn similar(&self, name: &str) -> Vec<&str> {
        let wanted: Vec<_> = name.split('_').filter(|part| part.len() > 2).collect();
        let alike = |field: &&MetaField| {
            let label = field.label.to_lowercase();
            wanted
                .iter()
                .any(|it| field.name.contains(it) || label.contains(it))
        };
        let fields = self.fields.iter().filter(|it| it.kind.holds_value());
        fields
            .filter(alike)
            .map(|it| it.name.as_str())
            .take(5)
            .collect()
    }
}
