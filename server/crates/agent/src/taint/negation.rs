//! Clauses of a person's message, and those among them that say not to do something.
//!
//! "Never restart smbd" names smbd and orders nothing. Language is not parsed here: there are lists
//! of words in English and German, and whatever looks like a prohibition is taken for one, unless
//! it is known to describe a state ("smbd is not running"). A clause that is taken for a
//! prohibition by mistake costs a question; so in doubt it is one.

mod lists;

use lists::{
    ACTIONS, CONTRAST, DESCRIBED, EITHER_WAY, FILLERS, GERMAN_STATES, GERMAN_VERBS, HARMLESS_NO,
    MODALS, PRONOUNS, SKIPPED, THIRD_PERSON, UNIVERSAL, WISHES,
};

use crate::ports::Case;

/// A part of a message with one attitude to what it names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// As written.
    written: String,
    /// In lower case, as far as ASCII goes.
    lower: String,
    /// It says not to do something, or leaves out what it names.
    pub(super) excludes: bool,
    /// It names nothing, such as "please".
    is_empty: bool,
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
    /// It begins by taking back what was said before it, such as "No, leave it."
    pub(super) takes_back: bool,
}

impl Clauses {
    pub(super) fn of(text: &str) -> Self {
        let mut read = Self::default();
        for sentence in sentences(text) {
            read.sentence(&sentence);
        }
        read
    }

    fn sentence(&mut self, sentence: &str) {
        let words = words(sentence);
        let parts = parts(&words);
        for (n, part) in parts.iter().enumerate() {
            let end = parts.get(n + 1).map_or(words.len(), |next| next.from);
            let (Some(inside), Some(first)) = (words.get(part.from..end), words.get(part.from))
            else {
                continue;
            };
            let refuses =
                inside.len() == 1 && matches!(first.text.as_str(), "no" | "nein" | "stop");
            let excludes =
                part.excludes || refuses || (0..inside.len()).any(|at| negates(inside, at));
            if excludes && is_about_what_came_before(inside) {
                let mut before = self.all.iter_mut().rev();
                match before.find(|before| !before.is_empty) {
                    Some(before) => before.excludes = true,
                    None => self.takes_back = true,
                }
            }
            if self.all.is_empty() && matches!(first.text.as_str(), "no" | "nein" | "wait" | "nope")
            {
                self.takes_back = true;
            }
            let to = words.get(end).map_or(sentence.len(), |next| next.at);
            let text = sentence.get(first.at..to).unwrap_or(sentence);
            self.all.push(Clause {
                lower: text.to_ascii_lowercase(),
                written: text.to_owned(),
                excludes,
                is_empty: !names_anything(inside),
            });
        }
    }
}

/// Sentences end with a mark before a blank, or with the line; a list belongs to the line above it
/// that ends in a colon.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    let mut heading = false;
    for line in text.lines() {
        let line = line.trim();
        let mut from = 0;
        let mut ends = line.char_indices().filter(|(at, c)| {
            let next = line[at + c.len_utf8()..].chars().next();
            matches!(c, '.' | '!' | '?' | ';' | '…') && next.is_none_or(char::is_whitespace)
        });
        let mut joins = heading && !line.is_empty();
        loop {
            let end = ends.next().map(|(at, c)| at + c.len_utf8());
            let sentence = line[from..end.unwrap_or(line.len())].trim();
            match sentences.last_mut().filter(|_| joins) {
                Some(above) => above.push_str(&format!(" , {sentence}")),
                None if !sentence.is_empty() => sentences.push(sentence.to_owned()),
                None => {}
            }
            joins = false;
            match end {
                Some(end) => from = end,
                None => break,
            }
        }
        let listed = line.starts_with(['-', '*', '•', '+'])
            || line.starts_with(|c: char| c.is_ascii_digit());
        heading = line.ends_with(':') || heading && listed;
    }
    sentences
}

/// A word of a sentence.
#[derive(Debug)]
struct Word {
    at: usize,
    /// In lower case.
    text: String,
    /// A comma, a dash or a colon stands before it.
    after_mark: bool,
}

