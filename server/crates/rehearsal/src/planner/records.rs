//! Things that the data names: what a person may mean by a name or a number.

use serde_json::{Map, Value};

use super::{
    schema::kind,
    view::View,
    words::{is_plain, singular},
};

/// A thing that the data names.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    /// The singular of the lists that it stands in, such as `node`; the newest first.
    pub(super) kinds: Vec<String>,
    pub(super) name: Option<String>,
    /// Its numbers by their fields.
    pub(super) ids: Vec<(String, i64)>,
    /// All that is said of it, the newest first.
    pub(super) fields: Map<String, Value>,
    /// The tools that told of it.
    pub(super) tools: Vec<String>,
}

impl Record {
    /// A thing of which no data but the person's own reference tells.
    pub(super) fn pointed_at(kind: &str, id: &str) -> Self {
        let number = id.parse::<i64>().ok();
        // Of `place/name` the name.
        let id = id.rsplit('/').next().unwrap_or(id);
        Self {
            kinds: vec![kind.to_owned()],
            name: number.is_none().then(|| id.to_owned()),
            ids: number
                .map(|number| (String::new(), number))
                .into_iter()
                .collect(),
            fields: Map::new(),
            tools: Vec::new(),
        }
    }

    pub(super) fn is(&self, kind: &str) -> bool {
        self.kinds.iter().any(|known| known == kind)
    }

    pub(super) fn is_called(&self, word: &str) -> bool {
        self.name
            .as_ref()
            .is_some_and(|name| name.eq_ignore_ascii_case(word))
    }

    pub(super) fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field)?.as_str()
    }

    /// False if it is known to be away.
    pub(super) fn is_there(&self) -> bool {
        if self
            .fields
            .get("online")
            .is_some_and(|online| online == &Value::Bool(false) || online.as_u64() == Some(0))
        {
            return false;
        }
        let state = self.text("state").or_else(|| self.text("status"));
        !state.is_some_and(|state| matches!(state, "offline" | "down" | "unreachable"))
    }

    fn same(&self, other: &Self) -> bool {
        let shared = |(field, id): &(String, i64)| {
            other
                .ids
                .iter()
                .any(|(own, number)| number == id && (own == field || own.is_empty()))
        };
        if !(self.ids.is_empty() || other.ids.is_empty()) {
            self.ids.iter().any(shared)
        } else {
            self.name.is_some() && self.name == other.name && self.kinds == other.kinds
        }
    }
}

/// Names of text fields of the tools' inputs that are no choice: of what they hold there may be
/// several things.
pub(super) fn places(view: &View<'_>) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for tool in &view.tools {
        let properties = tool.schema["properties"].as_object();
        for (name, property) in properties.into_iter().flatten() {
            let is_text = kind(property) == "string" && property["enum"].is_null();
            let is_kind = matches!(name.as_str(), "type" | "kind");
            if is_text && !is_kind && !places.contains(name) {
                places.push(name.clone());
            }
        }
    }
    places
}

/// All things that are known, those of the newest data first.
pub(super) fn known(view: &View<'_>) -> Vec<Record> {
    let places = places(view);
    let mut found = Vec::new();
    for (tool, data) in view.all_data() {
        walk(
            &Place {
                tool,
                places: &places,
                is_item: false,
            },
            "",
            data,
            &mut found,
        );
    }
    for tool in &view.tools {
        let properties = tool.schema["properties"].as_object();
        for (name, property) in properties.into_iter().flatten() {
            let choices = property["enum"].as_array().into_iter().flatten();
            if places.contains(name) {
                for choice in choices.filter_map(Value::as_str) {
                    add(&mut found, bare(name, choice, ""));
                }
            }
        }
    }
    found
}

/// The position of a value in the data.
#[derive(Clone, Copy)]
struct Place<'a> {
    tool: &'a str,
    places: &'a [String],
    /// It is an item of the list that its key names.
    is_item: bool,
}

