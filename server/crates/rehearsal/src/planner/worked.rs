//! Questions in the form of an example whose input is known: the same words about other things.
//!
//! Some inputs cannot be filled from a schema, such as a list of filters. Where the server tells the
//! input that an example means, a question of the same form gets the same input: each text of it that
//! stands in the example is replaced by what stands at its place in the question, and so is each
//! number. What a call has to tell "as you read it last" is read first.

mod bound;
mod identified;
mod series;
mod speech;
mod text;

use std::{borrow::Cow, collections::HashSet};

use serde_json::Value;

use super::{
    Call,
    action::{opens_order, turns},
    view::{Tool, View},
    words::{close, is_filler, meaning, parts, singular},
};
pub(super) use identified::identified;
pub(super) use series::with_kind;
pub(super) use speech::{
    absent, is_named, is_number_of_thing, is_of_their_kind, order_in_full, pointed, speak_of,
};
use text::{
    between, choices, filled, has_amount, has_digit, is_behind_colon, is_written, letters, opens,
    replaced, same_number, shape, texts, title, tokens,
};

/// Most words of a name, and of a question that is compared.
const NAME_WORDS: usize = 6;
const QUESTION_WORDS: usize = 30;

/// Part of the description of a property that comes from an earlier reading, not from a person.
const READ_BEFORE: &str = "as you read it last";

/// Weights of a word of the matter, of a name, of a number of the same series, and of a word that says
/// little.
const MATTER: usize = 10;
const SAME_NAME: usize = 5;
const SAME_SERIES: usize = 3;
const FILLER: usize = 1;

/// Words that say whose or whither a thing is: what follows them is not its own name.
const BINDS: [&str; 3] = ["for", "from", "with"];

/// Texts and numbers of an example's input, each with what the words have in its place.
type TakenTexts<'e> = Vec<(Cow<'e, str>, String)>;

/// An example that the words are a form of.
struct FittingForm<'e> {
    score: usize,
    example: &'e str,
    input: &'e Value,
    taken: TakenTexts<'e>,
}

/// The next call to what the newest words ask for in the form of an example.
pub(super) fn call(view: &View<'_>) -> Option<Call> {
    let (tool, call) = asked(view)?;
    Some(read_before(view, tool, call))
}

/// The tool that the newest words ask for in the form of an example.
pub(super) fn tool<'v>(view: &'v View<'_>) -> Option<&'v Tool<'v>> {
    asked(view).map(|(tool, _)| tool)
}

/// A sentence for the same tool that says more than the newest words, about the same things; none if no
/// example does.
pub(super) fn fuller(view: &View<'_>) -> Option<String> {
    let (tool, _) = asked(view)?;
    let known = known(view);
    let form = fitting(view, *tool, &known)?;
    let said = tokens(form.example);
    let more = tool.worked().map(|(example, _)| example).find(|example| {
        let own = tokens(example);
        let has = |word: &&str| own.iter().any(|own| own.eq_ignore_ascii_case(word));
        own.len() > said.len() && said.iter().filter(|word| tells(word)).all(has)
    });
    Some(replaced(more?.trim_end_matches('.'), &form.taken))
}

/// The call that the newest words ask for, with what the example has for properties that are read
/// before.
fn asked<'v>(view: &'v View<'_>) -> Option<(&'v Tool<'v>, Call)> {
    let known = known(view);
    let fitting = view.formed.iter().filter_map(|tool| {
        let form = fitting(view, *tool, &known)?;
        let input = filled(form.input, &form.taken);
        let name = tool.name.to_owned();
        Some((form.score, tool, Call { name, input }))
    });
    // The first of the best.
    let best = fitting.reduce(|best, one| if one.0 > best.0 { one } else { best });
    best.map(|(_, tool, call)| (tool, call))
}

/// Texts of all examples in lower case, such as the kinds of things.
fn known(view: &View<'_>) -> HashSet<String> {
    let mut found = Vec::new();
    for (_, input) in view.formed.iter().flat_map(Tool::worked) {
        texts(input, &mut found);
    }
    let found = found.into_iter().filter(|(_, is_number)| !is_number);
    found.map(|(text, _)| text.to_lowercase()).collect()
}

/// The example of a tool that the newest words are a form of, if any: the first of the best.
fn fitting<'e>(
    view: &View<'_>,
    tool: Tool<'e>,
    known: &'e HashSet<String>,
) -> Option<FittingForm<'e>> {
    let said = tokens(&view.question);
    if said.is_empty() || said.len() > QUESTION_WORDS {
        return None;
    }
    let fitting = tool.worked().filter_map(|(example, input)| {
        let form = QuestionForm::of(example, input, &tool, known);
        let mut taken = Vec::new();
        let score = form.walk(&view.question, &form.parts, &said, &mut taken)?;
        let fits = form.speaks_for_itself(view, &taken) && form.keeps_its_kind(&taken);
        fits.then_some(FittingForm {
            score,
            example,
            input,
            taken,
        })
    });
    fitting.reduce(|best, one| if one.score > best.score { one } else { best })
}

