//! Things that have a name for people and an identifier for tools.

use serde_json::Value;

use super::{asked, text::identified_kind};
use crate::planner::view::View;

/// The newest words with the identifier of the thing that they name, if that makes them a form of an
/// example: "how is the big hall" where the data has `{"room": "room_…", "name": "Big hall"}`.
pub(in crate::planner) fn identified(view: &View<'_>) -> Option<String> {
    if asked(view).is_some() {
        return None;
    }
    let mut named = Vec::new();
    for (_, data) in view.all_data() {
        gather("", data, &mut named);
    }
    let question = with_identifier(&view.question, &named)?;
    let other = View {
        question: question.clone(),
        ..view.clone()
    };
    asked(&other).is_some().then_some(question)
}

/// Names with identifiers, in the order of the data. `key`: of the value, such as `boxes`.
fn gather<'d>(key: &str, value: &'d Value, named: &mut Vec<(&'d str, &'d str)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| gather(key, item, named)),
        Value::Object(fields) => {
            let is_identifier = |value: &&'d str| identified_kind(value).is_some();
            let texts = || fields.values().filter_map(Value::as_str);
            // Of several identifiers the one of its own kind: a box may stand in a room.
            let own = fields.iter().find(|(field, _)| key.starts_with(*field));
            let own = own.and_then(|(_, value)| value.as_str());
            let own = own.filter(is_identifier);
            let own = own.or_else(|| texts().find(is_identifier));
            let name = fields.get("name").and_then(Value::as_str);
            let name = name.filter(|name| !name.trim().is_empty());
            named.extend(name.zip(own));
            for (key, value) in fields {
                gather(key, value, named);
            }
        }
        _ => {}
    }
}

/// A question with the longest name in it replaced by its identifier; the newest data's, if several things
/// have it.
fn with_identifier(question: &str, named: &[(&str, &str)]) -> Option<String> {
    let said = question.to_ascii_lowercase();
    let mut best: Option<(usize, usize, &str)> = None;
    for (name, id) in named {
        let name = name.to_ascii_lowercase();
        let is_longer = best.is_none_or(|(_, length, _)| name.len() > length);
        if let Some(at) = place(&said, &name).filter(|_| is_longer) {
            best = Some((at, name.len(), id));
        }
    }
    let (at, length, id) = best?;
    let (before, after) = (question.get(..at)?, question.get(at + length..)?);
    Some(format!("{before}{id}{after}"))
}

/// The place of whole words in a text.
fn place(text: &str, words: &str) -> Option<usize> {
    let mut places = text.match_indices(words).map(|(at, _)| at);
    places.find(|at| {
        let before = text.get(..*at).and_then(|it| it.chars().next_back());
        let after = text
            .get(at + words.len()..)
            .and_then(|it| it.chars().next());
        let ends = |sign: Option<char>| sign.is_none_or(|sign| !sign.is_alphanumeric());
        ends(before) && ends(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_is_meant_and_only_whole_words() {
        let named = [
            ("Hall", "room_1"),
            ("Big hall", "room_2"),
            ("Hall", "room_3"),
            ("Größe", "room_4"),
        ];
        for (question, expect) in [
            ("How is the hall?", Some("How is the room_1?")),
            ("How is the BIG HALL?", Some("How is the room_2?")),
            ("What is in Größe", Some("What is in room_4")),
            ("How is Hallway?", None),
            ("", None),
        ] {
            let found = with_identifier(question, &named);
            assert_eq!(found.as_deref(), expect, "{question}");
        }
    }
}
