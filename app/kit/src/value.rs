//! JSON for people: a list of objects as a table, columns with their rows too, an object as names and
//! values.

mod drawing;
mod grid;
mod plot;
mod scalar;
mod series;

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::{Map, Value};

use crate::{dated::dated, format::field_name, scroll_table::scroll_table, texts};
use drawing::drawing;
use grid::ValueGrid;
pub(crate) use plot::plot_view;
use scalar::scalar;
use series::SHORTEST;

/// The most rows drawn; further ones are only counted.
const MOST_ROWS: usize = 60;
/// The most columns of a table; a list of objects with more is drawn as one object after the other.
const MOST_COLUMNS: usize = 16;

/// Finds the page of the thing that a whole value names. As a context, it turns such values into links.
#[derive(Clone)]
pub struct WordPaths(Arc<PathOf>);

type PathOf = dyn Fn(&str) -> Option<String> + Send + Sync;

impl WordPaths {
    /// Returns the context; `path` is asked for each value that is a text.
    pub fn new(path: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(path))
    }
}

/// Draws a value.
pub fn value_view(value: &Value) -> AnyView {
    named_view("", value)
}

/// Draws the value of a field, whose name may contain the unit.
fn named_view(name: &str, value: &Value) -> AnyView {
    match value {
        Value::Object(map) if map.is_empty() => nothing(texts::EMPTY),
        Value::Object(map) => object(map),
        Value::Array(list) if list.is_empty() => nothing(texts::NONE),
        Value::Array(list) => match TableColumns::of(list) {
            Some(columns) => view! { {drawing(name, list)} {table(&columns, list)} }.into_any(),
            None if list.len() >= SHORTEST && list.iter().all(is_point) => view! {
                {drawing(name, list)}
                <details class="value-points">
                    <summary>{texts::values(list.len())}</summary>
                    {array(name, list)}
                </details>
            }
            .into_any(),
            None => array(name, list),
        },
        Value::Null => nothing(texts::UNKNOWN),
        value if is_output(value) => {
            view! { <pre class="value value--output" tabindex="0">{scalar(name, value)}</pre> }
                .into_any()
        }
        value => scalar_view(name, value),
    }
}

/// Returns whether it is a value of a series: a number, or null.
fn is_point(value: &Value) -> bool {
    value.is_number() || value.is_null()
}

/// Returns whether it is text of several lines, which is shown as program output.
fn is_output(value: &Value) -> bool {
    let text = value.as_str().map(str::trim_end);
    text.is_some_and(|text| text.contains('\n'))
}

fn nothing(word: &'static str) -> AnyView {
    view! { <span class="value value--none">{word}</span> }.into_any()
}

fn scalar_view(name: &str, value: &Value) -> AnyView {
    let class = if value.is_number() {
        "value value--number"
    } else {
        "value"
    };
    let text = text(name, value);
    let exact = value.is_number().then(|| value.to_string());
    view! {
        <span class=class title=exact>
            {text}
        </span>
    }
    .into_any()
}

fn object(map: &Map<String, Value>) -> AnyView {
    let grid = ValueGrid::of(map);
    let is_shown = |name: &str| grid.is_some() && ValueGrid::shows(name);
    let entries: Vec<_> = map
        .iter()
        .filter(|(name, _)| !is_shown(name))
        .map(|(name, value)| {
            let nested = value.is_object() || value.is_array() || is_output(value);
            let class = if nested {
                "value-entry value-entry--nested"
            } else {
                "value-entry"
            };
            view! {
                <div class=class>
                    <dt>{field_name(name)}</dt>
                    <dd>{named_view(name, value)}</dd>
                </div>
            }
            .into_any()
        })
        .collect();
    let entries =
        (!entries.is_empty()).then(|| view! { <dl class="value-object">{entries}</dl> }.into_any());
    view! { {grid.map(|grid| grid.view())} {entries} }.into_any()
}

fn array(name: &str, list: &[Value]) -> AnyView {
    let items: Vec<_> = list
        .iter()
        .take(MOST_ROWS)
        .map(|value| view! { <li>{named_view(name, value)}</li> }.into_any())
        .collect();
    view! {
        <ul class="value-list">{items}</ul>
        {more(list.len())}
    }
    .into_any()
}

/// A column: a field of each object, or a field of an object in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FieldColumn {
    outer: Option<String>,
    name: String,
}