/// True if a word of an example says what it is about.
fn tells(word: &str) -> bool {
    !is_filler(&word.to_lowercase())
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
    /// See [`known`].
    known: &'e HashSet<String>,
    /// It tells what somebody did: it begins with their name.
    is_deed: bool,
    /// See [`bound::is_bound`].
    is_bound: bool,
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
    fn of(
        question: &'e str,
        input: &'e Value,
        tool: &Tool<'e>,
        known: &'e HashSet<String>,
    ) -> Self {
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
        let is_telling = |part: &FormPart<'_>| match part {
            FormPart::Word(word) => tells(word),
            FormPart::Text(text) => !text.choices.is_empty() || has_digit(&text.value),
        };
        if !parts.iter().any(is_telling) {
            parts.clear();
        }
        Self {
            parts,
            known,
            is_deed: speech::is_deed(question, input),
            is_bound: bound::is_bound(question, input),
        }
    }

    /// False if all its words are those of other tools, and nothing in it can only be its own: "the history
    /// of a" may be that of anything, a name of several words in capitals, or with a number, is a thing of
    /// these tools.
    fn speaks_for_itself(&self, view: &View<'_>, taken: &TakenTexts<'_>) -> bool {
        let words = self.parts.iter().filter_map(|part| match part {
            FormPart::Word(word) if tells(word) => Some(meaning(word)),
            _ => None,
        });
        let words: Vec<String> = words.collect();
        if taken.is_empty() || words.is_empty() {
            return true;
        }
        let others = view.tools.iter().flat_map(|tool| parts(tool.name));
        let others: Vec<String> = others.map(|part| meaning(&part)).collect();
        let is_shared = |word: &String| others.iter().any(|own| close(own, word));
        let is_own = |(_, said): &(Cow<'_, str>, String)| {
            let said_words = tokens(said);
            let is_name = said_words
                .iter()
                .all(|word| word.starts_with(char::is_uppercase));
            let is_known = self.known.contains(&said.to_lowercase());
            has_digit(said) || said_words.len() > 1 && (is_name || is_known)
        };
        !words.iter().all(is_shared) || taken.iter().any(is_own)
    }

    /// True if the part before the last so many is a name or a kind of a thing.
    fn is_behind_text(&self, rest: usize) -> bool {
        let before = self.parts.len().checked_sub(rest + 1);
        let before = before.and_then(|at| self.parts.get(at));
        matches!(before, Some(FormPart::Text(_)))
    }

    /// The likeness of the words to these parts, with the texts that they have for those of the
    /// example; none if they are of another form.
    fn walk(
        &self,
        question: &str,
        parts: &[FormPart<'e>],
        said: &[&str],
        taken: &mut TakenTexts<'e>,
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
                let is_person = self.is_deed
                    && parts.len() == self.parts.len()
                    && !said
                        .first()
                        .is_some_and(|it| opens_order(&it.to_lowercase()));
                let kinds = (opens(question, said) && !is_person).then_some(self.known);
                for count in 1..=said.len().min(NAME_WORDS) {
                    let (own, after) = said.split_at(count);
                    let Some(value) = text.read(between(question, own), kinds) else {
                        continue;
                    };
                    let same = text.likeness(&value);
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
                let binds = || {
                    let word = said.first().map(|word| word.to_lowercase());
                    let is_bound = word.is_some_and(|word| BINDS.contains(&word.as_str()));
                    is_bound && self.is_behind_text(parts.len())
                };
                let Some((score, with)) = best else {
                    return if binds() { None } else { skip(taken) };
                };
                *taken = with;
                Some(score)
            }
        }
    }
}

impl FormText<'_> {
    /// The weight of a value in its place.
    fn likeness(&self, value: &str) -> usize {
        if value == self.value {
            SAME_NAME
        } else if has_digit(value) && letters(value) == letters(&self.value) {
            SAME_SERIES
        } else {
            0
        }
    }

    /// The value that is meant by words at this place; none if they cannot stand there. `kinds`: the only
    /// ones that these words can be without a number in them.
    fn read(&self, said: &str, kinds: Option<&HashSet<String>>) -> Option<String> {
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
        if has_amount(&words) && !has_amount(&tokens(&self.value)) {
            return None;
        }
        // What stands behind a colon is a list, and no part of the name before it.
        if said.contains(": ") && !self.value.contains(": ") {
            return None;
        }
        let binds = |words: &[&str]| words.iter().any(|word| BINDS.contains(word));
        if binds(&tokens(&plain)) && !binds(&tokens(&self.value)) {
            return None;
        }
        let edges = [plain.split(' ').next(), plain.split(' ').next_back()];
        if edges.into_iter().flatten().any(is_filler) {
            return None;
        }
        // The verb of an order is no kind of a thing.
        if kinds.is_some_and(|kinds| !kinds.contains(&plain) && !kinds.contains(&singular(&plain)))
        {
            return None;
        }
        let is_capital = !self.value.contains(char::is_lowercase);
        if is_capital && plain == said {
            return Some(said.to_uppercase());
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
