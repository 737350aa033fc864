//! The question of a person, from their words and the things that the data names.

use super::{
    action::{self, Action},
    records::{self, Record},
    talk::{self, Talk},
    toolbox::Toolbox,
    view::View,
    words::{is_filler, is_plain, meaning, original, singular, words},
};

/// Spans of time, each with the words for it.
const SPANS: &[(&str, &[&str])] = &[
    (
        "day",
        &["day", "today", "24", "24h", "night", "yesterday", "tonight"],
    ),
    ("hour", &["hour", "60"]),
    ("week", &["week", "7d"]),
    ("month", &["month", "30d"]),
    ("year", &["year"]),
];

/// A word that may be the name of something that no data has named yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stranger {
    /// As it is written.
    pub(super) word: String,
    /// It stands behind `on`.
    pub(super) is_place: bool,
}

/// The question of a person.
#[derive(Debug, Clone, Default)]
pub(super) struct Ask {
    pub(super) question: String,
    /// The words in lower case.
    pub(super) said: Vec<String>,
    /// Meanings of the words that say what it is about.
    pub(super) content: Vec<String>,
    /// Known things that the words name or that are attached to them.
    pub(super) named: Vec<Record>,
    /// Identifiers of what messages were about, the newest first.
    pub(super) pointed: Vec<String>,
    /// Numbers of things that no data has named.
    pub(super) ids: Vec<i64>,
    pub(super) strangers: Vec<Stranger>,
    /// The number of named values that inputs can be chosen from.
    pub(super) values: usize,
    /// So many entries of a list.
    pub(super) count: Option<u64>,
    pub(super) span: Option<&'static str>,
    /// Meaning of the noun behind "which": what is asked for has to be told of.
    pub(super) which: Option<String>,
    /// Meaning of the word behind "no" or "without": what things lack.
    pub(super) lacks: Option<String>,
    /// The reason of something is asked for.
    pub(super) why: bool,
    pub(super) action: Option<Action>,
    /// The word of an order that leaves open what exactly is to be done.
    pub(super) doubt: Option<String>,
    pub(super) talk: Option<Talk>,
    /// The words are in no English.
    pub(super) foreign: bool,
}

impl Ask {
    pub(super) fn has(&self, word: &str) -> bool {
        self.said.iter().any(|said| said == word)
    }

    pub(super) fn any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.has(word))
    }

    pub(super) fn wants(&self, content: &str) -> bool {
        self.content.iter().any(|word| word == content)
    }

    /// True if the words name something, known or not.
    pub(super) fn names_a_thing(&self) -> bool {
        !self.named.is_empty() || !self.ids.is_empty() || !self.strangers.is_empty()
    }
}

/// Reads the newest words, and earlier ones where they point back.
pub(super) fn read(view: &View<'_>, toolbox: &Toolbox<'_>) -> Ask {
    let known = &toolbox.known;
    let mut ask = read_words(&view.question, toolbox, known);
    ask.talk = talk::read(&view.question);
    ask.pointed = view.references.iter().map(|(_, id)| id.clone()).collect();
    for (kind, id) in &view.attached {
        let found = known.iter().find(|record| is_reference(record, kind, id));
        match found.or_else(|| numbered(known, id)).cloned() {
            Some(mut record) => {
                if !record.is(kind) {
                    record.kinds.push(kind.clone());
                }
                ask.named.push(record);
            }
            None if toolbox.is_place(kind) || toolbox.is_kind(kind) => {
                ask.named.push(Record::pointed_at(kind, id));
            }
            None if ask.content.is_empty()
                && ask.values == 0
                && ask.span.is_none()
                && toolbox.is_noun(&meaning(kind)) =>
            {
                ask.content.push(meaning(kind));
            }
            None => {}
        }
    }
    let pointing = ["it", "its", "there", "same", "that", "them", "their"];
    let points_back = ask.any(&pointing)
        || ask.said.first().is_some_and(|word| word == "and")
        || view.question.to_lowercase().starts_with("what about");
    let which_one = ask.said.windows(2).any(|pair| {
        pair[0] == "which" && matches!(pair[1].as_str(), "one" | "ones")
            || pair[0] == "of" && pair[1] == "them"
    });
    if (points_back || which_one) && ask.talk.is_none() {
        point_back(view, toolbox, known, which_one, &mut ask);
    }
    ask.doubt = doubt(&ask, &view.question);
    ask
}

