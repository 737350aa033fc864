//! Filters of lists: dictionaries and lists, with the operators of Frappe.

use std::cmp::Ordering;

use serde_json::Value;

use super::{compare, known, not_permitted};
use crate::books::SimBooks;
use crate::cell::{SimCell, SimDoc, parse_decimal};
use crate::clock::plus_days;
use crate::meta::SimType;
use crate::refusal::{SimResult, invalid};

/// One condition.
pub(super) struct Filter {
    /// The type of rows that it is about, if not the document itself.
    pub(super) rows: Option<String>,
    field: &'static str,
    operator: String,
    values: Vec<SimCell>,
}

pub(super) fn parse(
    books: &SimBooks,
    on: &SimType,
    from: Option<&Value>,
) -> SimResult<Vec<Filter>> {
    let mut out = Vec::new();
    match from {
        None | Some(Value::Null) => {}
        Some(Value::String(text)) if text.trim().is_empty() => {}
        Some(Value::Object(map)) => {
            for (field, value) in map {
                let filter = match value.as_array().map(Vec::as_slice) {
                    Some([operator, value]) if operator.is_string() => {
                        one(books, on, None, field, operator, value)?
                    }
                    _ => one(books, on, None, field, &Value::from("="), value)?,
                };
                out.push(filter);
            }
        }
        Some(Value::Array(list)) => {
            // A single condition may come without its outer list.
            let single = list.first().is_some_and(Value::is_string);
            let conditions = if single {
                vec![Value::Array(list.clone())]
            } else {
                list.clone()
            };
            for condition in &conditions {
                out.push(triple(books, on, condition)?);
            }
        }
        Some(other) => {
            return Err(invalid(
                "ValidationError",
                format!("Invalid filter: {other}"),
            ));
        }
    }
    Ok(out)
}

fn triple(books: &SimBooks, on: &SimType, condition: &Value) -> SimResult<Filter> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match condition.as_array().map(Vec::as_slice) {
        Some([field, operator, value]) => one(books, on, None, &text(field), operator, value),
        Some([field, value]) => one(books, on, None, &text(field), &Value::from("="), value),
        Some([kind, field, operator, value, ..]) => {
            let kind = text(kind);
            let rows = (kind != on.name).then_some(kind);
            one(books, on, rows, &text(field), operator, value)
        }
        _ => Err(invalid(
            "ValidationError",
            format!("Invalid filter: {condition}"),
        )),
    }
}

fn one(
    books: &SimBooks,
    on: &SimType,
    rows: Option<String>,
    field: &str,
    operator: &Value,
    value: &Value,
) -> SimResult<Filter> {
    let of = match &rows {
        Some(kind) => Some(books.type_of(kind)?),
        None => None,
    };
    let of = of.as_deref().unwrap_or(on);
    let found = known(of, field.trim().trim_matches('`'));
    let field = found.ok_or_else(|| not_permitted(field))?;
    let operator = operator.as_str().unwrap_or("=").trim().to_lowercase();
    let values = match value {
        Value::Array(values) => values.iter().map(cell).collect(),
        Value::String(text) if matches!(operator.as_str(), "in" | "not in") => {
            text.split(',').map(|it| SimCell::from(it.trim())).collect()
        }
        other => vec![cell(other)],
    };
    const KNOWN: [&str; 13] = [
        "=", "!=", ">", "<", ">=", "<=", "like", "not like", "in", "not in", "is", "between",
        "timespan",
    ];
    if !KNOWN.contains(&operator.as_str()) {
        return Err(invalid(
            "ValidationError",
            format!("Operator must be one of {}", KNOWN.join(", ")),
        ));
    }
    Ok(Filter {
        rows,
        field,
        operator,
        values,
    })
}

