//! JSON for people: a table for a list of objects, names and values for an object.

use leptos::prelude::*;
use serde_json::{Map, Value};

use crate::words;

/// More rows than these are counted, not drawn.
const MOST_ROWS: usize = 60;
/// A list of objects with more columns than these is drawn as one object after the other.
const MOST_COLUMNS: usize = 9;

/// Draws a value.
pub(crate) fn value_view(value: &Value) -> AnyView {
    match value {
        Value::Object(map) if map.is_empty() => nothing("empty"),
        Value::Object(map) => object(map),
        Value::Array(list) if list.is_empty() => nothing("none"),
        Value::Array(list) => match columns(list) {
            Some(columns) => table(&columns, list),
            None => array(list),
        },
        scalar => scalar_view(scalar),
    }
}

fn nothing(word: &'static str) -> AnyView {
    view! { <span class="value value--none">{word}</span> }.into_any()
}

fn scalar_view(value: &Value) -> AnyView {
    match value {
        Value::Null => nothing("unknown"),
        Value::Bool(true) => view! { <span class="value value--bool">"yes"</span> }.into_any(),
        Value::Bool(false) => view! { <span class="value value--bool">"no"</span> }.into_any(),
        Value::Number(number) => {
            view! { <span class="value value--number">{number.to_string()}</span> }.into_any()
        }
        Value::String(text) => {
            view! { <span class="value value--text">{text.clone()}</span> }.into_any()
        }
        other => view! { <span class="value">{other.to_string()}</span> }.into_any(),
    }
}

fn object(map: &Map<String, Value>) -> AnyView {
    let entries: Vec<_> = map
        .iter()
        .map(|(name, value)| {
            let nested = value.is_object() || value.is_array();
            let class = if nested {
                "value-entry value-entry--nested"
            } else {
                "value-entry"
            };
            view! {
                <div class=class>
                    <dt>{words::field_name(name)}</dt>
                    <dd>{value_view(value)}</dd>
                </div>
            }
        })
        .collect();
    view! { <dl class="value-object">{entries}</dl> }.into_any()
}

fn array(list: &[Value]) -> AnyView {
    let items: Vec<_> = list
        .iter()
        .take(MOST_ROWS)
        .map(|value| view! { <li>{value_view(value)}</li> })
        .collect();
    view! {
        <ul class="value-list">{items}</ul>
        {more(list.len())}
    }
    .into_any()
}

/// The columns of a list of flat objects; none if it is something else.
fn columns(list: &[Value]) -> Option<Vec<String>> {
    let mut columns: Vec<String> = Vec::new();
    for value in list {
        for (name, value) in value.as_object()? {
            if value.is_object()
                || value
                    .as_array()
                    .is_some_and(|list| !list.iter().all(is_scalar))
            {
                return None;
            }
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
    }
    (!columns.is_empty() && columns.len() <= MOST_COLUMNS).then_some(columns)
}

fn is_scalar(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

fn table(columns: &[String], list: &[Value]) -> AnyView {
    let head: Vec<_> = columns
        .iter()
        .map(|name| view! { <th scope="col">{words::field_name(name)}</th> })
        .collect();
    let rows: Vec<_> = list
        .iter()
        .take(MOST_ROWS)
        .map(|value| {
            let cells: Vec<_> = columns
                .iter()
                .map(|name| {
                    let cell = value.get(name);
                    let class = if cell.is_some_and(Value::is_number) {
                        "right"
                    } else {
                        ""
                    };
                    view! { <td class=class>{cell.map(cell_view)}</td> }
                })
                .collect();
            view! { <tr>{cells}</tr> }
        })
        .collect();
    view! {
        <div class="table-scroll" tabindex="0" role="region" aria-label="Result table">
            <table>
                <thead>
                    <tr>{head}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {more(list.len())}
    }
    .into_any()
}

/// A list of plain values fits on one line of a table.
fn cell_view(value: &Value) -> AnyView {
    match value {
        Value::Array(list) => {
            let parts: Vec<_> = list
                .iter()
                .map(|value| match value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                })
                .collect();
            parts.join(", ").into_any()
        }
        scalar => scalar_view(scalar),
    }
}

fn more(count: usize) -> Option<AnyView> {
    let hidden = count.checked_sub(MOST_ROWS).filter(|hidden| *hidden > 0)?;
    Some(view! { <p class="value-more">{format!("and {hidden} more")}</p> }.into_any())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_lists_of_flat_objects_are_tables() {
        let list = |value: Value| value.as_array().cloned().unwrap_or_default();
        assert_eq!(
            columns(&list(
                json!([{"id": 1, "tags": ["a"]}, {"id": 2, "name": null}])
            )),
            Some(vec!["id".to_owned(), "tags".to_owned(), "name".to_owned()])
        );
        assert_eq!(columns(&list(json!([{"id": {"deep": 1}}]))), None);
        assert_eq!(columns(&list(json!([1, 2]))), None);
        assert_eq!(columns(&list(json!([{}]))), None);
    }
}
