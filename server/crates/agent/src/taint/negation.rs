//! Clauses of a person's message: those that order something, those that only ask about it, and
//! those that say not to do it.
//!
//! "Never restart smbd" names smbd and orders nothing. Language is not parsed here: there are lists
//! of words in English and German, and whatever looks like a prohibition is taken for one, unless
//! it is known to describe a state ("smbd is not running") or to ask for a fact ("why is it not
//! restarted?"). A clause that is taken for a prohibition by mistake costs a question; so in doubt
//! it is one.

mod lists;
mod orders;
mod prohibitions;
mod questions;
mod sentences;
mod verbs;

use lists::{
    ACTIONS, ANYTHING, BAD, CONDITIONS, FILLERS, GENERIC, NO_OBJECT, OTHERS, PRONOUNS, PUT_OFF,
    REFUSALS, REPLACING, WISHES,
};
pub(super) use orders::Force;
use prohibitions::forbids;
use questions::without_asked;
use sentences::{SentenceWord, parts, sentences, words};
pub(super) use verbs::replaced_verb;

use crate::ports::Case;

/// The longest sentence that is read, in words. Anything longer was pasted, and the time to read it
/// grows with the square of its length: it orders nothing.
const MAX_WORDS: usize = 300;

/// A part of a message with one attitude to what it names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// As written.
    written: String,
    /// In lower case, as far as ASCII goes.
    lower: String,
    /// It says not to do something, or leaves out what it names.
    pub(super) excludes: bool,
    pub(super) force: Force,
    /// It orders something for what was named before: "restart it".
    pub(super) orders_it: bool,
}

impl Clause {
    /// The text in which names are looked for.
    pub(super) fn text(&self, case: Case) -> &str {
        match case {
            Case::Ignored => &self.lower,
            Case::Counts => &self.written,
        }
    }
}

/// A message, read.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    pub(super) all: Vec<Clause>,
    /// It takes back what was said before it, such as "No, leave it."
    pub(super) takes_back: bool,
    /// It is only about stopping, such as "Stop it": after an order that takes it back.
    pub(super) stops: bool,
    /// It says to leave everything alone, whatever it is called.
    pub(super) forbids_all: bool,
    /// All clauses before this one are excluded.
    excluded_to: usize,
}

impl Clauses {
    pub(super) fn of(text: &str) -> Self {
        let mut read = Self::default();
        for sentence in sentences(text) {
            read.sentence(&sentence);
        }
        read.stops = is_stop(&words(text));
        read
    }

    fn sentence(&mut self, sentence: &str) {
        let words = words(sentence);
        if words.len() > MAX_WORDS {
            self.all.push(Clause {
                lower: sentence.to_ascii_lowercase(),
                written: sentence.to_owned(),
                excludes: true,
                force: Force::States,
                orders_it: false,
            });
            return;
        }
        let count = words.len();
        let words = without_asked(words, sentence);
        let denies = words.len() < count;
        let parts = parts(&words);
        for (n, part) in parts.iter().enumerate() {
            let end = parts.get(n + 1).map_or(words.len(), |next| next.from);
            let (Some(inside), Some(first)) = (words.get(part.from..end), words.get(part.from))
            else {
                continue;
            };
            let force = Force::of(inside, sentence);
            let excludes = part.excludes
                || is_refusal(inside)
                || is_retraction(inside, force)
                || forbids(inside);
            if excludes {
                self.exclude(inside);
            }
            if self.all.is_empty() && (opens_with_no(inside) || replaces(inside)) {
                self.takes_back = true;
            }
            let to = words.get(end).map_or(sentence.len(), |next| next.at);
            let text = sentence.get(first.at..to).unwrap_or(sentence);
            self.all.push(Clause {
                lower: text.to_ascii_lowercase(),
                written: text.to_owned(),
                excludes,
                force,
                orders_it: !excludes
                    && !denies
                    && orders::orders_it(inside, names_anything(inside)),
            });
        }
    }

    /// Carries a prohibition over to what it is about. Nobody knows how far back "it" reaches, so it
    /// reaches all that was said.
    fn exclude(&mut self, inside: &[SentenceWord]) {
        self.forbids_all |= is_about_anything(inside);
        if !is_about_what_came_before(inside) {
            return;
        }
        let before = self.all.get_mut(self.excluded_to..).unwrap_or_default();
        let is_order = |before: &Clause| !before.excludes && before.force >= Force::Requests;
        self.takes_back |= !before.iter().any(is_order);
        for before in before {
            before.excludes = true;
        }
        self.excluded_to = self.all.len();
    }
}

