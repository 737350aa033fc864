//! A message in sentences, words and clauses.

use super::{
    lists::{ACTIONS, CONTRAST, UNIVERSAL, WITHOUT_MORE},
    prohibitions::negates,
};

/// A word of a sentence.
#[derive(Debug, Clone)]
pub(super) struct SentenceWord {
    pub(super) at: usize,
    /// In lower case.
    pub(super) text: String,
    /// A comma, a dash or a colon stands before it.
    pub(super) after_mark: bool,
}

/// Sentences end with a mark before a blank, or with the line; a list belongs to the line above it
/// that ends in a colon.
pub(super) fn sentences(text: &str) -> Vec<String> {
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

pub(super) fn words(sentence: &str) -> Vec<SentenceWord> {
    let mut words: Vec<SentenceWord> = Vec::new();
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
                None => words.push(SentenceWord {
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
pub(super) struct SentencePart {
    pub(super) from: usize,
    /// It is an exception from what stands before it.
    pub(super) excludes: bool,
}

pub(super) fn parts(words: &[SentenceWord]) -> Vec<SentencePart> {
    // A clause begins at an exception, at a contrast, or at a prohibition with an object of its
    // own. A contrast excludes only after a universal word: "restart everything but nginx" spares
    // nginx, "restart smbd but check nginx" does not.
    let mut parts = vec![SentencePart {
        from: 0,
        excludes: false,
    }];
    for (at, word) in words.iter().enumerate() {
        let last = parts.last().map_or(0, |part| part.from);
        let text = word.text.as_str();
        if is_exception(words, at) {
            parts.push(SentencePart {
                from: at,
                excludes: true,
            });
        } else if at > 0 && CONTRAST.contains(text) {
            let all = words[last..at]
                .iter()
                .any(|word| UNIVERSAL.contains(word.text.as_str()));
            parts.push(SentencePart {
                from: at,
                excludes: all,
            });
        } else if at > last
            && begins_prohibition(words, at)
            && (word.after_mark
                || ["and", "or", "und", "oder", "please", "bitte"]
                    .contains(&words[at - 1].text.as_str()))
        {
            parts.push(SentencePart {
                from: at,
                excludes: false,
            });
        } else if word.after_mark && last == 0 && parts.len() == 2 && parts[1].excludes {
            // "Instead of smbd, restart nginx": the exception came first and ends here.
            parts.push(SentencePart {
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
fn is_exception(words: &[SentenceWord], at: usize) -> bool {
    let next = words.get(at + 1).map_or("", |word| word.text.as_str());
    match words[at].text.as_str() {
        "except" | "excepting" | "excluding" | "besides" | "minus" | "außer" | "ausser"
        | "statt" | "anstatt" | "anstelle" | "ausgenommen" => true,
        "without" | "ohne" => !WITHOUT_MORE.contains(next),
        "instead" => next == "of",
        "rather" | "other" => next == "than",
        "apart" | "aside" => next == "from",
        "save" => next == "for",
        "bis" => next == "auf",
        "mit" => next == "ausnahme",
        _ => false,
    }
}

/// True if a clause with an object of its own may begin here: "…, not nginx", "… and leave nginx
/// alone".
fn begins_prohibition(words: &[SentenceWord], at: usize) -> bool {
    match words[at].text.as_str() {
        "not" | "nicht" => words.get(at + 1).is_some_and(|next| {
            !ACTIONS.contains(next.text.as_str())
                && !["to", "zu", "be"].contains(&next.text.as_str())
        }),
        "never" | "don't" | "dont" | "do" | "leave" | "keep" | "skip" | "ignore" | "avoid"
        | "spare" | "protect" | "nie" | "niemals" | "lass" | "lasse" | "laß" | "kein" | "keine"
        | "keinen" => {
            let rest = &words[at..];
            negates(rest, 0) || rest.len() > 1 && negates(rest, 1)
        }
        _ => false,
    }
}
