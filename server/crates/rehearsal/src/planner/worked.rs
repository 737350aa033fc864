//! Questions in the form of an example whose input is known: the same words about other things.
//!
//! Some inputs cannot be filled from a schema, such as a list of filters. Where the server tells the
//! input that an example means, a question of the same form gets the same input: each text of it that
//! stands in the example is replaced by what stands at its place in the question, and so is each
//! number. What a call has to tell "as you read it last" is read first.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    Call,
    action::turns,
    view::{Tool, View},
    words::{close, is_filler, meaning, singular},
};

/// Most words of a name, and of a question that is compared.
const NAME_WORDS: usize = 6;
const QUESTION_WORDS: usize = 30;

/// Part of the description of a property that comes from an earlier reading, not from a person.
const READ_BEFORE: &str = "as you read it last";

/// Weights of a word of the matter, of a name, and of a word that says little.
const MATTER: usize = 10;
const SAME_NAME: usize = 5;
const FILLER: usize = 1;

/// The next call to what the newest words ask for in the form of an example.
pub(super) fn call(view: &View<'_>) -> Option<Call> {
    let (tool, call) = asked(view)?;
    Some(read_before(view, tool, call))
}

/// The tool that the newest words ask for in the form of an example.
pub(super) fn tool<'v>(view: &'v View<'_>) -> Option<&'v Tool<'v>> {
    asked(view).map(|(tool, _)| tool)
}

/// The call that the newest words ask for, with what the example has for properties that are read
/// before.
fn asked<'v>(view: &'v View<'_>) -> Option<(&'v Tool<'v>, Call)> {
    let said = tokens(&view.question);
    if said.is_empty() || said.len() > QUESTION_WORDS {
        return None;
    }
    let examples = view
        .formed
        .iter()
        .flat_map(|tool| tool.worked().map(move |example| (tool, example)));
    let fitting = examples.filter_map(|(tool, (question, input))| {
        let form = QuestionForm::of(question, input, tool);
        let mut taken = Vec::new();
        let score = form.walk(&view.question, &form.parts, &said, &mut taken)?;
        let input = filled(input, &taken);
        let name = tool.name.to_owned();
        Some((score, tool, Call { name, input }))
    });
    // The first of the best.
    let best = fitting.reduce(|best, one| if one.0 > best.0 { one } else { best });
    best.map(|(_, tool, call)| (tool, call))
}

/// The call with what was read before, or the call that reads it.
fn read_before(view: &View<'_>, tool: &Tool<'_>, mut call: Call) -> Call {
    let described = tool.schema["properties"].as_object().into_iter().flatten();
    let wanted = described.filter(|(_, property)| {
        let description = property["description"].as_str();
        description.is_some_and(|it| it.contains(READ_BEFORE))
    });
    for (property, _) in wanted {
        let Some(reading) = reading(view, &call) else {
            return call;
        };
        let done = view.done.iter().find(|done| reading.is(done));
        match done.and_then(|done| under(&done.data, property)) {
            Some(value) => call.input[property] = value.clone(),
            // If it was read in vain, the answer says so.
            None => return reading,
        }
    }
    call
}

/// The call that reads the thing that a call is about: of a tool that gets one by some of the same
/// properties.
fn reading(view: &View<'_>, call: &Call) -> Option<Call> {
    let getters = view
        .all_tools()
        .filter(|tool| tool.name.starts_with("get_"));
    let mut inputs = getters.filter_map(|tool| {
        let required = tool.schema["required"].as_array()?;
        let names = required.iter().filter_map(Value::as_str);
        let same = names.map(|name| Some((name.to_owned(), call.input.get(name)?.clone())));
        let input: serde_json::Map<_, _> = same.collect::<Option<_>>()?;
        let name = tool.name.to_owned();
        let input = Value::Object(input);
        (input != serde_json::json!({})).then_some(Call { name, input })
    });
    inputs.next()
}

/// The value under a name, the outermost first.
fn under<'v>(data: &'v Value, name: &str) -> Option<&'v Value> {
    if let Some(value) = data.get(name) {
        return Some(value);
    }
    let fields = data.as_object()?;
    fields.values().find_map(|inner| under(inner, name))
}

/// An example as words and the places of its input's texts.
struct QuestionForm<'e> {
    parts: Vec<FormPart<'e>>,
}

enum FormPart<'e> {
    Word(&'e str),
    Text(FormText<'e>),
}

/// A text of the input that stands in the example.
struct FormText<'e> {
    value: Cow<'e, str>,
    is_number: bool,
    /// As the example writes it, such as in the plural.
    written: &'e str,
    /// The values that the input can be chosen from; empty if it is free.
    choices: Vec<&'e str>,
    /// All that stands behind a colon, such as a reason: no word of it is left out.
    is_rest: bool,
}