/// True if a clause is nothing but a refusal: "no", "OK stop".
fn is_refusal(words: &[SentenceWord]) -> bool {
    let refuses = |word: &SentenceWord| REFUSALS.contains(word.text.as_str());
    words.iter().any(refuses)
        && words
            .iter()
            .all(|word| refuses(word) || FILLERS.contains(word.text.as_str()))
}

/// True if a clause says of what came before that it was wrong.
fn is_retraction(words: &[SentenceWord], force: Force) -> bool {
    let bad = |word: &SentenceWord| BAD.contains(word.text.as_str());
    let is_of_it =
        |word: &SentenceWord| matches!(word.text.as_str(), "something" | "with" | "etwas" | "mit");
    force == Force::States
        && words.iter().any(bad)
        && !words.iter().any(is_of_it)
        && !names_anything(words)
}

/// True for "I meant nginx": what came before is replaced.
fn replaces(words: &[SentenceWord]) -> bool {
    words
        .iter()
        .any(|word| REPLACING.contains(word.text.as_str()))
}

/// True if a message is nothing but "stop it".
fn is_stop(all: &[SentenceWord]) -> bool {
    let stops =
        |word: &SentenceWord| matches!(word.text.as_str(), "stop" | "stopp" | "stoppe" | "halt");
    let known = [&FILLERS, &PRONOUNS];
    all.iter().any(stops)
        && all
            .iter()
            .all(|word| stops(word) || known.iter().any(|list| list.contains(word.text.as_str())))
}

/// True for "No, restart nginx": what came before is taken back, and what follows is not.
fn opens_with_no(words: &[SentenceWord]) -> bool {
    words.first().is_some_and(|first| {
        let harmless = words
            .get(1)
            .is_some_and(|next| lists::HARMLESS_NO.contains(next.text.as_str()));
        matches!(first.text.as_str(), "no" | "nein" | "nope" | "wait") && !harmless
    })
}

/// True if a prohibition is about whatever there is, and not only about what was not named.
fn is_about_anything(words: &[SentenceWord]) -> bool {
    let others = words.iter().any(|word| OTHERS.contains(word.text.as_str()));
    !others
        && words.iter().enumerate().any(|(at, word)| {
            let next = words.get(at + 1).map_or("", |word| word.text.as_str());
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            let before = before.map_or("", |word| word.text.as_str());
            let text = word.text.as_str();
            ANYTHING.contains(text)
                && !NO_OBJECT.contains(next)
                && !["at", "above", "after", "of"].contains(&before)
                || matches!(text, "no" | "kein" | "keine" | "keinen" | "keinerlei")
                    && GENERIC.contains(next)
        })
}

/// True if a clause names nothing itself, points back, or begins with a condition: "not while …".
fn is_about_what_came_before(words: &[SentenceWord]) -> bool {
    let points_back = words
        .iter()
        .any(|word| PRONOUNS.contains(word.text.as_str()));
    let is_of_others = words.iter().any(|word| OTHERS.contains(word.text.as_str()));
    let mut said = words
        .iter()
        .map(|word| word.text.as_str())
        .skip_while(|word| FILLERS.contains(word) && !CONDITIONS.contains(word));
    let is_negation = matches!(
        said.next(),
        Some("not" | "never" | "nicht" | "nie" | "don't" | "no" | "nein")
    );
    let is_condition = is_negation
        && said.next().is_some_and(|next| {
            CONDITIONS.contains(next)
                || [
                    "while", "during", "während", "solange", "vor", "am", "in", "tonight", "today",
                    "now", "yet", "jetzt", "heute",
                ]
                .contains(&next)
        });
    // A single word that excludes has no object.
    words.len() == 1 || points_back || is_condition || !is_of_others && !names_anything(words)
}

/// True if a clause has any word that may be a name.
fn names_anything(words: &[SentenceWord]) -> bool {
    words.iter().any(|word| {
        let known = [
            &ACTIONS,
            &FILLERS,
            &WISHES,
            &PRONOUNS,
            &GENERIC,
            &OTHERS,
            &lists::EITHER_WAY,
            &lists::ASKS,
            &lists::PERMISSION,
            &lists::LEADS,
            &BAD,
            &PUT_OFF,
            &REPLACING,
            &lists::THIRD_PERSON,
        ];
        !known.iter().any(|list| list.contains(word.text.as_str()))
    })
}

#[cfg(test)]
mod tests;
