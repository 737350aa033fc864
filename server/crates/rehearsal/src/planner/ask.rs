//! The question of a person, from their words and the things that the data names.

mod bound;
mod language;
mod listing;
mod near;
mod pointing;
mod uptime;

pub(super) use bound::{Bound, BoundUnit};
use language::{is_foreign, unaddressed};

use super::{
    action::{self, Action},
    records::{self, Record},
    span::{is_span, span},
    talk::{self, Talk},
    toolbox::Toolbox,
    view::View,
    words::{is_filler, is_plain, meaning, original, singular, words},
};
use crate::texts::manner;

/// A word that may be the name of something that no data has named yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stranger {
    /// As it is written.
    pub(super) word: String,
    /// It stands behind `on`.
    pub(super) is_place: bool,
    /// Its place among the words.
    pub(super) at: usize,
    /// It stands where a name stands, or looks like one; else it may as well be an everyday word.
    pub(super) is_name: bool,
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
    /// Known things that strange words may mean, where it is not certain.
    pub(super) near: Vec<Record>,
    /// The things of an order for several, as they are written.
    pub(super) several: Vec<String>,
    /// Kind and identifier of what came with the words, where tools are not told of it by name.
    pub(super) about: Option<(String, String)>,
    /// The thing that the last answer was about.
    pub(super) spoken_of: Option<Record>,
    /// A bound of a quantity, such as "more than 30 days".
    pub(super) bound: Option<Bound>,
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
    /// They quote a sentence, which is text and no request.
    pub(super) quotes: bool,
    /// The words are in no English.
    pub(super) foreign: bool,
}

impl Ask {
    pub(super) fn has(&self, word: &str) -> bool {
        self.said.iter().any(|said| said == word)
    }

    /// True if the words follow each other.
    pub(super) fn pair(&self, a: &str, b: &str) -> bool {
        self.said
            .windows(2)
            .any(|pair| pair[0] == a && pair[1] == b)
    }

    /// True if the past at a moment is asked for: "a month ago".
    pub(super) fn is_of_then(&self) -> bool {
        self.span.is_some() && self.has("ago")
    }

    /// True if it is asked what uses something up: "what is eating the memory?"
    pub(super) fn seeks_user(&self) -> bool {
        self.said
            .first()
            .is_some_and(|word| word == "what" || word == "who")
            && self.any(&["eating", "eats", "hogging", "hogs", "using", "consuming"])
    }

