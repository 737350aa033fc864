//! Fills the arguments of a tool from its schema and the user's words.

use serde_json::{Map, Value, json};

use super::words::{is_filler, original, parts, words};

/// What a tool needs and the words do not give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Missing(pub(super) String);

/// Fills a schema's properties: `presets` by name first, then what the words say.
pub(super) fn fill(
    schema: &Value,
    question: &str,
    presets: &Map<String, Value>,
) -> Result<Value, Missing> {
    let mut input = Map::new();
    let properties = schema["properties"].as_object();
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, property) in properties.into_iter().flatten() {
        let needed = required.contains(&name.as_str());
        let preset = presets.get(name).and_then(|value| fitted(property, value));
        let value = match preset {
            Some(value) => Some(value),
            None if property.get("const").is_some() && needed => property.get("const").cloned(),
            None if property["enum"].is_array() => choice(property, question, needed),
            None if needed => required_value(name, property, question),
            None => flag(name, property, question),
        };
        match value {
            Some(value) => {
                input.insert(name.clone(), value);
            }
            None if needed => return Err(Missing(name.clone())),
            None => {}
        }
    }
    Ok(Value::Object(input))
}

/// A value in the type that the schema wants, if it can be put into it.
fn fitted(property: &Value, value: &Value) -> Option<Value> {
    let fits = match kind(property) {
        "string" => json!(match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }),
        "integer" | "number" => match value {
            Value::Number(_) => value.clone(),
            Value::String(text) => json!(text.parse::<i64>().ok()?),
            _ => return None,
        },
        _ => value.clone(),
    };
    let bounds = |key: &str| property[key].as_f64();
    if let Some(number) = fits.as_f64() {
        let low = bounds("minimum").is_some_and(|minimum| number < minimum);
        let high = bounds("maximum").is_some_and(|maximum| number > maximum);
        if low || high {
            return None;
        }
    }
    match property["enum"].as_array() {
        Some(choices) if !choices.contains(&fits) => None,
        _ => Some(fits),
    }
}

/// The first type that is not null.
fn kind(property: &Value) -> &str {
    match &property["type"] {
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null")
            .unwrap_or_default(),
        kind => kind.as_str().unwrap_or_default(),
    }
}

fn choice(property: &Value, question: &str, needed: bool) -> Option<Value> {
    let choices = property["enum"].as_array()?;
    let said = words(question);
    let named = choices.iter().find(|choice| {
        choice.as_str().is_some_and(|choice| {
            let choice = choice.to_lowercase();
            said.iter()
                .any(|word| *word == choice || word.strip_suffix('s') == Some(&choice))
        })
    });
    let only = (needed && choices.len() == 1).then(|| &choices[0]);
    let default = property.get("default").filter(|_| needed);
    named.or(only).or(default).cloned()
}

/// An optional flag that the words name.
fn flag(name: &str, property: &Value, question: &str) -> Option<Value> {
    let said = words(question);
    let named = parts(name)
        .iter()
        .any(|part| !is_filler(part) && said.contains(part));
    (kind(property) == "boolean" && named).then(|| json!(true))
}

fn required_value(name: &str, property: &Value, question: &str) -> Option<Value> {
    if let Some(default) = property.get("default") {
        return Some(default.clone());
    }
    match kind(property) {
        "boolean" => Some(flag(name, property, question).unwrap_or_else(|| json!(false))),
        "integer" | "number" => number(property, question),
        "array" => {
            let item = required_value(name, &property["items"], question)?;
            Some(json!([item]))
        }
        "object" => fill(property, question, &Map::new()).ok(),
        // These name things of the cluster; a guess would be worse than a question.
        _ if matches!(name, "node" | "vmid" | "storage" | "service" | "command") => None,
        _ if matches!(name, "query" | "question" | "text" | "message" | "prompt") => {
            Some(json!(question))
        }
        _ => phrase(question).map(|text| json!(text)),
    }
}

fn number(property: &Value, question: &str) -> Option<Value> {
    words(question).iter().find_map(|word| {
        let value = match word.parse::<i64>() {
            Ok(whole) => json!(whole),
            Err(_) if kind(property) == "number" => json!(word.parse::<f64>().ok()?),
            Err(_) => return None,
        };
        fitted(property, &value)
    })
}

/// The words that look like a name: in quotes, after a preposition, or capitalised.
fn phrase(question: &str) -> Option<String> {
    if let Some((_, rest)) = question.split_once('"')
        && let Some((quoted, _)) = rest.split_once('"')
    {
        return Some(quoted.to_owned());
    }
    let said = original(question);
    let capital = |word: &&str| word.starts_with(char::is_uppercase);
    let run = |from: usize| {
        let words: Vec<&str> = said[from..]
            .iter()
            .copied()
            .take_while(|w| capital(w))
            .collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    let places = ["in", "for", "at", "of", "about", "on", "to"];
    let prepositions = || {
        said.iter()
            .enumerate()
            .filter(|(_, word)| places.contains(&word.to_lowercase().as_str()))
            .map(|(at, _)| at + 1)
            .filter(|at| *at < said.len())
    };
    prepositions()
        .find_map(run)
        .or_else(|| (1..said.len()).find_map(run))
        .or_else(|| {
            prepositions()
                .map(|at| said[at])
                .find(|word| !is_filler(&word.to_lowercase()))
                .map(str::to_owned)
        })
}
