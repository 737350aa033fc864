//! Fills the input of a tool from its schema, the person's words and the things that they name.

pub(super) mod phrase;

use serde_json::{Map, Value, json};

use super::{
    ask::Ask,
    forms,
    records::{self, Record},
    schema::kind,
    toolbox::{Card, Toolbox},
    words::{is_filler, meaning, parts, singular, words},
};
use crate::texts::orders;
use phrase::phrase;

/// A field that a tool needs and the words do not give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Missing(pub(super) String);

/// Fills a tool's input. `subject` is the thing that it is about; the others that the words name help.
pub(super) fn input(
    card: &Card<'_>,
    ask: &Ask,
    subject: Option<&Record>,
    toolbox: &Toolbox<'_>,
) -> Result<Value, Missing> {
    let about = About {
        card,
        ask,
        subject,
        toolbox,
    };
    let mut input = Map::new();
    let properties = card.tool.schema["properties"].as_object();
    for (name, property) in properties.into_iter().flatten() {
        let needed = card.requires(name);
        let found = about.value(name, property, needed);
        match found.and_then(|value| fitted(property, &value)) {
            Some(value) => {
                input.insert(name.clone(), value);
            }
            None if needed => return Err(Missing(name.clone())),
            None => {}
        }
    }
    Ok(Value::Object(input))
}

/// The sources of an input.
struct About<'a> {
    card: &'a Card<'a>,
    ask: &'a Ask,
    subject: Option<&'a Record>,
    toolbox: &'a Toolbox<'a>,
}

impl About<'_> {
    fn value(&self, name: &str, property: &Value, needed: bool) -> Option<Value> {
        let ask = self.ask;
        if let Some(value) = property.get("const").filter(|_| needed) {
            return Some(value.clone());
        }
        if property["enum"].is_array() {
            return choice(property, ask, self.subject, needed).or_else(|| {
                // A number is that of the kind whose numbers another field takes.
                let kinds = property["enum"].as_array().filter(|_| needed)?;
                let all = &self.card.tool.schema["properties"];
                let name = all["name"]["description"].as_str()?;
                let is_number = self.subject.is_some_and(|subject| !subject.ids.is_empty());
                let mut kinds = kinds.iter().filter(|_| is_number);
                kinds
                    .find(|kind| {
                        let kind = kind.as_str().unwrap_or_default();
                        name.contains(&format!("id of the {kind}"))
                    })
                    .cloned()
            });
        }
        match kind(property) {
            "boolean" => {
                if flag(name, property, ask) {
                    Some(json!(true))
                } else {
                    needed.then(|| property.get("default").cloned().unwrap_or(json!(false)))
                }
            }
            "integer" | "number" => self.number(name, property, needed),
            "array" if needed => {
                let item = self.value(name, &property["items"], true)?;
                Some(json!([item]))
            }
            "string" => self.text(name, property, needed),
            _ => None,
        }
    }

    /// The thing that a field means, among the subject and the other things that the words name. Where
    /// a thing is counts only for a field that is needed.
    fn of_things(&self, name: &str, property: &Value, needed: bool) -> Option<Value> {
        let own = |record: &Record| -> Option<Value> {
            if record.is(name)
                && let Some(own) = &record.name
            {
                return Some(json!(own));
            }
            let id = record.ids.iter().find(|(field, _)| field == name);
            if let Some((_, id)) = id {
                return Some(json!(id));
            }
            let field = record.fields.get(name).filter(|_| needed)?;
            (field.is_string() || field.is_number()).then(|| field.clone())
        };
        // The one that the words name goes before the one that a thing is known to be at.
        let named = self.ask.named.iter().find(|record| record.is(name));
        let is_other = self.subject.is_none_or(|subject| !subject.is(name));
        if let Some(named) = named.filter(|_| is_other) {
            return own(named);
        }
        let records = self.subject.into_iter().chain(&self.ask.named);
        let mut fitting = records.filter_map(own);
        fitting.find(|value| fitted(property, value).is_some())
    }

    fn number(&self, name: &str, property: &Value, needed: bool) -> Option<Value> {
        let ask = self.ask;
        if records::is_id(name) {
            let own = self.of_things(name, property, needed);
            let pointed = self.subject.and_then(|subject| subject.ids.first());
            let pointed = pointed.filter(|(field, _)| field.is_empty());
            return own
                .or_else(|| pointed.map(|(_, id)| json!(id)))
                .or_else(|| ask.ids.first().map(|id| json!(id)));
        }
        let told = property["description"].as_str().unwrap_or_default();
        let is_length = matches!(name, "limit" | "count") || told.starts_with("How many");
        let count = ask.count.map(|count| json!(count));
        // A span may hold more than the tool lists unasked.
        let most = || ask.span.and(property.get("maximum")).cloned();
        let count = count.or_else(|| most().filter(|_| is_length));
        if is_length || needed {
            count.or_else(|| property.get("default").filter(|_| needed).cloned())
        } else {
            None
        }
    }

    /// True for a numbered thing, if the words name another of the kinds that the tool tells of: the
    /// number of a guest is the name of no node.
    fn is_of_other_kind(&self, subject: &Record) -> bool {
        let properties = self.card.tool.schema["properties"].as_object();
        let choices = properties.into_iter().flat_map(|all| all.values());
        let choices = choices.filter_map(|property| property["enum"].as_array());
        let mut kinds = choices.flatten().filter_map(Value::as_str);
        !subject.ids.is_empty()
            && kinds.any(|kind| {
                let is_said = |word: &String| singular(word).eq_ignore_ascii_case(kind);
                self.toolbox.is_kind(kind) && self.ask.said.iter().any(is_said) && !subject.is(kind)
            })
    }

    fn text(&self, name: &str, property: &Value, needed: bool) -> Option<Value> {
        let (ask, card) = (self.ask, self.card);
        let told = property["description"].as_str().unwrap_or_default();
        let by_id = told.contains("id of");
        let numbered = self.subject.is_some_and(|subject| !subject.ids.is_empty());
        // A thing has a name too, but the field wants its number.
        let own = self.of_things(name, property, needed);
        if let Some(value) = own.filter(|_| !(name == "name" && by_id && numbered)) {
            return Some(value);
        }
        if matches!(name, "name" | "id")
            && let Some(subject) = self.subject.filter(|it| !self.is_of_other_kind(it))
        {
            let id = subject.ids.first().map(|(_, id)| json!(id.to_string()));
            let own = subject.name.as_ref().map(|name| json!(name));
            return if by_id { id.or(own) } else { own.or(id) };
        }
        if !needed {
            return None;
        }
        if let Some(value) = property.get("default") {
            return Some(value.clone());
        }
        if let Some(action) = &ask.action
            && name == "command"
            && let Some(command) = &action.command
        {
            return Some(json!(command));
        }
        if forms::lists(card.tool) && !self.toolbox.is_common(name) {
            return forms::fitting(card.tool, ask).map(|(text, _)| json!(text));
        }
        match name {
            "query" | "question" | "text" | "message" | "prompt" => {
                return Some(json!(ask.question));
            }
            "reason" => return Some(json!(orders::ASKED_FOR)),
            _ => {}
        }
        let alone = card.required().count() == 1;
        if told_by_phrase(told) {
            return phrase(&ask.question).map(|text| json!(text));
        }
        // A strange word: behind `on` it says where, else what. Where is what many tools ask for.
        let mut strangers = ask.strangers.iter();
        let is_where = self.toolbox.is_common(name);
        let stranger = if alone && !is_where {
            None
        } else {
            strangers.find(|stranger| stranger.is_place == is_where)
        };
        match stranger {
            Some(stranger) => Some(json!(stranger.word)),
            None if is_where || !alone => None,
            None => phrase(&ask.question).map(|text| json!(text)),
        }
    }
}