    /// True if it is asked when or whether something will be full.
    pub(super) fn is_forecast(&self) -> bool {
        self.wants("full") && self.any(&["will", "when", "until", "before"])
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
    let talk = talk::read(&view.question);
    // "Yes": what was asked before, with the name that was offered.
    let agreed = view
        .earlier_questions
        .first()
        .filter(|_| talk == Some(Talk::Yes) && view.last_answer.starts_with(manner::ASKS_BACK));
    let question = agreed.unwrap_or(&view.question);
    // Of two questions the first: why something else is so is another one.
    let first = question.split_once(" and why ").map(|(first, _)| first);
    let first = first.filter(|first| first.split_whitespace().count() > 2);
    let mut ask = read_words(unaddressed(first.unwrap_or(question)), toolbox, known);
    ask.quotes = quotes(question) && ask.action.is_none();
    ask.talk = talk.filter(|_| agreed.is_none());
    let is_order = ask.action.is_some() && agreed.is_none();
    near::resolve(&mut ask, known, is_order);
    near::renamed(&mut ask, view);
    drop_plain(&mut ask, view, toolbox);
    ask.spoken_of = pointing::spoken_of(view, known);
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
            None if toolbox.is_noun(&meaning(kind))
                && (ask.why || ask.any(&["wrong", "happened", "failed", "fail"])) =>
            {
                ask.about = Some((kind.clone(), id.clone()));
                ask.content.push(meaning("failed"));
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
    let which_one = ask.said.windows(2).any(|pair| {
        pair[0] == "which" && matches!(pair[1].as_str(), "one" | "ones")
            || pair[0] == "of" && pair[1] == "them"
    });
    if (pointing::points_back(&ask, &view.last_answer) || which_one) && ask.talk.is_none() {
        pointing::point_back(view, toolbox, known, which_one, &mut ask);
    }
    ask.doubt = doubt(&ask, &ask.question);
    ask
}

/// True if the words quote a sentence.
fn quotes(question: &str) -> bool {
    let mut quoted = question.split(['"', '“', '”']).skip(1).step_by(2);
    quoted.any(|text| text.split_whitespace().count() > 3)
}

/// Strange words that stand where no name stands are everyday words, once all names are known and none is
/// like them.
fn drop_plain(ask: &mut Ask, view: &View<'_>, toolbox: &Toolbox<'_>) {
    let mut finders = toolbox.readers().filter(|card| card.finds()).peekable();
    let is_done = |name: &str| view.done.iter().any(|done| done.name == name);
    if ask.action.is_none()
        && finders.peek().is_some()
        && finders.all(|card| is_done(card.tool.name))
    {
        ask.strangers.retain(|it| it.is_name || it.is_place);
    }
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
    // A near name is asked about, not doubted.
    if !ask.near.is_empty() && ask.named.iter().all(|record| record.ids.is_empty()) {
        return None;
    }
    if action.command.is_some() || !ask.several.is_empty() {
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
    ask.bound = Bound::read(question, &said);
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
        // "The short version, please" is no matter.
        let before = at.checked_sub(1).and_then(|at| said.get(at));
        if word == "version"
            && before.is_some_and(|word| matches!(word.as_str(), "short" | "quick" | "brief"))
        {
            continue;
        }
        // "Are they recent?" asks when, not what happened.
        if word == "recent" && at + 1 == said.len() {
            continue;
        }
        // Which has the most is asked, and how much of it, not by which command.
        if matches!(word.as_str(), "free" | "left")
            && said.first().is_some_and(|first| first == "which")
        {
            continue;
        }
        // "Is it back?" asks whether it runs; "back up" is another matter.
        if word == "back" && said.get(at + 1).is_none_or(|next| next != "up") {
            ask.content.push(meaning("running"));
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
        // "My homelab", "our servers": what is called by its kind has no other name.
        if before.is_some_and(|word| matches!(word.as_str(), "my" | "our" | "your")) {
            continue;
        }
        let word = spelled.get(at).copied().unwrap_or(word);
        ask.strangers.push(Stranger {
            word: word.to_owned(),
            is_place: before.is_some_and(|word| word == "on" || toolbox.is_common(&singular(word))),
            at,
            is_name: is_like_a_name(word, at, &said, toolbox) || ask.action.is_some(),
        });
    }
    let refers =
        |word: &str| toolbox.is_noun_or_kind(&meaning(word)) || toolbox.is_kind(&singular(word));
    if ask.action.is_some() {
        ask.several = several(question, &ask, &refers);
    }
    uptime::read(&mut ask, &said);
    let which = said.windows(2).find(|pair| pair[0] == "which");
    let noun = which.map(|pair| meaning(&pair[1]));
    ask.which = noun.filter(|noun| ask.content.contains(noun) && toolbox.is_noun_or_kind(noun));
    let lacking = said
        .windows(2)
        .find(|pair| matches!(pair[0].as_str(), "no" | "without"));
    ask.lacks = lacking.map(|pair| meaning(&pair[1]));
    ask.said = said;
    if ask.has("back") && ask.wants("run") {
        ask.said.push("running".to_owned());
    }
    ask
}

/// True if a strange word has the form of a name or stands where one is expected.
fn is_like_a_name(word: &str, at: usize, said: &[String], toolbox: &Toolbox<'_>) -> bool {
    const BEFORE: &[&str] = &[
        "is", "are", "was", "does", "did", "do", "has", "of", "on", "for", "called", "named",
        "about", "how's", "what's", "how", "why", "when", "where", "and", "or", "from", "to", "by",
        "with", "against", "can",
    ];
    let has_form = word.contains(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_' | '.'))
        || at > 0 && word.starts_with(|c: char| c.is_uppercase());
    let before = |steps: usize| at.checked_sub(steps).and_then(|at| said.get(at));
    // "The" says nothing about what follows.
    let is_article = |word: &String| matches!(word.as_str(), "the" | "my" | "a" | "an");
    let last = before(1)
        .filter(|word| !is_article(word))
        .or_else(|| before(2));
    let is_asked = last.is_some_and(|word| {
        let is_kind = toolbox.is_kind(&singular(word)) || toolbox.is_common(&singular(word));
        let asks =
            before(2).is_some_and(|word| matches!(word.as_str(), "which" | "what" | "any" | "all"));
        BEFORE.contains(&word.as_str()) || is_kind && !asks
    });
    has_form || is_asked
}

/// The things of an order for several, where it is for nothing else.
fn several(question: &str, ask: &Ask, is_noun: &dyn Fn(&str) -> bool) -> Vec<String> {
    let Some(action) = ask
        .action
        .as_ref()
        .filter(|action| action.command.is_none())
    else {
        return Vec::new();
    };
    // The words behind the verb: what stands before them is the verb and politeness.
    let behind = original(question).len() - action.rest.len().min(original(question).len());
    let names = listing::names(question, behind, is_noun);
    let is_one = |name: &String| {
        ask.named.iter().any(|record| record.is_called(name))
            || ask
                .strangers
                .iter()
                .any(|it| it.word.eq_ignore_ascii_case(name))
            || name.parse::<i64>().is_ok_and(|id| {
                ask.ids.contains(&id)
                    || ask
                        .named
                        .iter()
                        .any(|record| record.ids.iter().any(|(_, own)| *own == id))
            })
    };
    if names.iter().all(is_one) {
        names
    } else {
        Vec::new()
    }
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

/// Meanings of the words of a part of the question that say what it is about.
pub(super) fn content(text: &str, toolbox: &Toolbox<'_>) -> Vec<String> {
    let said = words(text);
    let content = said.iter().filter(|word| {
        !is_filler(word) && !is_span(word) && (toolbox.knows(word) || is_plain(word))
    });
    content.map(|word| meaning(word)).collect()
}
