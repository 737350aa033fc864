//! Types of documents: fields, naming and rights, as tables in our own words.

mod accounts;
mod buying;
mod core;
mod industries;
mod ledgers;
mod making;
mod parties;
mod selling;
mod shared;
mod stock;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::cell::{SimCell, SimFields};

/// Kind of a field, in Frappe's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Data,
    Link,
    DynamicLink,
    Select,
    Int,
    Float,
    Currency,
    Percent,
    Check,
    Date,
    Datetime,
    Time,
    SmallText,
    TextEditor,
    Table,
    Password,
}

impl FieldKind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Data => "Data",
            Self::Link => "Link",
            Self::DynamicLink => "Dynamic Link",
            Self::Select => "Select",
            Self::Int => "Int",
            Self::Float => "Float",
            Self::Currency => "Currency",
            Self::Percent => "Percent",
            Self::Check => "Check",
            Self::Date => "Date",
            Self::Datetime => "Datetime",
            Self::Time => "Time",
            Self::SmallText => "Small Text",
            Self::TextEditor => "Text Editor",
            Self::Table => "Table",
            Self::Password => "Password",
        }
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Self::Float | Self::Currency | Self::Percent)
    }
}

/// Name, kind, options and marks of a field. Marks: `*` mandatory, `r` read-only, `s` may change after
/// submit, `o` set only once, `u` unique, `n` not copied, `l` in lists, `1` permission level 1; then
/// ` =default` or ` <link.field` to fetch.
pub(crate) type FieldRow = (&'static str, FieldKind, &'static str, &'static str);

/// Role and letters: read, write, create, submit, x cancel, delete, amend.
pub(crate) type RightRow = (&'static str, &'static str);

/// A type as it is declared.
pub(crate) struct TypeRow {
    pub name: &'static str,
    /// `series:PREFIX-`, `field:x`, `hash`, `prompt` or `single`.
    pub naming: &'static str,
    /// `s` submittable, `t` table, `c` keeps versions.
    pub marks: &'static str,
    pub title: &'static str,
    pub search: &'static str,
    pub fields: &'static [&'static [FieldRow]],
    pub rights: &'static [RightRow],
}

/// A field of a type.
#[derive(Clone, Debug)]
pub(crate) struct SimField {
    pub name: &'static str,
    pub label: String,
    pub kind: FieldKind,
    /// Target of a link, lines of a select, type of a table.
    pub options: &'static str,
    pub default: &'static str,
    pub fetch_from: &'static str,
    marks: &'static str,
    pub is_custom: bool,
    /// Made read-only by a customisation.
    pub locked: bool,
}

impl SimField {
    fn new(row: &FieldRow) -> Self {
        let (marks, rest) = row.3.split_once(' ').unwrap_or((row.3, ""));
        Self {
            name: row.0,
            label: label(row.0),
            kind: row.1,
            options: row.2,
            default: rest.strip_prefix('=').unwrap_or_default(),
            fetch_from: rest.strip_prefix('<').unwrap_or_default(),
            marks,
            is_custom: false,
            locked: false,
        }
    }

    /// A field that an administrator adds.
    pub(crate) fn custom(row: FieldRow) -> Self {
        Self {
            is_custom: true,
            ..Self::new(&row)
        }
    }

    fn has(&self, mark: char) -> bool {
        self.marks.contains(mark)
    }

    pub(crate) fn reqd(&self) -> bool {
        self.has('*')
    }

    pub(crate) fn read_only(&self) -> bool {
        self.locked || self.has('r')
    }

    pub(crate) fn allow_on_submit(&self) -> bool {
        self.has('s')
    }

    pub(crate) fn set_only_once(&self) -> bool {
        self.has('o')
    }

    pub(crate) fn unique(&self) -> bool {
        self.has('u')
    }

    pub(crate) fn no_copy(&self) -> bool {
        self.has('n')
    }

    pub(crate) fn in_list(&self) -> bool {
        self.has('l')
    }

    pub(crate) fn permlevel(&self) -> i64 {
        i64::from(self.has('1'))
    }
}

