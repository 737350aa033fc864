//! Words that speak of tools with worked examples, though they are no form of any example on offer.

use serde_json::Value;

use super::{
    NAME_WORDS, TakenTexts, asked, fitting, known, tells,
    text::{has_digit, identified_kind, letters, replaced, texts, tokens},
    under,
};
use crate::planner::{
    action,
    area::{Area, AreaExample},
    view::{Tool, View},
    words::{close, is_filler, meaning, parts, singular, words},
};

/// The schema of a tool that is not on offer.
static NO_SCHEMA: Value = Value::Null;

/// The group of tools that this conversation lacks although people can choose it, and that has an example
/// of which the newest words are a form.
pub(in crate::planner) fn absent<'v>(view: &'v View<'_>) -> Option<&'v Area> {
    let known = known(view);
    let mut absent = view.areas.iter().filter(|area| {
        let mut tools = area.tools.iter();
        area.pack.is_some() && !tools.any(|(name, _)| view.tool(name).is_some())
    });
    absent.find(|area| {
        let mut tools = area.tools.iter();
        tools.any(|(name, examples)| {
            let tool = Tool {
                name,
                description: "",
                schema: &NO_SCHEMA,
                examples,
            };
            fitting(view, tool, &known).is_some()
        })
    })
}

/// An example of another tool for the order that the newest words are, where a tool only reads what it is
/// about; with the pack that has the tool, if this conversation lacks it. Words that tell what somebody did
/// count as an order if the example of the reader whose form they have does.
pub(in crate::planner) fn order_in_full<'v>(
    view: &'v View<'_>,
    reader: &str,
) -> Option<(String, Option<&'v str>)> {
    /// Telling words that both have to have.
    const LEAST: usize = 2;
    let known = known(view);
    let is_order = opens(&view.question);
    let form = view.formed.iter().find(|tool| tool.name == reader);
    let form = form.and_then(|tool| fitting(view, *tool, &known));
    let deed = form.filter(|form| !is_order && is_deed(form.example, form.input));
    let said = match &deed {
        None if is_order => tokens(&view.question),
        None => return None,
        Some(form) => tokens(form.example),
    };
    let is_meant = |example: &AreaExample| match (&deed, &example.input) {
        (None, _) => opens(&example.question),
        (Some(_), Some(input)) => is_deed(&example.question, input),
        (Some(_), None) => false,
    };
    let is_said = |word: &str| {
        let wanted = meaning(word);
        said.iter().any(|own| close(&meaning(own), &wanted))
    };
    let mut best: Option<(usize, &'v AreaExample, Option<&'v str>)> = None;
    for area in view.areas {
        for (name, examples) in area.tools.iter().filter(|(name, _)| name != reader) {
            let pack = area.pack.as_deref().filter(|_| view.tool(name).is_none());
            if view.tool(name).is_none() && pack.is_none() {
                continue;
            }
            for example in examples.iter().filter(|it| is_meant(it)) {
                let own = tokens(&example.question);
                let mut own: Vec<&str> = own.into_iter().filter(|word| tells(word)).collect();
                own.sort_unstable();
                own.dedup();
                let shared = own.into_iter().filter(|word| is_said(word)).count();
                if shared >= LEAST && best.is_none_or(|(most, ..)| shared > most) {
                    best = Some((shared, example, pack));
                }
            }
        }
    }
    let (_, example, pack) = best?;
    let taken = deed.map(|form| form.taken).unwrap_or_default();
    let own = example
        .input
        .as_ref()
        .map(|input| about(view, reader, input, &taken));
    Some((replaced(&example.question, &own.unwrap_or_default()), pack))
}

/// True if a sentence opens with the verb of an order.
pub(super) fn opens(text: &str) -> bool {
    let said = tokens(text);
    let mut said = said.iter().map(|word| word.to_lowercase());
    said.find(|word| !action::is_polite(word))
        .is_some_and(|word| action::opens_order(&word))
}

/// True if an example tells what somebody did: it begins with a name that its input has.
pub(super) fn is_deed(example: &str, input: &Value) -> bool {
    let mut found = Vec::new();
    texts(input, &mut found);
    let said = tokens(example);
    let begins = |text: &str| {
        let own = tokens(text);
        !own.is_empty() && said.len() > own.len() && said.starts_with(&own)
    };
    example.ends_with('.') && found.iter().any(|(text, _)| begins(text))
}

/// The texts of an example's input, each with what it is here: a name that was said, as the reader writes
/// it, and the first number of the same series that it tells of.
fn about<'e>(
    view: &View<'_>,
    reader: &str,
    input: &'e Value,
    taken: &TakenTexts<'_>,
) -> TakenTexts<'e> {
    let Some(done) = view.done.iter().find(|done| done.name == reader) else {
        return Vec::new();
    };
    let mut told = Vec::new();
    texts(&done.data, &mut told);
    let written = |said: &str| {
        let fields = done.input.as_object().into_iter().flatten();
        let mut keys = fields
            .filter(|(_, value)| *value == said)
            .map(|(key, _)| key);
        let name = keys.find_map(|key| under(&done.data, key)?.as_str());
        name.unwrap_or(said).to_owned()
    };
    let mut found = Vec::new();
    texts(input, &mut found);
    let here = found.into_iter().filter_map(|(value, is_number)| {
        let said = taken.iter().find(|(own, _)| *own == value);
        if let Some((_, said)) = said {
            return Some((value, written(said)));
        }
        let is_thing = !is_number && is_number_of_thing(&value);
        let series = letters(&value);
        let mut same = told
            .iter()
            .filter(|(text, _)| is_thing && has_digit(text) && letters(text) == series);
        let same = same.next()?.0.to_string();
        Some((value, same))
    });
    here.collect()
}