impl FieldColumn {
    fn value<'a>(&self, row: &'a Value) -> Option<&'a Value> {
        match &self.outer {
            Some(outer) => row.get(outer)?.get(&self.name),
            None => row.get(&self.name),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct TableColumns(Vec<FieldColumn>);

impl TableColumns {
    /// Returns the columns of a list of objects that are at most two deep; none for anything else.
    fn of(list: &[Value]) -> Option<Self> {
        let mut columns = Self(Vec::new());
        for row in list {
            for (name, value) in row.as_object()? {
                match value {
                    Value::Object(inner) => {
                        for (inner_name, value) in inner {
                            columns.add(Some(name), inner_name, value)?;
                        }
                    }
                    value => columns.add(None, name, value)?,
                }
            }
        }
        (!columns.0.is_empty()).then_some(columns)
    }

    /// Adds a column. None if the table would be too deep or too wide.
    fn add(&mut self, outer: Option<&String>, name: &str, value: &Value) -> Option<()> {
        let fits = match value {
            Value::Object(_) => false,
            Value::Array(list) => list
                .iter()
                .all(|value| !value.is_object() && !value.is_array()),
            _ => true,
        };
        let known = self
            .0
            .iter()
            .any(|column| column.outer.as_ref() == outer && column.name == name);
        if !known {
            self.0.push(FieldColumn {
                outer: outer.cloned(),
                name: name.to_owned(),
            });
        }
        (fits && self.0.len() <= MOST_COLUMNS).then_some(())
    }
}

fn table(columns: &TableColumns, list: &[Value]) -> AnyView {
    let head: Vec<_> = columns
        .0
        .iter()
        .map(|column| view! { <th scope="col">{field_name(&column.name)}</th> }.into_any())
        .collect();
    let rows: Vec<_> = list
        .iter()
        .take(MOST_ROWS)
        .map(|row| {
            let cells: Vec<_> = columns
                .0
                .iter()
                .map(|column| cell(&column.name, column.value(row)))
                .collect();
            view! { <tr>{cells}</tr> }.into_any()
        })
        .collect();
    view! {
        {scroll_table(texts::TABLE_OF_THE_RESULT, head, rows)}
        {more(list.len())}
    }
    .into_any()
}

/// Draws the text of a value; a link if all of it names a thing with a page.
fn text(name: &str, value: &Value) -> AnyView {
    let text = scalar(name, value);
    let path = value
        .as_str()
        .filter(|_| !markdown::holds_sorts(name))
        .and_then(|word| (use_context::<WordPaths>()?.0)(word));
    match path {
        Some(path) => view! { <a href=path>{text}</a> }.into_any(),
        None if value.is_string() => dated(&text),
        None => text.into_any(),
    }
}

fn cell(name: &str, value: Option<&Value>) -> AnyView {
    let class = if value.is_some_and(Value::is_number) {
        "right"
    } else {
        ""
    };
    view! { <td class=class>{value.map(|value| text(name, value))}</td> }.into_any()
}

fn more(count: usize) -> Option<AnyView> {
    let hidden = count.checked_sub(MOST_ROWS).filter(|hidden| *hidden > 0)?;
    Some(view! { <p class="value-more">{texts::and_more(hidden)}</p> }.into_any())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn columns(value: &Value) -> Option<Vec<String>> {
        let columns = TableColumns::of(value.as_array()?)?;
        let path = |column: FieldColumn| match column.outer {
            Some(outer) => format!("{outer}.{}", column.name),
            None => column.name,
        };
        Some(columns.0.into_iter().map(path).collect())
    }

    #[test]
    fn lists_of_shallow_objects_are_tables() {
        for (list, expected) in [
            (
                json!([{"id": 1, "tags": ["a"]}, {"id": 2, "name": null}]),
                Some(vec!["id", "tags", "name"]),
            ),
            (
                json!([{"node": "pve", "usage": {"cpu": 1}}]),
                Some(vec!["node", "usage.cpu"]),
            ),
            (json!([{"id": {"deep": {"er": 1}}}]), None),
            (json!([{"list": [{"deep": 1}]}]), None),
            (json!([1, 2]), None),
            (json!([{}]), None),
        ] {
            let expected =
                expected.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(columns(&list), expected, "{list}");
        }
    }
}