impl<'e> QuestionForm<'e> {
    fn of(question: &'e str, input: &'e Value, tool: &Tool<'e>) -> Self {
        let mut values = Vec::new();
        texts(input, &mut values);
        values.sort_by_key(|(value, _)| std::cmp::Reverse(tokens(value).len()));
        let said = tokens(question);
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(word) = said.get(at) {
            let found = values.iter().find_map(|(value, is_number)| {
                let own = tokens(value);
                let there = said.get(at..at + own.len()).filter(|it| !it.is_empty())?;
                let choices = choices(tool.schema, value);
                // The verb of an order is no name of a thing.
                let is_verb = at == 0 && own.len() == 1 && choices.is_empty();
                let is_there = if *is_number {
                    same_number(value, there)
                } else {
                    is_written(&own, there)
                };
                (is_there && !is_verb).then_some((value, *is_number, choices, there))
            });
            match found {
                Some((value, is_number, choices, there)) => {
                    let is_last = at + there.len() == said.len();
                    let is_free = !is_number && choices.is_empty();
                    parts.push(FormPart::Text(FormText {
                        is_rest: is_last && is_free && is_behind_colon(question, there),
                        value: value.clone(),
                        is_number,
                        written: between(question, there),
                        choices,
                    }));
                    at += there.len();
                }
                None => {
                    parts.push(FormPart::Word(word));
                    at += 1;
                }
            }
        }
        // "What is in X?" would be a form of everything.
        let tells = |part: &FormPart<'_>| match part {
            FormPart::Word(word) => !is_filler(&word.to_lowercase()),
            FormPart::Text(text) => !text.choices.is_empty() || has_digit(&text.value),
        };
        if !parts.iter().any(tells) {
            parts.clear();
        }
        Self { parts }
    }

    /// The likeness of the words to these parts, with the texts that they have for those of the
    /// example; none if they are of another form.
    fn walk(
        &self,
        question: &str,
        parts: &[FormPart<'e>],
        said: &[&str],
        taken: &mut Vec<(Cow<'e, str>, String)>,
    ) -> Option<usize> {
        if self.parts.is_empty() {
            return None;
        }
        let says_little = |word: &&str| {
            let word = word.to_lowercase();
            is_filler(&word) && !turns(&word)
        };
        let Some((part, rest)) = parts.split_first() else {
            return said.iter().all(says_little).then_some(0);
        };
        let skip = |taken: &mut Vec<_>| {
            let after = said.split_first().filter(|(first, _)| says_little(first));
            after.and_then(|(_, after)| self.walk(question, parts, after, taken))
        };
        match part {
            FormPart::Word(word) if says_little(word) => {
                let same = said
                    .split_first()
                    .filter(|(first, _)| first.eq_ignore_ascii_case(word));
                let with = same.and_then(|(_, after)| self.walk(question, rest, after, taken));
                match with {
                    Some(score) => Some(score + FILLER),
                    None => self.walk(question, rest, said, taken),
                }
            }
            FormPart::Word(word) => {
                let (first, after) = said.split_first()?;
                if close(&meaning(first), &meaning(word)) {
                    let kept = taken.len();
                    if let Some(score) = self.walk(question, rest, after, taken) {
                        return Some(score + MATTER);
                    }
                    taken.truncate(kept);
                }
                skip(taken)
            }
            // A condition may be meant for the whole order, so it is not taken as mere text.
            FormPart::Text(text)
                if text.is_rest
                    && is_behind_colon(question, said)
                    && !said.iter().any(|word| turns(&word.to_lowercase())) =>
            {
                let value = between(question, said).to_owned();
                let same = usize::from(value == text.value) * SAME_NAME;
                taken.push((text.value.clone(), value));
                Some(same)
            }
            FormPart::Text(text) => {
                // A name may have one word or several: where it ends, the rest fits best.
                let mut best: Option<(usize, Vec<_>)> = None;
                for count in 1..=said.len().min(NAME_WORDS) {
                    let (own, after) = said.split_at(count);
                    let Some(value) = text.read(between(question, own)) else {
                        continue;
                    };
                    let same = usize::from(value == text.value) * SAME_NAME;
                    let mut with = taken.clone();
                    with.push((text.value.clone(), value));
                    let score = self.walk(question, rest, after, &mut with);
                    let score = score.map(|score| score + same);
                    if let Some(score) =
                        score.filter(|it| best.as_ref().is_none_or(|(most, _)| it > most))
                    {
                        best = Some((score, with));
                    }
                }
                let Some((score, with)) = best else {
                    return skip(taken);
                };
                *taken = with;
                Some(score)
            }
        }
    }
}

impl FormText<'_> {
    /// The value that is meant by words at this place; none if they cannot stand there.
    fn read(&self, said: &str) -> Option<String> {
        let plain = said.to_lowercase();
        if !self.choices.is_empty() {
            let mut choices = self.choices.iter();
            let is_meant = |choice: &&&str| {
                let choice = choice.to_lowercase();
                choice == plain || choice == singular(&plain)
            };
            return choices.find(is_meant).map(|choice| (*choice).to_owned());
        }
        if self.is_number {
            let is_one = said.parse::<serde_json::Number>().is_ok();
            return is_one.then(|| said.to_owned());
        }
        if has_digit(&self.value) {
            return (shape(said) == shape(&self.value)).then(|| said.to_owned());
        }
        // One number of a thing too many is no part of a name.
        let is_number = |word: &&str| has_digit(word) && word.contains('-');
        let words = tokens(said);
        if words.len() > 1 && words.iter().any(is_number) {
            return None;
        }
        let edges = [plain.split(' ').next(), plain.split(' ').next_back()];
        if edges.into_iter().flatten().any(is_filler) {
            return None;
        }
        if self.written == self.value || plain != said {
            return Some(said.to_owned());
        }
        // In small letters it is a kind, such as `blue chair`, and no sentence.
        let (words, own) = (tokens(&plain), tokens(&self.value).len());
        if words.len() > own + 1 || words.iter().any(|word| is_filler(word)) {
            return None;
        }
        // Where the example has `red books` for `Red Book`, `blue chairs` is `Blue Chair`.
        let is_plural = self.written.to_lowercase() != self.value.to_lowercase();
        let one = if is_plural { singular(&plain) } else { plain };
        let is_title = self.value.starts_with(char::is_uppercase);
        Some(if is_title { title(&one) } else { one })
    }
}