fn walk(at: &Place<'_>, key: &str, value: &Value, found: &mut Vec<Record>) {
    let Place { tool, places, .. } = *at;
    let inner = |is_item: bool| Place { is_item, ..*at };
    let kind = singular(key);
    match value {
        Value::Object(fields) => {
            if let Some(record) = record(tool, key, fields, places) {
                add(found, record);
            }
            for (key, value) in fields {
                walk(&inner(false), key, value, found);
            }
            // Things as keys of what is said of them.
            if key != kind && !at.is_item && places.contains(&kind) {
                for (name, value) in fields {
                    let mut record = bare(&kind, name, tool);
                    match value {
                        Value::Object(fields) => record.fields.clone_from(fields),
                        Value::String(line) => {
                            let word = line.split(|c: char| !c.is_alphanumeric()).next();
                            let state = word.unwrap_or_default().to_lowercase();
                            record.fields.insert("state".to_owned(), state.into());
                        }
                        _ => continue,
                    }
                    add(found, record);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::String(name) if key != kind && places.contains(&kind) => {
                        add(found, bare(&kind, name, tool));
                    }
                    item => walk(&inner(true), key, item, found),
                }
            }
        }
        _ => {}
    }
}

fn bare(kind: &str, name: &str, tool: &str) -> Record {
    Record {
        kinds: vec![kind.to_owned()],
        name: Some(name.to_owned()),
        ids: Vec::new(),
        fields: Map::new(),
        tools: vec![tool.to_owned()],
    }
}

fn record(tool: &str, key: &str, fields: &Map<String, Value>, places: &[String]) -> Option<Record> {
    let text = |field: &str| fields.get(field).and_then(Value::as_str);
    let kind = match key {
        "" => places.iter().find(|place| text(place).is_some())?.clone(),
        key => singular(key),
    };
    let name = text("name")
        .or_else(|| text(&kind))
        .or_else(|| text("title"));
    let ids: Vec<(String, i64)> = fields
        .iter()
        .filter(|(field, _)| is_id(field))
        .filter_map(|(field, value)| Some((field.clone(), value.as_i64()?)))
        .collect();
    (name.is_some() || !ids.is_empty()).then(|| Record {
        kinds: vec![kind],
        name: name.map(str::to_owned),
        ids,
        fields: fields.clone(),
        tools: vec![tool.to_owned()],
    })
}

/// True if a field holds the number of a thing.
pub(super) fn is_id(field: &str) -> bool {
    /// Ends of words that only look like it.
    const WORDS: [&str; 4] = ["paid", "valid", "grid", "void"];
    let is_word = WORDS.iter().any(|word| field.ends_with(word));
    field == "id" || field.ends_with("id") && field.len() > 3 && !is_word
}

fn add(found: &mut Vec<Record>, record: Record) {
    let Some(known) = found.iter_mut().find(|known| known.same(&record)) else {
        found.push(record);
        return;
    };
    known.name = known.name.take().or(record.name);
    for (field, value) in record.fields {
        known.fields.entry(field).or_insert(value);
    }
    for kind in record.kinds {
        if !known.kinds.contains(&kind) {
            known.kinds.push(kind);
        }
    }
    for tool in record.tools {
        if !known.tools.contains(&tool) {
            known.tools.push(tool);
        }
    }
}

/// True if the words name a thing. One that is called like a plain word must be written as it is,
/// or stand behind its kind or `on`.
pub(super) fn is_named(record: &Record, original: &[&str]) -> bool {
    let Some(name) = &record.name else {
        return false;
    };
    original.iter().enumerate().any(|(at, word)| {
        if !word.eq_ignore_ascii_case(name) {
            return false;
        }
        let before = at.checked_sub(1).and_then(|at| original.get(at));
        let behind = before.is_some_and(|word| {
            let word = word.to_lowercase();
            word == "on" || record.is(&singular(&word))
        });
        behind || word == name || !(is_plain(&name.to_lowercase()))
    })
}