/// True for the number of one thing, such as `AB-2026-00012`, or its identifier.
pub(in crate::planner) fn is_number_of_thing(word: &str) -> bool {
    identified_kind(word).is_some()
        || has_digit(word) && word.contains('-') && word.starts_with(|c: char| c.is_alphabetic())
}

/// The newest words with the number of the thing that they point at, if that makes them a form of an
/// example: "print this letter" beside the page of the letter.
pub(in crate::planner) fn pointed(view: &View<'_>) -> Option<String> {
    /// Most words of the kind of a thing.
    const KIND: usize = 3;
    let said = tokens(&view.question);
    let at = said.iter().position(|word| {
        ["this", "that", "it"]
            .iter()
            .any(|it| word.eq_ignore_ascii_case(it))
    })?;
    let number = number_of_thing(view)?;
    if asked(view).is_some() {
        return None;
    }
    let rest = said.len() - at;
    let is_pronoun = said
        .get(at)
        .is_some_and(|word| word.eq_ignore_ascii_case("it"));
    let most = if is_pronoun { 1 } else { (KIND + 1).min(rest) };
    (1..=most).rev().find_map(|count| {
        let (before, from) = said.split_at_checked(at)?;
        let after = from.get(count..)?;
        let words = before.iter().copied().chain([number.as_str()]);
        let question = words
            .chain(after.iter().copied())
            .collect::<Vec<_>>()
            .join(" ");
        let other = View {
            question: question.clone(),
            ..view.clone()
        };
        asked(&other).is_some().then_some(question)
    })
}

/// The number of the thing that the newest words can mean: what is attached, else what was read last.
fn number_of_thing(view: &View<'_>) -> Option<String> {
    let attached = view
        .references
        .iter()
        .filter_map(|(_, id)| id.rsplit('/').next());
    let attached = attached.map(str::to_owned);
    let read = view.earlier.iter().rev().flat_map(|done| {
        let mut found = Vec::new();
        texts(&done.input, &mut found);
        found
            .into_iter()
            .map(|(text, _)| text.into_owned())
            .collect::<Vec<_>>()
    });
    attached.chain(read).find(|word| is_number_of_thing(word))
}

/// True if the words have a name of several words that examples have: it is one thing, and one of these
/// tools.
pub(in crate::planner) fn is_named(view: &View<'_>) -> bool {
    let said = view.question.to_lowercase();
    let is_said = |text: &str| {
        let text = text.to_lowercase();
        let mut places = said.match_indices(text.as_str());
        places.any(|(at, _)| {
            let before = said.get(..at).and_then(|it| it.chars().next_back());
            // Of kinds there are several: "red books".
            let rest = said.get(at + text.len()..).unwrap_or_default();
            let after = rest.strip_prefix('s').unwrap_or(rest).chars().next();
            let ends = |sign: Option<char>| sign.is_none_or(|sign| !sign.is_alphanumeric());
            ends(before) && ends(after)
        })
    };
    let mut found = Vec::new();
    for (_, input) in view.formed.iter().flat_map(Tool::worked) {
        texts(input, &mut found);
    }
    let is_name = |text: &str| {
        text.starts_with(char::is_uppercase) && (2..=NAME_WORDS).contains(&tokens(text).len())
    };
    let mut names = found
        .iter()
        .filter(|(text, is_number)| !is_number && is_name(text));
    names.any(|(text, _)| is_said(text))
}

/// True if the words have a kind of things in two words for which these tools alone have a field: "red
/// books" where one takes a `red_book`.
pub(in crate::planner) fn is_of_their_kind(view: &View<'_>) -> bool {
    let singulars =
        |words: Vec<String>| -> Vec<String> { words.iter().map(|word| singular(word)).collect() };
    let said = singulars(words(&view.question));
    let is_said = |field: &String| {
        let own = singulars(parts(field));
        own.len() == 2
            && !own.iter().any(|word| is_filler(word))
            && said.windows(2).any(|pair| pair == own)
    };
    let takes = |tool: &Tool<'_>| {
        let properties = tool.schema["properties"].as_object();
        properties.is_some_and(|all| all.keys().any(is_said))
    };
    view.formed.iter().any(takes) && !view.tools.iter().any(takes)
}

/// True if these tools or their examples speak of a word.
pub(in crate::planner) fn speak_of(view: &View<'_>, word: &str) -> bool {
    let wanted = meaning(word);
    let says = |text: &str| {
        let mut said = tokens(text).into_iter();
        said.any(|own| close(&meaning(own), &wanted))
    };
    let mut tools = view.formed.iter();
    tools.any(|tool| says(tool.description) || tool.worked().any(|(example, _)| says(example)))
}