/// A type of document.
#[derive(Clone, Debug)]
pub(crate) struct SimType {
    pub name: &'static str,
    pub naming: &'static str,
    pub marks: &'static str,
    pub title: &'static str,
    pub search: &'static str,
    pub fields: Vec<SimField>,
    pub rights: &'static [RightRow],
    /// Computed once for all documents.
    defaults: OnceLock<SimFields>,
}

impl SimType {
    fn new(row: &TypeRow) -> Self {
        let fields = row.fields.iter().copied().flatten();
        Self {
            name: row.name,
            naming: row.naming,
            marks: row.marks,
            title: row.title,
            search: row.search,
            fields: fields.map(SimField::new).collect(),
            rights: row.rights,
            defaults: OnceLock::new(),
        }
    }

    /// The values of fields that have none, each as `of` gives it.
    pub(crate) fn defaults(&self, of: fn(&SimField) -> Option<SimCell>) -> &SimFields {
        self.defaults.get_or_init(|| {
            let fields = self.fields.iter();
            let fields = fields.filter(|field| field.kind != FieldKind::Table);
            fields
                .filter_map(|field| Some((field.name, of(field)?)))
                .collect()
        })
    }

    pub(crate) fn is_submittable(&self) -> bool {
        self.marks.contains('s')
    }

    pub(crate) fn is_table(&self) -> bool {
        self.marks.contains('t')
    }

    pub(crate) fn keeps_versions(&self) -> bool {
        self.marks.contains('c')
    }

    pub(crate) fn is_single(&self) -> bool {
        self.naming == "single"
    }

    pub(crate) fn field(&self, name: &str) -> Option<&SimField> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(crate) fn tables(&self) -> impl Iterator<Item = &SimField> {
        let fields = self.fields.iter();
        fields.filter(|field| field.kind == FieldKind::Table)
    }
}

/// All types by name.
#[derive(Clone, Debug)]
pub(crate) struct SimMeta(BTreeMap<&'static str, Arc<SimType>>);

impl SimMeta {
    pub(crate) fn new() -> Self {
        let tables = [
            core::TYPES,
            parties::TYPES,
            accounts::TYPES,
            selling::TYPES,
            buying::TYPES,
            stock::TYPES,
            making::TYPES,
            ledgers::TYPES,
            industries::TYPES,
        ];
        let rows = tables.into_iter().flatten();
        Self(
            rows.map(|row| (row.name, Arc::new(SimType::new(row))))
                .collect(),
        )
    }

    /// The types as version 16 has them: the closing of a till names its invoices in two tables.
    pub(crate) fn of_16() -> Self {
        let mut meta = Self::new();
        if let Some(of) = meta.get_mut("POS Closing Entry") {
            of.fields.retain(|field| field.name != "pos_transactions");
            let tables = [
                (
                    "pos_invoices",
                    FieldKind::Table,
                    "POS Invoice Reference",
                    "r",
                ),
                (
                    "sales_invoices",
                    FieldKind::Table,
                    "Sales Invoice Reference",
                    "r",
                ),
                ("total_taxes_and_charges", FieldKind::Currency, "", "r"),
            ];
            of.fields.extend(tables.iter().map(SimField::new));
        }
        meta
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<SimType>> {
        self.0.get(name)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut SimType> {
        let of = self.0.get_mut(name).map(Arc::make_mut)?;
        // The fields may be others afterwards.
        of.defaults = OnceLock::new();
        Some(of)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<SimType>> {
        self.0.values()
    }
}

/// Fields that each document has.
pub(crate) const STANDARD: [(&str, FieldKind); 7] = [
    ("name", FieldKind::Data),
    ("owner", FieldKind::Data),
    ("creation", FieldKind::Datetime),
    ("modified", FieldKind::Datetime),
    ("modified_by", FieldKind::Data),
    ("docstatus", FieldKind::Int),
    ("idx", FieldKind::Int),
];

/// Fields that each row has besides.
pub(crate) const OF_ROWS: [(&str, FieldKind); 3] = [
    ("parent", FieldKind::Data),
    ("parenttype", FieldKind::Data),
    ("parentfield", FieldKind::Data),
];

/// `per_delivered` becomes "Per Delivered".
fn label(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    let words = words.map(|word| {
        let mut signs = word.chars();
        let first = signs.next().map(|sign| sign.to_ascii_uppercase());
        first.into_iter().chain(signs).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}
