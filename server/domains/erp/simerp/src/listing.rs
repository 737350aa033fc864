//! Lists: filters, columns, order and pages, narrowed to what the user may see.

mod filters;

use std::cmp::Ordering;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::books::SimBooks;
use crate::cell::{SimCell, SimDoc, float};
use crate::meta::{FieldKind, OF_ROWS, STANDARD, SimType};
use crate::refusal::{SimRefusal, SimResult, crashed, forbidden, invalid};
use crate::rights::{self, Right};

use self::filters::Filter;

/// A list that is asked for.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub fields: Option<Value>,
    pub filters: Option<Value>,
    pub or_filters: Option<Value>,
    pub order_by: String,
    pub group_by: String,
    pub start: usize,
    /// No limit if absent.
    pub limit: Option<usize>,
    /// The parent type, for rows of tables.
    pub parent: String,
}

/// A column: a field, or a count or sum over the rows.
enum ListColumn {
    Field(&'static str),
    Computed {
        function: String,
        field: String,
        named: String,
    },
}

/// The rows, and true if there are more.
pub(crate) fn list(books: &SimBooks, kind: &str, of: &Listing) -> SimResult<(Vec<Value>, bool)> {
    let on = books.type_of(kind)?;
    let found = matching(books, &on, of)?;
    let columns = columns(books, &on, of.fields.as_ref())?;
    let is_computed = |it: &ListColumn| matches!(it, ListColumn::Computed { .. });
    if !of.group_by.is_empty() || columns.iter().any(is_computed) {
        let rows = grouped(&found, &columns, &of.group_by);
        return Ok((rows, false));
    }
    let more = of.limit.is_some_and(|limit| found.len() > of.start + limit);
    let page = found.iter().skip(of.start);
    let page = page.take(of.limit.unwrap_or(usize::MAX));
    let rows = page.map(|doc| {
        let cells = columns.iter().filter_map(|column| match column {
            ListColumn::Field(field) => Some(((*field).to_owned(), doc.cell(field).json())),
            ListColumn::Computed { .. } => None,
        });
        Value::Object(cells.collect::<Map<_, _>>())
    });
    Ok((rows.collect(), more))
}

/// The number of rows that the user may see.
pub(crate) fn count(books: &SimBooks, kind: &str, of: &Listing) -> SimResult<usize> {
    let on = books.type_of(kind)?;
    let found = matching(books, &on, of)?.len();
    Ok(of.limit.map_or(found, |limit| found.min(limit)))
}

/// The number of rows, whoever asks.
pub(crate) fn count_all(books: &SimBooks, kind: &str, filters: Option<&Value>) -> SimResult<usize> {
    let on = books.type_of(kind)?;
    let filters = filters::parse(books, &on, filters)?;
    let all = books.all(on.name);
    let fits = |doc: &SimDoc| filters.iter().all(|it| it.fits(books, doc));
    Ok(all.filter(|doc| fits(doc)).count())
}

fn matching(books: &SimBooks, on: &SimType, of: &Listing) -> SimResult<Vec<Arc<SimDoc>>> {
    if on.is_table() {
        return rows_of(books, on, of);
    }
    rights::demand(books, on, Right::Read)?;
    let all = filters::parse(books, on, of.filters.as_ref())?;
    let any = filters::parse(books, on, of.or_filters.as_ref())?;
    let allowed = rights::allowed(books);
    let fits = |doc: &SimDoc| fits(books, doc, &all, &any);
    let docs = books.all(on.name);
    let docs = docs.filter(|doc| fits(doc) && rights::reaches_with(books, doc, &allowed));
    let docs = docs.filter(|doc| is_mine_to_see(books, doc));
    let mut docs: Vec<_> = docs.cloned().collect();
    unambiguous(books, of, all.iter().chain(&any))?;
    sort(books, on, &mut docs, &of.order_by)?;
    Ok(docs)
}

/// Workflow actions are for the roles that may take them.
fn is_mine_to_see(books: &SimBooks, doc: &SimDoc) -> bool {
    if doc.kind != "Workflow Action" || books.user == "Administrator" {
        return true;
    }
    let roles = rights::roles(books, &books.user);
    let permitted = doc.rows("permitted_roles").iter();
    permitted
        .into_iter()
        .any(|it| roles.contains(it.text("role")))
        || roles.contains("System Manager")
}

fn fits(books: &SimBooks, doc: &SimDoc, all: &[Filter], any: &[Filter]) -> bool {
    all.iter().all(|it| it.fits(books, doc))
        && (any.is_empty() || any.iter().any(|it| it.fits(books, doc)))
}

/// Rows of a table, which need the parent's type and the right to read it.
fn rows_of(books: &SimBooks, on: &SimType, of: &Listing) -> SimResult<Vec<Arc<SimDoc>>> {
    let parent = books.meta.get(&of.parent).cloned();
    let Some(parent) = parent else {
        return Err(forbidden(format!(
            "Please specify the parent doctype of {}",
            on.name
        )));
    };
    rights::demand(books, &parent, Right::Read)?;
    let all = filters::parse(books, on, of.filters.as_ref())?;
    let any = filters::parse(books, on, of.or_filters.as_ref())?;
    let allowed = rights::allowed(books);
    let docs = books.all(parent.name);
    let docs = docs.filter(|doc| rights::reaches_with(books, doc, &allowed));
    let rows = docs.flat_map(|doc| doc.tables.values().flatten());
    let rows = rows.filter(|row| row.kind == on.name && fits(books, row, &all, &any));
    let mut rows: Vec<_> = rows.cloned().map(Arc::new).collect();
    if !of.order_by.is_empty() {
        sort(books, on, &mut rows, &of.order_by)?;
    }
    Ok(rows)
}

/// The stored name of a column, if the type has it.
pub(super) fn known(on: &SimType, field: &str) -> Option<&'static str> {
    let standard = STANDARD.iter().map(|(name, _)| *name);
    let rows = OF_ROWS.iter().map(|(name, _)| *name);
    let rows = rows.filter(|_| on.is_table());
    let own = on.fields.iter().filter(|it| it.kind != FieldKind::Table);
    standard
        .chain(rows)
        .chain(own.map(|it| it.name))
        .find(|name| *name == field)
}