fn words(sentence: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut after_mark = false;
    let mut open = false;
    for (at, c) in sentence.char_indices() {
        let c = match c {
            '’' | '‘' | '`' | '´' if open => '\'',
            c => c,
        };
        if c.is_alphanumeric() || c == '\'' && open {
            match words.last_mut().filter(|_| open) {
                Some(word) => word.text.extend(c.to_lowercase()),
                None => words.push(Word {
                    at,
                    text: c.to_lowercase().collect(),
                    after_mark: std::mem::take(&mut after_mark),
                }),
            }
            open = true;
        } else {
            open = false;
            after_mark |= matches!(c, ',' | ':' | '–' | '—' | '(' | ')');
        }
    }
    for word in &mut words {
        word.text.truncate(word.text.trim_end_matches('\'').len());
    }
    words
}

/// The beginning of a clause.
struct Part {
    from: usize,
    /// It is an exception from what stands before it.
    excludes: bool,
}

fn parts(words: &[Word]) -> Vec<Part> {
    // A clause begins at an exception, at a contrast, or at a prohibition with an object of its
    // own. A contrast excludes only after a universal word: "restart everything but nginx" spares
    // nginx, "restart smbd but check nginx" does not.
    let mut parts = vec![Part {
        from: 0,
        excludes: false,
    }];
    for (at, word) in words.iter().enumerate() {
        let last = parts.last().map_or(0, |part| part.from);
        let text = word.text.as_str();
        if is_exception(words, at) {
            parts.push(Part {
                from: at,
                excludes: true,
            });
        } else if at > 0 && is_one_of(text, CONTRAST) {
            let all = words[last..at]
                .iter()
                .any(|word| is_one_of(&word.text, UNIVERSAL));
            parts.push(Part {
                from: at,
                excludes: all,
            });
        } else if at > last
            && begins_prohibition(words, at)
            && (word.after_mark
                || is_one_of(
                    &words[at - 1].text,
                    &["and", "or", "und", "oder", "please", "bitte"],
                ))
        {
            parts.push(Part {
                from: at,
                excludes: false,
            });
        } else if word.after_mark && last == 0 && parts.len() == 2 && parts[1].excludes {
            // "Instead of smbd, restart nginx": the exception came first and ends here.
            parts.push(Part {
                from: at,
                excludes: false,
            });
        }
    }
    // An exception at the very beginning is the first part.
    if parts.len() > 1 && parts[1].from == 0 {
        parts.remove(0);
    }
    parts
}

/// True if a word begins an exception: "except nginx", "instead of nginx".
fn is_exception(words: &[Word], at: usize) -> bool {
    let next = words.get(at + 1).map_or("", |word| word.text.as_str());
    match words[at].text.as_str() {
        "except" | "excepting" | "excluding" | "besides" | "without" | "außer" | "ausser"
        | "ohne" | "statt" | "anstatt" | "anstelle" | "ausgenommen" => true,
        "instead" => next == "of",
        "rather" | "other" => next == "than",
        "apart" | "aside" => next == "from",
        "bis" => next == "auf",
        "mit" => next == "ausnahme",
        _ => false,
    }
}

/// True if a clause with an object of its own may begin here: "…, not nginx", "… and leave nginx
/// alone".
fn begins_prohibition(words: &[Word], at: usize) -> bool {
    match words[at].text.as_str() {
        "not" | "nicht" => words.get(at + 1).is_some_and(|next| {
            !is_one_of(&next.text, ACTIONS) && !is_one_of(&next.text, &["to", "zu", "be"])
        }),
        "never" | "don't" | "dont" | "do" | "leave" | "keep" | "skip" | "ignore" | "avoid"
        | "spare" | "nie" | "niemals" | "lass" | "lasse" | "laß" | "kein" | "keine" | "keinen" => {
            let rest = &words[at..];
            negates(rest, 0) || rest.len() > 1 && negates(rest, 1)
        }
        _ => false,
    }
}

