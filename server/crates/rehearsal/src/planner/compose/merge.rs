//! The same question put to several nodes makes one table.

use serde_json::{Map, Value, json};

use crate::planner::view::Done;

/// Joins neighbouring results of one tool that differ in their node only.
pub(super) fn by_node(done: Vec<&Done>) -> Vec<Done> {
    let mut merged: Vec<Done> = Vec::new();
    let mut rest = done.into_iter().peekable();
    while let Some(first) = rest.next() {
        let mut group = vec![first];
        while let Some(next) = rest.next_if(|next| next.name == first.name && mergeable(next)) {
            group.push(next);
        }
        let rows = (group.len() > 1 && mergeable(first))
            .then(|| rows(&group))
            .flatten();
        match rows {
            Some((key, rows)) => merged.push(Done {
                input: json!({}),
                data: json!({ key: rows }),
                ..first.clone()
            }),
            None => merged.extend(group.into_iter().cloned()),
        }
    }
    merged
}

fn mergeable(done: &Done) -> bool {
    !done.is_error && done.cut.is_none() && done.input["node"].is_string() && done.data.is_object()
}

/// All rows with their node in front, and the key of their list; none when the results are not of
/// one shape.
fn rows(group: &[&Done]) -> Option<(String, Vec<Value>)> {
    let list = list_of(&group.first()?.data);
    let mut rows = Vec::new();
    for done in group {
        if list_of(&done.data) != list {
            return None;
        }
        let items = match list {
            Some(key) => done.data[key].as_array()?.clone(),
            None => vec![done.data.clone()],
        };
        for item in items {
            let mut row = Map::new();
            row.insert("node".to_owned(), done.input["node"].clone());
            for (key, value) in item.as_object()? {
                row.entry(key.clone()).or_insert_with(|| value.clone());
            }
            rows.push(Value::Object(row));
        }
    }
    Some((list.unwrap_or("nodes").to_owned(), rows))
}

/// The one list of objects in a result that holds nothing else but the name of its node.
fn list_of(data: &Value) -> Option<&str> {
    let mut fields = data.as_object()?.iter().filter(|(key, _)| *key != "node");
    let (key, value) = fields.next()?;
    let objects = value.as_array()?.iter().all(Value::is_object);
    (objects && fields.next().is_none()).then_some(key.as_str())
}