fn not_permitted(field: &str) -> SimRefusal {
    invalid(
        "DataError",
        format!("Field not permitted in query: {field}"),
    )
}

fn columns(books: &SimBooks, on: &SimType, fields: Option<&Value>) -> SimResult<Vec<ListColumn>> {
    let asked = match fields {
        Some(Value::Array(fields)) => fields.clone(),
        Some(Value::String(field)) => field.split(',').map(|it| json!(it.trim())).collect(),
        _ => vec![json!("name")],
    };
    let high = rights::may_level(books, on, 1);
    let mut out = Vec::new();
    for field in &asked {
        match field {
            Value::String(name) if name == "*" => {
                out.extend(STANDARD.iter().map(|(name, _)| ListColumn::Field(name)));
                let own = on.fields.iter().filter(|it| it.kind != FieldKind::Table);
                let own = own.filter(|it| high || it.permlevel() == 0);
                let own = own.filter(|it| it.kind != FieldKind::Password);
                out.extend(own.map(|it| ListColumn::Field(it.name)));
            }
            Value::String(text) if text.contains('(') => {
                if books.profile.is_16() {
                    return Err(invalid(
                        "ValidationError",
                        "SQL functions are not allowed as strings in SELECT. Use dict syntax instead",
                    ));
                }
                out.push(computed(text).ok_or_else(|| not_permitted(text))?);
            }
            Value::String(text) => {
                let name = text.trim().trim_matches('`');
                let name = name
                    .rsplit('`')
                    .next()
                    .unwrap_or(name)
                    .trim_start_matches('.');
                let Some(name) = known(on, name) else {
                    return Err(not_permitted(text));
                };
                // Columns above one's level are dropped without a word.
                let hidden = on.field(name).is_some_and(|it| it.permlevel() > 0);
                if !hidden || high {
                    out.push(ListColumn::Field(name));
                }
            }
            Value::Object(call) if books.profile.is_16() => {
                let named = call.get("as").and_then(Value::as_str).unwrap_or_default();
                let Some((function, field)) = call.iter().find(|(key, _)| *key != "as") else {
                    return Err(not_permitted("{}"));
                };
                out.push(ListColumn::Computed {
                    function: function.to_lowercase(),
                    field: field.as_str().unwrap_or("*").to_owned(),
                    named: named.to_owned(),
                });
            }
            other => {
                return Err(crashed(
                    "AttributeError",
                    format!("field is not a text: {other}"),
                ));
            }
        }
    }
    Ok(out)
}

/// `count(name) as n`.
fn computed(text: &str) -> Option<ListColumn> {
    let (call, named) = text.split_once(" as ").unwrap_or((text, ""));
    let (function, field) = call.trim().strip_suffix(')')?.split_once('(')?;
    let named = if named.is_empty() {
        call.trim()
    } else {
        named.trim()
    };
    Some(ListColumn::Computed {
        function: function.to_lowercase(),
        field: field.trim_matches('`').to_owned(),
        named: named.to_owned(),
    })
}