fn cell(value: &Value) -> SimCell {
    match value {
        Value::Null => SimCell::Null,
        Value::Bool(flag) => SimCell::from(*flag),
        Value::Number(number) => SimCell::Num(parse_decimal(&number.to_string())),
        Value::String(text) => SimCell::from(text),
        other => SimCell::from(other.to_string()),
    }
}

impl Filter {
    pub(super) fn fits(&self, books: &SimBooks, doc: &SimDoc) -> bool {
        match &self.rows {
            None => self.holds(books, &doc.cell(self.field)),
            Some(kind) => doc
                .tables
                .values()
                .flatten()
                .any(|row| row.kind == kind && self.holds(books, &row.cell(self.field))),
        }
    }

    fn holds(&self, books: &SimBooks, cell: &SimCell) -> bool {
        let empty = SimCell::Null;
        let first = self.values.first().unwrap_or(&empty);
        let order = || self.order(cell, first);
        match self.operator.as_str() {
            "=" => order() == Ordering::Equal,
            "!=" => order() != Ordering::Equal,
            ">" => !cell.is_empty() && order() == Ordering::Greater,
            "<" => !cell.is_empty() && order() == Ordering::Less,
            ">=" => !cell.is_empty() && order() != Ordering::Less,
            "<=" => !cell.is_empty() && order() != Ordering::Greater,
            "like" => like(&cell.shown(), &first.shown()),
            "not like" => !like(&cell.shown(), &first.shown()),
            "in" => self
                .values
                .iter()
                .any(|it| self.order(cell, it) == Ordering::Equal),
            "not in" => !self
                .values
                .iter()
                .any(|it| self.order(cell, it) == Ordering::Equal),
            "is" if first.text() == "set" => !cell.is_empty(),
            "is" => cell.is_empty(),
            "between" => {
                let last = self.values.get(1).unwrap_or(first);
                within(cell, first.text(), last.text())
                    || (first.text().is_empty()
                        && cell.num() >= first.num()
                        && cell.num() <= last.num())
            }
            "timespan" => {
                let today = books.today();
                let (from, to) = match first.text() {
                    "yesterday" => (plus_days(today, -1), plus_days(today, -1)),
                    "this month" => (today.first_of_month(), today.last_of_month()),
                    "last month" => {
                        let end = plus_days(today.first_of_month(), -1);
                        (end.first_of_month(), end)
                    }
                    "this year" => (today.first_of_year(), today.last_of_year()),
                    _ => (today, today),
                };
                within(cell, &from.to_string(), &to.to_string())
            }
            _ => false,
        }
    }

    /// A number in a text compares as a number; nothing equals nothing, zero and an empty text.
    fn order(&self, cell: &SimCell, with: &SimCell) -> Ordering {
        match (cell, with) {
            (SimCell::Int(_) | SimCell::Num(_), SimCell::Text(text)) => {
                cell.num().cmp(&parse_decimal(text))
            }
            (SimCell::Text(text), SimCell::Num(_)) => {
                compare(&SimCell::from(text.as_ref()), &SimCell::from(with.shown()))
            }
            (SimCell::Null, SimCell::Text(text)) if text.is_empty() => Ordering::Equal,
            _ => compare(cell, with),
        }
    }
}

/// Days of both ends count whole.
fn within(cell: &SimCell, from: &str, to: &str) -> bool {
    let text = cell.text();
    let head = text.get(..to.len().min(text.len())).unwrap_or(text);
    !text.is_empty() && !from.is_empty() && text >= from && head <= to
}

/// SQL's `like`, without case.
fn like(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
    let (mut at, mut on) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(on) {
            Some('%') => {
                back = Some((on + 1, at));
                on += 1;
            }
            Some(sign) if *sign == '_' || *sign == text[at] => {
                at += 1;
                on += 1;
            }
            _ => match back {
                Some((next, from)) => {
                    on = next;
                    at = from + 1;
                    back = Some((next, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[on.min(pattern.len())..]
        .iter()
        .all(|sign| *sign == '%')
}
