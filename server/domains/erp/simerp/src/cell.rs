//! Values and documents: exact decimals, text shared between copies, tables as rows.

mod fields;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use rust_decimal::Decimal;
use serde_json::{Map, Number, Value};

pub(crate) use self::fields::SimFields;

/// A value of a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum SimCell {
    #[default]
    Null,
    Int(i64),
    Num(Decimal),
    Text(Arc<str>),
}

impl SimCell {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }

    pub(crate) fn num(&self) -> Decimal {
        match self {
            Self::Int(value) => Decimal::from(*value),
            Self::Num(value) => *value,
            Self::Text(text) => parse_decimal(text),
            Self::Null => Decimal::ZERO,
        }
    }

    /// Null, and text without characters. Zero is a value.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(text) => text.is_empty(),
            Self::Int(_) | Self::Num(_) => false,
        }
    }

    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Int(value) => Value::from(*value),
            Self::Num(value) => float(*value),
            Self::Text(text) => Value::from(&**text),
        }
    }

    /// The value as text, for comparison and messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Int(value) => value.to_string(),
            Self::Num(value) => value.normalize().to_string(),
            Self::Text(text) => text.to_string(),
        }
    }
}

impl From<&str> for SimCell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for SimCell {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<&String> for SimCell {
    fn from(text: &String) -> Self {
        Self::Text(text.as_str().into())
    }
}

impl From<Decimal> for SimCell {
    fn from(value: Decimal) -> Self {
        Self::Num(value)
    }
}

impl From<i64> for SimCell {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for SimCell {
    fn from(value: bool) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<jiff::civil::Date> for SimCell {
    fn from(date: jiff::civil::Date) -> Self {
        Self::from(date.to_string())
    }
}

/// A decimal as the JSON float that Frappe writes, such as `1190.0`.
pub(crate) fn float(value: Decimal) -> Value {
    let float = value.normalize().to_string().parse::<f64>();
    let number = float.ok().and_then(Number::from_f64);
    number.map_or(Value::Null, Value::Number)
}

/// Python's `flt`: thousands separators go, and what is no number is zero.
pub(crate) fn parse_decimal(text: &str) -> Decimal {
    let text: String = text.chars().filter(|sign| *sign != ',').collect();
    let text = text.trim();
    text.parse()
        .or_else(|_| Decimal::from_scientific(text))
        .unwrap_or_default()
}

/// A whole number of hundredths; for tables of constants.
pub(crate) fn cents(value: i64) -> Decimal {
    Decimal::new(value, 2)
}

/// A document or a row of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SimDoc {
    pub kind: &'static str,
    pub name: String,
    pub fields: SimFields,
    pub tables: BTreeMap<&'static str, Vec<SimDoc>>,
}

impl SimDoc {
    pub(crate) fn new(kind: &'static str) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    pub(crate) fn with(mut self, field: &'static str, value: impl Into<SimCell>) -> Self {
        self.set(field, value);
        self
    }

    pub(crate) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    pub(crate) fn set(&mut self, field: &'static str, value: impl Into<SimCell>) {
        self.fields.insert(field, value.into());
    }

    pub(crate) fn get(&self, field: &str) -> &SimCell {
        self.fields.get(field).unwrap_or(&SimCell::Null)
    }

    pub(crate) fn text(&self, field: &str) -> &str {
        self.get(field).text()
    }

    pub(crate) fn num(&self, field: &str) -> Decimal {
        self.get(field).num()
    }

    pub(crate) fn int(&self, field: &str) -> i64 {
        match self.get(field) {
            SimCell::Int(value) => *value,
            _ => 0,
        }
    }

    pub(crate) fn flag(&self, field: &str) -> bool {
        self.int(field) != 0
    }

    pub(crate) fn docstatus(&self) -> i64 {
        self.int("docstatus")
    }

    pub(crate) fn rows(&self, table: &str) -> &[SimDoc] {
        self.tables.get(table).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn rows_mut(&mut self, table: &'static str) -> &mut Vec<SimDoc> {
        self.tables.entry(table).or_default()
    }

    pub(crate) fn push(&mut self, table: &'static str, row: SimDoc) {
        self.rows_mut(table).push(row);
    }

    /// Copies the fields that both have.
    pub(crate) fn take_from(&mut self, from: &Self, fields: &[&'static str]) {
        for field in fields {
            self.set(field, from.get(field).clone());
        }
    }

    /// The value of a field, or the name.
    pub(crate) fn cell(&self, field: &str) -> SimCell {
        if field == "name" {
            SimCell::from(&self.name)
        } else {
            self.get(field).clone()
        }
    }

    /// All fields and rows. Version 1 of the API leaves nulls out.
    pub(crate) fn json(&self, nulls: bool) -> Value {
        let mut map = Map::new();
        map.insert("name".to_owned(), Value::from(self.name.as_str()));
        for (field, cell) in self.fields.iter() {
            if nulls || *cell != SimCell::Null {
                map.insert((*field).to_owned(), cell.json());
            }
        }
        map.insert("doctype".to_owned(), Value::from(self.kind));
        for (table, rows) in &self.tables {
            let rows = rows.iter().map(|row| row.json(nulls)).collect();
            map.insert((*table).to_owned(), Value::Array(rows));
        }
        Value::Object(map)
    }
}