/// The words of a text with their places in it.
fn tokens(text: &str) -> Vec<&str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect()
}

/// The part of a text from the first of its words to the last.
fn between<'t>(text: &'t str, words: &[&'t str]) -> &'t str {
    let place = |word: &str| (word.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return "";
    };
    let part = place(first)
        .zip(place(last))
        .and_then(|(from, to)| text.get(from..to + last.len()));
    part.unwrap_or_default()
}

/// True if a colon stands before the first of some words of a text.
fn is_behind_colon(text: &str, words: &[&str]) -> bool {
    let place = |word: &&str| (word.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let before = words.first().and_then(place).and_then(|at| text.get(..at));
    before.is_some_and(|before| before.trim_end().ends_with(':'))
}

/// True if words are a value in any case, or its plural.
fn is_written(value: &[&str], words: &[&str]) -> bool {
    let count = value.len();
    !value.is_empty()
        && words.len() == count
        && value
            .iter()
            .zip(words)
            .enumerate()
            .all(|(at, (own, word))| {
                let word = word.to_lowercase();
                let own = own.to_lowercase();
                own == word || at + 1 == count && own == singular(&word)
            })
}

/// True if a word is a number, however many zeros it ends with: `8.50` is 8.5.
fn same_number(value: &str, words: &[&str]) -> bool {
    let [word] = words else {
        return false;
    };
    let (value, word) = (value.parse::<f64>(), word.parse::<f64>());
    value.is_ok() && value == word
}

/// The texts and numbers of an input; true for numbers.
fn texts<'v>(value: &'v Value, found: &mut Vec<(Cow<'v, str>, bool)>) {
    match value {
        Value::String(text) => found.push((text.into(), false)),
        Value::Number(number) => found.push((number.to_string().into(), true)),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        _ => {}
    }
}

/// The input with what the words have in place of its texts and numbers.
fn filled(input: &Value, taken: &[(Cow<'_, str>, String)]) -> Value {
    let said = |own: &str| taken.iter().find(|(it, _)| it == own).map(|(_, said)| said);
    match input {
        Value::String(text) => said(text).unwrap_or(text).clone().into(),
        Value::Number(number) => {
            let said = said(&number.to_string()).and_then(|said| said.parse().ok());
            Value::Number(said.unwrap_or_else(|| number.clone()))
        }
        Value::Array(items) => items.iter().map(|item| filled(item, taken)).collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, field)| (name.clone(), filled(field, taken)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// The values of the choice in a schema that has this one.
fn choices<'s>(schema: &'s Value, value: &str) -> Vec<&'s str> {
    let own = schema["enum"].as_array().into_iter().flatten();
    let own: Vec<&str> = own.filter_map(Value::as_str).collect();
    if own.contains(&value) {
        return own;
    }
    let inner: Vec<&Value> = match schema {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => Vec::new(),
    };
    let found = inner.into_iter().map(|inner| choices(inner, value));
    found
        .into_iter()
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// A text with each run of letters as `a` and each run of digits as `0`: `a-a-0-0`.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    for c in text.chars() {
        let kind = match c {
            c if c.is_alphabetic() => 'a',
            c if c.is_ascii_digit() => '0',
            other => other,
        };
        if !shape.ends_with(kind) || !kind.is_alphanumeric() {
            shape.push(kind);
        }
    }
    shape
}

fn title(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let mut signs = word.chars();
        let first = signs.next().map(char::to_uppercase);
        first.into_iter().flatten().chain(signs).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}