/// True if a clause names nothing itself, or points back.
fn is_about_what_came_before(words: &[Word]) -> bool {
    !names_anything(words) || words.iter().any(|word| is_one_of(&word.text, PRONOUNS))
}

/// True if a clause has any word that may be a name.
fn names_anything(words: &[Word]) -> bool {
    words.iter().any(|word| {
        let known = [ACTIONS, FILLERS, WISHES, PRONOUNS];
        !known.iter().any(|list| is_one_of(&word.text, list))
    })
}

/// True if a word of a clause turns it into a prohibition.
fn negates(words: &[Word], at: usize) -> bool {
    // The negations proper list the words with which they are harmless, not those with which they
    // forbid: a phrase that nobody thought of stays a prohibition and costs a question.
    let word = |at: Option<usize>| {
        at.and_then(|at| words.get(at))
            .map_or("", |word| word.text.as_str())
    };
    let before = word(at.checked_sub(1));
    let next = word(Some(at + 1));
    let has = |list: &[&str]| words.iter().any(|word| is_one_of(&word.text, list));
    match word(Some(at)) {
        "not" => match before {
            "why" | "if" | "or" | "whether" => false,
            "do" => !describes(words, at, false),
            modal if is_one_of(modal, MODALS) => true,
            _ => !is_one_of(next, &["only", "sure", "just", "bad"]) && !describes(words, at, true),
        },
        "don't" | "dont" => !describes(words, at, false),
        text if is_one_of(text, THIRD_PERSON) => !describes(words, at, true),
        text if text.ends_with("n't") => true,
        "never" => !is_one_of(
            next,
            &[
                "mind", "answers", "responds", "came", "started", "worked", "works",
            ],
        ),
        "no" => {
            !(is_one_of(next, HARMLESS_NO)
                || at == 0 && words.get(1).is_some_and(|next| next.after_mark))
        }
        "nothing" | "none" | "nobody" => !is_one_of(
            next,
            &["works", "happens", "helps", "changed", "loads", "helped"],
        ),
        "forget" => !is_one_of(before, &["don't", "dont", "not"]),
        "keep" => !is_one_of(
            next,
            &[
                "me", "us", "an", "in", "having", "getting", "failing", "crashing",
            ],
        ),
        "wait" => next != "for",
        "stop" | "quit" => next.ends_with("ing"),
        "hold" => next == "off",
        "hands" => next == "off",
        "off" => next == "limits",
        "let" => has(&["be", "alone"]),
        "remain" | "remains" | "stay" | "stays" => {
            !is_one_of(next, &["down", "offline", "stuck", "dead"])
        }
        "instead" => next == "of",
        "nicht" => {
            !is_one_of(before, GERMAN_VERBS) && !is_one_of(next, GERMAN_STATES) && before != "warum"
        }
        "nichts" => !is_one_of(before, GERMAN_VERBS) && !is_one_of(next, GERMAN_VERBS),
        text if text.starts_with("kein") => !is_one_of(next, HARMLESS_NO),
        "lass" | "lasse" | "lasst" | "laß" | "lassen" => {
            !is_one_of(next, &["uns", "mich", "mir"])
                && !has(&["neu", "neustarten", "starten", "wissen"])
        }
        "bleib" | "bleiben" | "bleibt" => !has(&["hängen", "stehen", "stecken", "tot", "offline"]),
        text => is_one_of(text, EITHER_WAY),
    }
}

/// True if a negation says how something is, and not what to leave: the first word after it that
/// says anything is a state. "Does not start" describes, "do not start" orders.
fn describes(words: &[Word], at: usize, third_person: bool) -> bool {
    let mut after = words.iter().skip(at + 1).map(|word| word.text.as_str());
    let Some(first) = after.find(|word| !is_one_of(word, SKIPPED)) else {
        return false;
    };
    let (of_anything, of_the_third) = DESCRIBED;
    is_one_of(first, of_anything) || third_person && is_one_of(first, of_the_third)
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.contains(&word)
}

#[cfg(test)]
mod tests;
