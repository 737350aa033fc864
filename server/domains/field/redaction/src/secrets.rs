//! The removal of secrets: passwords, keys, tokens of services. What is removed here is stored nowhere.
//!
//! Anchors, which are parts of names and beginnings of tokens, are found in one pass; what follows an anchor
//! is then read by the rules of its form. The rules come from the documented formats of the services.

mod headers;
mod jwt;
mod named;
mod pem;
mod urls;
mod vendors;
mod wireless;

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::candidate::RankedPlace;
use crate::class::{Class, ClassTally};
use crate::layers::Layers;
use crate::segments::{Segment, each_segment};
use crate::texts::{SECRET_REMOVED, UNREADABLE_REMOVED};

pub(crate) use pem::PemState;

/// The rule that reads what an anchor announces. Gets the text and where the anchor begins and ends, and
/// returns what to remove.
type SecretRule = fn(&str, Range<usize>) -> Option<Range<usize>>;

static ANCHORS: LazyLock<Option<(AhoCorasick, Vec<SecretRule>)>> = LazyLock::new(|| {
    let mut words: Vec<&str> = Vec::new();
    let mut rules: Vec<SecretRule> = Vec::new();
    let mut add = |more: &[&'static str], rule: SecretRule| {
        words.extend_from_slice(more);
        rules.extend(more.iter().map(|_| rule));
    };
    for vendor in vendors::all() {
        add(&[vendor], vendors::read);
    }
    add(&named::ANCHORS, named::read);
    add(&headers::ANCHORS, headers::read);
    add(&urls::ANCHORS, urls::read);
    add(&wireless::ANCHORS, wireless::read);
    add(&["eyJ"], jwt::read);
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .build(words);
    automaton.ok().map(|automaton| (automaton, rules))
});

/// A text without its secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WithoutSecrets {
    pub text: String,
    /// Secrets that were removed, and words that could not be read.
    pub counts: ClassTally,
}

/// Removes all secrets from a text. Idempotent; nothing is kept of what is removed.
#[must_use]
pub fn drop_secrets(text: &str) -> WithoutSecrets {
    let mut pem = PemState::default();
    let mut result = WithoutSecrets::default();
    each_segment(text, |segment| result.add(&mut pem, segment));
    result
}

impl WithoutSecrets {
    pub(crate) fn add(&mut self, pem: &mut PemState, segment: Segment<'_>) {
        match segment {
            Segment::Text(text) => {
                let piece = pem.scrub(text);
                self.text.push_str(&piece.text);
                self.counts.add(&piece.counts);
            }
            Segment::Removed(mark) => {
                self.text.push_str(mark);
                self.counts.unreadable += 1;
            }
        }
    }
}

impl PemState {
    /// Removes the secrets of whole lines. The state says whether the lines before ended inside of a key of
    /// several lines.
    pub(crate) fn scrub(&mut self, text: &str) -> WithoutSecrets {
        let mut result = WithoutSecrets::default();
        let mut from = 0;
        for place in self.places(text) {
            result.text.push_str(&text[from..place.range.start]);
            result.text.push_str(place.what);
            from = place.range.end;
            if place.what == SECRET_REMOVED {
                result.counts.count(Class::Secret);
            } else if place.what == UNREADABLE_REMOVED {
                result.counts.unreadable += 1;
            }
        }
        result.text.push_str(&text[from..]);
        result
    }

    /// The ranges of secrets alone.
    pub(crate) fn secrets(&mut self, text: &str) -> Vec<Range<usize>> {
        let places = self.places(text).into_iter();
        let secrets = places.filter(|place| place.what != UNREADABLE_REMOVED);
        secrets.map(|place| place.range).collect()
    }

    fn places(&mut self, text: &str) -> Vec<RankedPlace<&'static str>> {
        let layers = Layers::of(text);
        let mut places = Vec::new();
        let place = |range: Range<usize>, what: &'static str| RankedPlace {
            range,
            rank: u8::from(what == UNREADABLE_REMOVED),
            what,
        };
        for range in &layers.undecodable {
            places.push(place(range.clone(), UNREADABLE_REMOVED));
        }
        let mut begins = Vec::new();
        look(text, &mut |range| places.push(place(range, SECRET_REMOVED)));
        pem::begins(text, &mut |at| begins.push(at));
        layers.each(|layer, original| {
            look(layer, &mut |range| {
                places.push(place(original(range), SECRET_REMOVED));
            });
            pem::begins(layer, &mut |at| begins.push(original(at..at + 1).start));
        });
        for part in self.blocks(text, begins) {
            places.push(place(part.range, part.mark));
        }
        merged(places)
    }
}

/// Finds the secrets of one layer.
fn look(text: &str, found: &mut dyn FnMut(Range<usize>)) {
    let Some((automaton, rules)) = &*ANCHORS else {
        return;
    };
    for hit in automaton.find_overlapping_iter(text) {
        let rule = rules[hit.pattern().as_usize()];
        let range = rule(text, hit.range());
        if let Some(range) = range.filter(|range| is_worth_it(&text[range.clone()])) {
            found(range);
        }
    }
}

/// False for what was removed before, and for white space.
fn is_worth_it(value: &str) -> bool {
    let inner = SECRET_REMOVED.trim_matches(['[', ']']);
    // A rule that reads one word sees the half of the mark.
    let is_mark = value.contains(inner) || value.starts_with("[secret") || value == "removed]";
    !value.trim().is_empty() && !is_mark
}

/// Two rules may see one secret differently: all of both is removed, as one.
fn merged(mut places: Vec<RankedPlace<&'static str>>) -> Vec<RankedPlace<&'static str>> {
    places.sort_by_key(|place| (place.range.start, place.range.end));
    let mut merged: Vec<RankedPlace<&'static str>> = Vec::new();
    for place in places {
        match merged.last_mut() {
            Some(last) if place.range.start < last.range.end => {
                last.range.end = last.range.end.max(place.range.end);
                if place.rank < last.rank {
                    (last.rank, last.what) = (place.rank, place.what);
                }
            }
            _ => merged.push(place),
        }
    }
    merged
}
