//! The same question put to several things makes one table.

use serde_json::{Map, Value, json};

use crate::planner::{toolbox::Toolbox, view::Done};

/// Joins neighbouring results of one tool that differ in where they were read only.
pub(super) fn by_place(done: Vec<&Done>, toolbox: &Toolbox<'_>) -> Vec<Done> {
    let mut merged: Vec<Done> = Vec::new();
    let mut rest = done.into_iter().peekable();
    while let Some(first) = rest.next() {
        let place = place(first, toolbox);
        let mut group = vec![first];
        while let Some(next) = rest.next_if(|next| {
            next.name == first.name && place.is_some_and(|place| mergeable(next, place))
        }) {
            group.push(next);
        }
        let rows = place
            .filter(|place| group.len() > 1 && mergeable(first, place))
            .and_then(|place| rows(&group, place));
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

/// The field of the input that says where.
fn place<'d>(done: &'d Done, toolbox: &Toolbox<'_>) -> Option<&'d str> {
    let mut input = done.input.as_object()?.iter();
    input
        .find(|(key, value)| value.is_string() && toolbox.is_place(key))
        .map(|(key, _)| key.as_str())
}

fn mergeable(done: &Done, place: &str) -> bool {
    !done.is_error && done.cut.is_none() && done.input[place].is_string() && done.data.is_object()
}

/// All rows with their place in front, and the key of their list; none when the results are not of
/// one shape.
fn rows(group: &[&Done], place: &str) -> Option<(String, Vec<Value>)> {
    let list = list_of(&group.first()?.data, place);
    let mut rows = Vec::new();
    for done in group {
        if list_of(&done.data, place) != list {
            return None;
        }
        let items = match list {
            Some(key) => done.data[key].as_array()?.clone(),
            None => vec![done.data.clone()],
        };
        for item in items {
            let mut row = Map::new();
            row.insert(place.to_owned(), done.input[place].clone());
            for (key, value) in item.as_object()? {
                row.entry(key.clone()).or_insert_with(|| value.clone());
            }
            rows.push(Value::Object(row));
        }
    }
    Some((
        list.map_or_else(|| format!("{place}s"), str::to_owned),
        rows,
    ))
}

/// The one list of objects in a result that holds nothing else but its place.
fn list_of<'d>(data: &'d Value, place: &str) -> Option<&'d str> {
    let mut fields = data.as_object()?.iter().filter(|(key, _)| *key != place);
    let (key, value) = fields.next()?;
    let objects = value.as_array()?.iter().all(Value::is_object);
    (objects && fields.next().is_none()).then_some(key.as_str())
}
