//! One text from outside, and the values that may have come out of it.

use std::{
    collections::HashSet,
    sync::{Arc, OnceLock},
};

use protocol::OriginSource;
use serde_json::value::RawValue;

use super::{
    canonical::{heard_forms, hearing, squashed},
    decoded::readings,
};

/// The longest value that is looked for in two pieces, in bytes: a name. Anything longer is a text,
/// and each of its letters would be another place to look for.
const MAX_NAME: usize = 128;

/// A text that nobody vouches for.
#[derive(Debug)]
pub(super) struct Outside {
    pub(super) source: OriginSource,
    raw: Arc<RawValue>,
    /// Made when they are first needed: most texts are never searched, and none is read twice.
    forms: OnceLock<Forms>,
}

#[derive(Debug)]
struct Forms {
    /// The readings, folded.
    folded: Vec<String>,
    /// The same with letters and digits alone.
    squashed: Vec<String>,
    words: HashSet<String>,
    too_deep: bool,
}

/// A value that is looked for, in all its forms.
pub(super) struct Sought {
    forms: Vec<String>,
    squashed: Vec<String>,
}

impl Sought {
    pub(super) fn new(value: &str) -> Self {
        let forms = heard_forms(value);
        let squashed = forms.iter().map(|form| squashed(form));
        Self {
            squashed: squashed.filter(|form| form.len() > 1).collect(),
            forms,
        }
    }
}

impl Outside {
    pub(super) fn new(source: OriginSource, raw: Arc<RawValue>) -> Self {
        Self {
            source,
            raw,
            forms: OnceLock::new(),
        }
    }

    fn forms(&self) -> &Forms {
        self.forms.get_or_init(|| {
            let readings = readings(self.raw.get());
            let mut folded: Vec<_> = readings.texts.iter().map(|text| hearing(text)).collect();
            folded.dedup();
            let mut squashed: Vec<_> = folded.iter().map(|text| squashed(text)).collect();
            squashed.dedup();
            // Words as they are, and names with the marks that stand within names.
            let plain = |c: char| !c.is_alphanumeric();
            let joined = |c: char| plain(c) && !matches!(c, '-' | '_' | '.' | '@' | ':' | '/');
            let split = |text: &String| {
                let both = text.split(plain).chain(text.split(joined));
                both.map(super::canonical::squashed).collect::<Vec<_>>()
            };
            let words = folded.iter().flat_map(split);
            let words = words.filter(|word| !word.is_empty()).collect();
            Forms {
                folded,
                squashed,
                words,
                too_deep: readings.too_deep,
            }
        })
    }

    /// True if it says the value as a word of its own.
    pub(super) fn says(&self, sought: &Sought) -> bool {
        let forms = self.forms();
        let said = |form: &String| forms.folded.iter().any(|text| mentions(text, form));
        sought.forms.iter().any(said)
    }

    /// True if the value can be put together from it: inside of other words, or from two of them.
    pub(super) fn hints_at(&self, sought: &Sought) -> bool {
        let forms = self.forms();
        let inside = |form: &String| forms.squashed.iter().any(|text| text.contains(form));
        let from_two = |form: &String| {
            let mut places = form.char_indices().skip(1);
            form.len() <= MAX_NAME
                && places.any(|(at, _)| {
                    let (one, other) = form.split_at(at);
                    forms.words.contains(one) && forms.words.contains(other)
                })
        };
        forms.too_deep
            || sought
                .squashed
                .iter()
                .any(|form| inside(form) || from_two(form))
    }
}

/// True if a text mentions a value as a word of its own; zeros before a number are part of it.
fn mentions(text: &str, value: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (first, last) = (value.chars().next(), value.chars().next_back());
    if first.is_none() {
        return false;
    }
    text.match_indices(value).any(|(at, found)| {
        let before = &text[..at];
        let before = if first.is_some_and(|c| c.is_ascii_digit()) {
            before.trim_end_matches('0')
        } else {
            before
        };
        let after = text[at + found.len()..].chars().next();
        let before = before.chars().next_back();
        let goes_on = is_word(first) && is_word(before) || is_word(last) && is_word(after);
        !goes_on
    })
}