fn grouped(found: &[Arc<SimDoc>], columns: &[ListColumn], by: &str) -> Vec<Value> {
    let by = by.trim().trim_matches('`');
    let mut groups: Vec<(String, Vec<&Arc<SimDoc>>)> = Vec::new();
    for doc in found {
        let key = if by.is_empty() {
            String::new()
        } else {
            doc.cell(by).shown()
        };
        match groups.iter_mut().find(|(it, _)| *it == key) {
            Some((_, docs)) => docs.push(doc),
            None => groups.push((key, vec![doc])),
        }
    }
    let rows = groups.iter().map(|(_, docs)| {
        let cells = columns.iter().map(|column| match column {
            ListColumn::Field(field) => {
                let first = docs
                    .first()
                    .map_or(Value::Null, |doc| doc.cell(field).json());
                ((*field).to_owned(), first)
            }
            ListColumn::Computed {
                function,
                field,
                named,
            } => {
                let values = docs.iter().map(|doc| doc.cell(field).num());
                let value = match function.as_str() {
                    "count" => json!(docs.len()),
                    "sum" => float(values.sum()),
                    "max" => values.max().map_or(Value::Null, float),
                    "min" => values.min().map_or(Value::Null, float),
                    _ => Value::Null,
                };
                let named = if named.is_empty() { function } else { named };
                (named.clone(), value)
            }
        });
        Value::Object(cells.collect::<Map<_, _>>())
    });
    rows.collect()
}

/// A part of an order: `modified desc`, or with its table as in ``` `tabSales Order`.`modified` desc```.
struct OrderPart<'a> {
    /// The type that it names, if it does.
    table: Option<&'a str>,
    field: &'a str,
    is_down: bool,
}

fn order_parts(order: &str) -> impl Iterator<Item = OrderPart<'_>> {
    let parts = order.split(',').map(str::trim);
    parts.filter(|it| !it.is_empty()).map(|part| {
        // The name of a type has blanks.
        let end = match part.rfind('`') {
            Some(last) => last + 1,
            None => part.find(char::is_whitespace).unwrap_or(part.len()),
        };
        let (column, direction) = part.split_at(end);
        let (table, field) = match column.rsplit_once('.') {
            Some((table, field)) => (Some(table.trim_matches('`')), field),
            None => (None, column),
        };
        OrderPart {
            table: table.map(|it| it.strip_prefix("tab").unwrap_or(it)),
            field: field.trim_matches('`'),
            is_down: direction.trim().eq_ignore_ascii_case("desc"),
        }
    })
}

/// A filter over rows joins their table, and the older release hands a bare name to the database as it is.
fn unambiguous<'a>(
    books: &SimBooks,
    of: &Listing,
    filters: impl Iterator<Item = &'a Filter>,
) -> SimResult<()> {
    if books.profile.is_16() {
        return Ok(());
    }
    let mut joined = filters.filter_map(|filter| books.type_of(filter.rows.as_deref()?).ok());
    let Some(rows) = joined.next() else {
        return Ok(());
    };
    let selected = of.fields.as_ref().and_then(Value::as_array);
    // The database looks among the selected columns first.
    let is_selected = |field: &str| match selected {
        Some(selected) => selected.iter().any(|it| it == field),
        None => field == "name",
    };
    let mut bare = order_parts(&of.order_by).filter(|it| it.table.is_none());
    match bare.find(|it| !is_selected(it.field) && known(&rows, it.field).is_some()) {
        Some(part) => Err(crashed(
            "OperationalError",
            format!(
                "(1052, \"Column '{}' in order clause is ambiguous\")",
                part.field
            ),
        )),
        None => Ok(()),
    }
}

fn sort(books: &SimBooks, on: &SimType, docs: &mut [Arc<SimDoc>], order: &str) -> SimResult<()> {
    let mut keys = Vec::new();
    for OrderPart {
        table,
        field,
        is_down,
    } in order_parts(order)
    {
        let is_own = table.is_none_or(|it| it == on.name);
        let found = known(on, field).filter(|_| is_own);
        keys.push((found.ok_or_else(|| not_permitted(field))?, is_down));
    }
    if keys.is_empty() && books.profile.is_16() {
        keys.push(("creation", true));
    }
    if keys.is_empty() {
        // The database's own order, which is no order.
        docs.sort_by_cached_key(|doc| crate::books::scattered(&doc.name));
        return Ok(());
    }
    docs.sort_by(|left, right| {
        let orders = keys.iter().map(|(field, down)| {
            let order = compare(&left.cell(field), &right.cell(field));
            if *down { order.reverse() } else { order }
        });
        orders.fold(Ordering::Equal, Ordering::then)
    });
    Ok(())
}

/// As the database compares: numbers as numbers, texts without case.
pub(super) fn compare(left: &SimCell, right: &SimCell) -> Ordering {
    match (left, right) {
        (SimCell::Text(left), SimCell::Text(right)) => {
            left.to_lowercase().cmp(&right.to_lowercase())
        }
        (SimCell::Null, SimCell::Null) => Ordering::Equal,
        (SimCell::Null, _) => Ordering::Less,
        (_, SimCell::Null) => Ordering::Greater,
        (left, right) => left.num().cmp(&right.num()),
    }
}