/// The word that makes an order more than one thing done now, or that says nothing to the planner: what
/// is not understood may be what matters, such as an exception in another language.
fn doubt(ask: &Ask, question: &str) -> Option<String> {
    let Some(action) = &ask.action else {
        let states = !question.trim_end().ends_with('?') && action::speaks_of_one(&ask.said);
        let word = action::exception(&ask.said).filter(|_| states);
        return word.map(str::to_owned);
    };
    if let Some(word) = action::doubt(action) {
        return Some(word.to_owned());
    }
    if action.command.is_some() {
        return None;
    }
    let things = ask.strangers.iter().filter(|it| !it.is_place);
    let mut named = ask.named.iter().filter(|record| !record.ids.is_empty());
    let known = named.next().is_some() || !ask.ids.is_empty();
    let places = ask.named.iter().filter(|record| record.ids.is_empty());
    let is_wide = ask.has("and") && places.count() > 1;
    if known && named.next().is_some() || ask.ids.len() > 1 || is_wide {
        return Some("and".to_owned());
    }
    things
        .skip(usize::from(!known))
        .last()
        .map(|it| it.word.clone())
}

/// The thing with this number, whatever its list calls it.
fn numbered<'k>(known: &'k [Record], id: &str) -> Option<&'k Record> {
    let number = id.parse::<i64>().ok()?;
    let mut known = known.iter();
    known.find(|record| record.ids.iter().any(|(_, id)| *id == number))
}

fn is_reference(record: &Record, kind: &str, id: &str) -> bool {
    record.is(kind)
        && (record.is_called(id)
            || record
                .ids
                .iter()
                .any(|(_, number)| number.to_string() == *id))
}

/// Fills what the words leave open from what was said or read before.
fn point_back(
    view: &View<'_>,
    toolbox: &Toolbox<'_>,
    known: &[Record],
    among: bool,
    ask: &mut Ask,
) {
    let had_content = !ask.content.is_empty();
    for earlier in &view.earlier_questions {
        let before = read_words(earlier, toolbox, known);
        if among {
            // "Which one uses the most memory?": one of those that were spoken of.
            let nouns = before.content.iter().filter(|word| toolbox.is_noun(word));
            ask.content.extend(nouns.cloned());
            return;
        }
        if !ask.names_a_thing() {
            ask.named = before.named;
            ask.ids = before.ids;
            ask.strangers = before.strangers;
        }
        if ask.content.is_empty() && ask.action.is_none() {
            ask.content = before.content;
            ask.said.extend(before.said);
            ask.count = ask.count.or(before.count);
        }
        if ask.names_a_thing() && !(ask.content.is_empty() && ask.action.is_none()) {
            return;
        }
    }
    // A thing that was never named but read by itself.
    if !ask.names_a_thing() && had_content {
        let last = view.earlier.iter().rev();
        let place = last
            .filter_map(|done| done.input.as_object())
            .flat_map(|input| input.values().filter_map(|value| value.as_str()))
            .find_map(|text| known.iter().find(|record| record.is_called(text)));
        ask.named.extend(place.cloned());
    }
}

fn read_words(question: &str, toolbox: &Toolbox<'_>, known: &[Record]) -> Ask {
    let said = words(question);
    let spelled = original(question);
    let mut ask = Ask {
        question: question.to_owned(),
        action: action::read(question),
        why: said.first().is_some_and(|word| word == "why"),
        foreign: is_foreign(question, &said, toolbox),
        ..Ask::default()
    };
    ask.span = span(&said);
    ask.named = known
        .iter()
        .filter(|record| records::is_named(record, &spelled))
        .cloned()
        .collect();
    numbers(&said, toolbox, known, &mut ask);
    let refused = ["don't", "don’t", "dont", "not", "never", "should"];
    let refuses = said.iter().any(|word| refused.contains(&word.as_str()));
    for (at, word) in said.iter().enumerate() {
        let is_name = ask.named.iter().any(|record| record.is_called(word));
        if toolbox.is_value(word) {
            ask.values += 1;
            continue;
        }
        let is_letter = word.chars().count() == 1;
        if is_name || is_letter || is_span(word) || is_filler(word) || word.parse::<f64>().is_ok() {
            continue;
        }
        if toolbox.knows(word) || is_plain(word) {
            // What is not to be done is not what it is about.
            let is_open = at == 0 && ask.action.is_none();
            if !((refuses || is_open) && action::is_verb(word)) {
                ask.content.push(meaning(word));
            }
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| said.get(at));
        ask.strangers.push(Stranger {
            word: spelled.get(at).copied().unwrap_or(word).to_owned(),
            is_place: before.is_some_and(|word| word == "on" || toolbox.is_common(&singular(word))),
        });
    }
    // "How long is it up?"
    let pair = |a: &str, b: &str| said.windows(2).any(|pair| pair[0] == a && pair[1] == b);
    let any = |words: &[&str]| said.iter().any(|word| words.contains(&word.as_str()));
    if pair("how", "long") || any(&["up", "running"]) && any(&["longest", "shortest"]) {
        ask.content
            .retain(|word| !matches!(word.as_str(), "long" | "run"));
        ask.content.push(meaning("uptime"));
    }
    let which = said.windows(2).find(|pair| pair[0] == "which");
    let noun = which.map(|pair| meaning(&pair[1]));
    ask.which = noun.filter(|noun| ask.content.contains(noun) && toolbox.is_noun_or_kind(noun));
    let lacking = said
        .windows(2)
        .find(|pair| matches!(pair[0].as_str(), "no" | "without"));
    ask.lacks = lacking.map(|pair| meaning(&pair[1]));
    ask.said = said;
    ask
}