/// True if the sample of a value is more than one word or begins with a capital.
fn told_by_phrase(told: &str) -> bool {
    let sample = told.split('"').nth(1).unwrap_or_default();
    sample.contains(' ') && sample.starts_with(char::is_uppercase)
}

/// An optional flag that the words name.
fn flag(name: &str, property: &Value, ask: &Ask) -> bool {
    let told = property["description"].as_str().unwrap_or_default();
    let own = parts(name);
    let told = words(told);
    let signs = own.iter().chain(&told).filter(|sign| !is_filler(sign));
    signs.map(|sign| meaning(sign)).any(|sign| {
        let is_own = own.iter().any(|part| meaning(part) == sign);
        (is_own || sign == "fail") && ask.wants(&sign)
    })
}

fn choice(property: &Value, ask: &Ask, subject: Option<&Record>, needed: bool) -> Option<Value> {
    let choices = property["enum"].as_array()?;
    let texts = || choices.iter().filter_map(Value::as_str);
    let same = |word: &str, choice: &str| {
        word.eq_ignore_ascii_case(choice) || singular(word).eq_ignore_ascii_case(choice)
    };
    let said = &ask.said;
    let pairs: Vec<String> = said.windows(2).map(|pair| pair.concat()).collect();
    let spans = ["hour", "day", "week", "month", "year"];
    if texts().all(|choice| spans.contains(&choice)) && needed {
        let span = ask
            .span
            .filter(|span| texts().any(|choice| choice == *span));
        // A forecast needs the longest history.
        let longest = texts().next_back().filter(|_| ask.is_forecast());
        return Some(json!(span.or(longest).unwrap_or("day")));
    }
    let named = texts().find(|choice| said.iter().chain(&pairs).any(|word| same(word, choice)));
    if let Some(named) = named {
        return Some(json!(named));
    }
    if !needed {
        return None;
    }
    // What is to be done, where one tool does several things.
    let verbs = ask.action.iter().flat_map(|action| action.verbs);
    let ordered = verbs
        .copied()
        .find(|verb| texts().any(|choice| choice == *verb));
    if let Some(ordered) = ordered {
        return Some(json!(ordered));
    }
    let of_subject = subject.and_then(|subject| texts().find(|choice| subject.is(choice)));
    let only = (choices.len() == 1).then(|| &choices[0]);
    let attached = || {
        let ids = ask.pointed.iter().flat_map(|id| id.split('/'));
        ids.filter_map(|part| texts().find(|choice| *choice == part))
            .next()
    };
    of_subject
        .or_else(attached)
        .map(|text| json!(text))
        .or_else(|| only.or(property.get("default")).cloned())
}

/// A value in the type that the schema wants, if it can be put into it.
pub(super) fn fitted(property: &Value, value: &Value) -> Option<Value> {
    let fits = match kind(property) {
        "string" => json!(match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        }),
        "integer" => json!(match value {
            Value::Number(number) => number.as_i64()?,
            Value::String(text) => text.parse().ok()?,
            _ => return None,
        }),
        _ => value.clone(),
    };
    if let Some(number) = fits.as_f64() {
        let low = property["minimum"].as_f64().is_some_and(|min| number < min);
        let high = property["maximum"].as_f64().is_some_and(|max| number > max);
        if low || high {
            return None;
        }
    }
    match property["enum"].as_array() {
        Some(choices) if !choices.contains(&fits) => None,
        _ => Some(fits),
    }
}