fn span(said: &[String]) -> Option<&'static str> {
    SPANS.iter().find_map(|(span, signs)| {
        said.iter()
            .any(|word| signs.contains(&singular(word).as_str()) || signs.contains(&word.as_str()))
            .then_some(*span)
    })
}

fn numbers(said: &[String], toolbox: &Toolbox<'_>, known: &[Record], ask: &mut Ask) {
    for (at, word) in said.iter().enumerate() {
        let Ok(number) = word.parse::<i64>() else {
            continue;
        };
        let record = known
            .iter()
            .find(|record| record.ids.iter().any(|(_, id)| *id == number));
        let before = at.checked_sub(1).and_then(|at| said.get(at));
        let called = before.is_some_and(|word| {
            matches!(
                word.as_str(),
                "id" | "number" | "for" | "of" | "is" | "and" | "or"
            ) || action::is_verb(word)
                || toolbox.is_noun(&meaning(word))
                || toolbox.is_kind(&singular(word))
        });
        let least = toolbox.least_id;
        let can_be = least.is_some_and(|least| number >= least);
        if can_be && let Some(record) = record {
            if !ask.named.contains(record) {
                ask.named.push(record.clone());
            }
        } else if can_be && called {
            ask.ids.push(number);
            // "Guest 100" says what kind of thing it is.
            let kind = before.map(|word| singular(word));
            if let Some(kind) =
                kind.filter(|kind| toolbox.is_noun(&meaning(kind)) || toolbox.is_kind(kind))
            {
                ask.named.push(Record::pointed_at(&kind, word));
            }
        } else if (1..=500).contains(&number) && number != 24 {
            ask.count = u64::try_from(number).ok();
        }
    }
}

/// True if the words are in another language: letters of another script, or its commonest words and
/// hardly any English ones.
fn is_foreign(question: &str, said: &[String], toolbox: &Toolbox<'_>) -> bool {
    const SIGNS: &[&str] = &[
        "der", "die", "das", "ist", "sind", "wie", "welche", "welcher", "wer", "wo", "warum",
        "bitte", "und", "nicht", "ein", "eine", "den", "dem", "läuft", "zeige", "starte", "el",
        "los", "las", "qué", "cómo", "cuál", "está", "están", "por", "para", "una", "le", "les",
        "quel", "quelle", "quels", "est", "sont", "comment", "pourquoi", "combien", "montre", "du",
        "des", "il", "gli", "che", "quale", "quali", "come", "perché", "sono", "het", "een", "hoe",
        "welk", "waarom", "zijn", "jak", "jest", "które", "czy", "como", "qual", "quais", "não",
        "são", "onde", "vad", "hur", "är", "och", "hvad", "hvordan", "er",
    ];
    let strange = question
        .chars()
        .filter(|c| c.is_alphabetic() && !c.is_ascii())
        .filter(|c| !('\u{c0}'..='\u{24f}').contains(c))
        .count();
    let letters = question.chars().filter(|c| c.is_alphabetic()).count();
    if strange * 2 > letters {
        return true;
    }
    let signs = said.iter().filter(|word| SIGNS.contains(&word.as_str()));
    let english = said
        .iter()
        .filter(|word| (is_plain(word) || toolbox.knows(word)) && !SIGNS.contains(&word.as_str()));
    let (signs, english) = (signs.count(), english.count());
    signs > 0 && signs >= english
}

/// True if a word is one of a span of time.
pub(super) fn is_span(word: &str) -> bool {
    let singular = singular(word);
    SPANS
        .iter()
        .any(|(_, signs)| signs.contains(&singular.as_str()) || signs.contains(&word))
}

/// Meanings of the words of a part of the question that say what it is about.
pub(super) fn content(text: &str, toolbox: &Toolbox<'_>) -> Vec<String> {
    let said = words(text);
    let content = said.iter().filter(|word| {
        !is_filler(word) && !is_span(word) && (toolbox.knows(word) || is_plain(word))
    });
    content.map(|word| meaning(word)).collect()
}
