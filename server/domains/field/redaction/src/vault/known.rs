//! All values of a vault in one pass over a text, in the spellings in which texts have them.
//!
//! # Names that are words
//!
//! Somebody may call a network `section` or `2437`. A name is hidden in one of two ways, and the guard of `leaks.rs`
//! looks for the same names as the cover does, so neither sees what the other does not:
//!
//! - A telling name is searched for in every text and replaced consistently wherever it stands, ordinary word or not:
//!   with a network called `reception`, the reception is `ssid-1` too. In a request it is a leak.
//! - A name that cannot be told from a word of the server itself is covered where its line says that it is one
//!   (`SSID: section`), and is left alone elsewhere. These are names of fewer than four characters, numbers, and
//!   whatever occurs in the fixed text (`Vault::with_fixed_text`): instructions, definitions of tools, and the words of
//!   the request's own JSON. No cover can replace those, so a neighbour's network of that name would stop each turn.
//! - Names of no meaning (`common.rs`), such as `router`, are no values: they have no token.
//!
//! A value that becomes known later may stand in texts that were covered before. They are covered again on their way
//! out (`cover_again`), and only what is still found then is a leak.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::VaultEntry;
use crate::address;
use crate::class::Class;
use crate::fields::{is_free_after, is_free_before};

/// So many new entries are searched with an automaton of their own, before all are put into one anew.
const RECENT: usize = 64;

/// The spelling in which a value was found: it decides what may stand beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownSpelling {
    /// Four numbers with dots.
    Dotted,
    /// Hexadecimal digits with colons.
    Colons,
    /// Digits in a row, whatever their case.
    Digits,
    /// A word in any case.
    Word,
    /// A word in this case only.
    Exact,
    /// A part of longer text in base64.
    Base64,
}

/// Searches for all entries of a vault.
#[derive(Clone, Default)]
pub(crate) struct KnownValues {
    settled: Option<KnownSearch>,
    recent: Option<KnownSearch>,
    /// Entries in `settled`, and in both.
    in_settled: usize,
    in_all: usize,
    /// Entries that are words of the text of each request.
    excluded: Vec<usize>,
}

#[derive(Clone)]
struct KnownSearch {
    automaton: AhoCorasick,
    patterns: Vec<KnownPattern>,
}

#[derive(Clone)]
struct KnownPattern {
    entry: usize,
    spelling: KnownSpelling,
    text: String,
}

impl KnownValues {
    /// Takes in the entries that are new. Those that `is_wanted` does not accept, and those that occur in
    /// `fixed`, are not searched for.
    pub(crate) fn refresh(
        &mut self,
        entries: &[VaultEntry],
        fixed: &str,
        is_wanted: impl Fn(&VaultEntry) -> bool,
    ) {
        if entries.len() == self.in_all {
            return;
        }
        let search = if entries.len() - self.in_settled > RECENT || self.in_settled == 0 {
            self.excluded.clear();
            self.recent = None;
            self.in_settled = entries.len();
            self.settled = KnownSearch::of(entries, 0, &is_wanted);
            &self.settled
        } else {
            self.recent = KnownSearch::of(entries, self.in_settled, &is_wanted);
            &self.recent
        };
        if let Some(search) = search {
            let excluded = &mut self.excluded;
            search.find(fixed, &mut |_, entry, _| excluded.push(entry));
        }
        self.in_all = entries.len();
    }

    /// Calls back with each place of a value: the index of its entry and its spelling.
    pub(crate) fn find(
        &self,
        text: &str,
        found: &mut dyn FnMut(Range<usize>, usize, KnownSpelling),
    ) {
        for search in [&self.settled, &self.recent].into_iter().flatten() {
            search.find(text, &mut |range, entry, spelling| {
                if !self.excluded.contains(&entry) {
                    found(range, entry, spelling);
                }
            });
        }
    }
}

impl KnownSearch {
    fn find(&self, text: &str, found: &mut dyn FnMut(Range<usize>, usize, KnownSpelling)) {
        for hit in self.automaton.find_overlapping_iter(text) {
            let pattern = &self.patterns[hit.pattern().as_usize()];
            if pattern.fits(text, hit.range()) {
                found(hit.range(), pattern.entry, pattern.spelling);
            }
        }
    }

    fn of(
        entries: &[VaultEntry],
        from: usize,
        is_wanted: &impl Fn(&VaultEntry) -> bool,
    ) -> Option<Self> {
        let mut patterns = Vec::new();
        for (index, entry) in entries.iter().enumerate().skip(from) {
            if is_searchable(entry) && is_wanted(entry) {
                spellings(entry, &mut |text, spelling| {
                    patterns.push(KnownPattern {
                        entry: index,
                        spelling,
                        text,
                    });
                });
            }
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(patterns.iter().map(|pattern| &pattern.text));
        let is_used = !patterns.is_empty();
        automaton.ok().filter(|_| is_used).map(|automaton| Self {
            automaton,
            patterns,
        })
    }
}

/// True for a value that can be looked for in any text. See "Names that are words" above: a name that
/// is very short, or a number, is in every text. It is covered where its context says what it is.
fn is_searchable(entry: &VaultEntry) -> bool {
    let value = entry.value();
    let length = value.chars().count();
    match entry.class {
        Class::Secret | Class::Network => false,
        Class::Host | Class::Ssid | Class::Person => length >= 4 && !is_number(value),
        Class::Serial => length >= 4,
        _ => length >= 3,
    }
}

/// True for a number as typed fields have it: nothing can be covered there, so a network called `2437` would
/// else stop every request with that frequency in it.
fn is_number(value: &str) -> bool {
    value.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-')
        && value.parse::<f64>().is_ok()
}

fn spellings(entry: &VaultEntry, add: &mut dyn FnMut(String, KnownSpelling)) {
    let value = entry.value();
    let mut in_base64 = vec![value.to_owned()];
    match entry.class {
        Class::Ipv4 => {
            let Ok(address) = value.parse::<Ipv4Addr>() else {
                return;
            };
            let [a, b, c, d] = address.octets();
            add(value.to_owned(), KnownSpelling::Dotted);
            add(format!("{a}-{b}-{c}-{d}"), KnownSpelling::Digits);
            add(
                format!("{a:02x}{b:02x}{c:02x}{d:02x}"),
                KnownSpelling::Digits,
            );
            // As the kernel's table of routes has it, and as tcpdump prints bytes.
            add(
                format!("{d:02x}{c:02x}{b:02x}{a:02x}"),
                KnownSpelling::Digits,
            );
            add(
                format!("{a:02x}{b:02x} {c:02x}{d:02x}"),
                KnownSpelling::Digits,
            );
            add(format!("{d}.{c}.{b}.{a}.in-addr"), KnownSpelling::Word);
        }
        Class::Ipv6 => {
            let Ok(address) = value.parse::<Ipv6Addr>() else {
                return;
            };
            add(value.to_owned(), KnownSpelling::Colons);
            let groups = address.segments();
            let plain: Vec<_> = groups.iter().map(|group| format!("{group:x}")).collect();
            let padded: Vec<_> = groups.iter().map(|group| format!("{group:04x}")).collect();
            add(plain.join(":"), KnownSpelling::Colons);
            add(padded.join(":"), KnownSpelling::Colons);
            add(padded.concat(), KnownSpelling::Digits);
            let nibbles: Vec<_> = padded.concat().chars().rev().map(String::from).collect();
            add(format!("{}.ip6", nibbles.join(".")), KnownSpelling::Word);
        }
        Class::Mac => {
            let Some(bytes) = address::hardware(value) else {
                return;
            };
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let groups: Vec<_> = digits
                .as_bytes()
                .chunks(4)
                .map(String::from_utf8_lossy)
                .collect();
            add(value.to_owned(), KnownSpelling::Colons);
            add(value.replace(':', "-"), KnownSpelling::Digits);
            add(groups.join("."), KnownSpelling::Digits);
            add(digits, KnownSpelling::Digits);
            in_base64.push(value.to_uppercase());
        }
        Class::Phone => add(
            value.trim_start_matches('+').to_owned(),
            KnownSpelling::Digits,
        ),
        Class::Imei | Class::Imsi | Class::Iccid => add(value.to_owned(), KnownSpelling::Digits),
        Class::Host | Class::Email => add(value.to_owned(), KnownSpelling::Word),
        Class::Ssid | Class::Person | Class::Serial => add(value.to_owned(), KnownSpelling::Exact),
        Class::Secret | Class::Network => {}
    }
    for text in in_base64.into_iter().filter(|text| text.len() >= 6) {
        for shift in 0..3 {
            add(encoded(&text, shift), KnownSpelling::Base64);
        }
    }
}

/// The signs of base64 that depend on this text alone, when `shift` other bytes stand before it.
fn encoded(text: &str, shift: usize) -> String {
    let mut bytes = vec![0; shift];
    bytes.extend_from_slice(text.as_bytes());
    let whole = STANDARD_NO_PAD.encode(&bytes);
    let start = [0, 2, 3][shift];
    whole[start..bytes.len() * 8 / 6].to_owned()
}

impl KnownPattern {
    fn fits(&self, text: &str, range: Range<usize>) -> bool {
        let bytes = text.as_bytes();
        let before = |distance: usize| range.start.checked_sub(distance).map(|at| bytes[at]);
        let after = |distance: usize| bytes.get(range.end + distance - 1).copied();
        let is_digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
        let is_hex = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
        match self.spelling {
            KnownSpelling::Dotted => {
                let is_longer = before(1) == Some(b'.') && is_digit(before(2));
                // One number more is a port; two are an object identifier.
                let port = bytes[range.end..].strip_prefix(b".").unwrap_or_default();
                let digits = port.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let is_identifier = digits > 0
                    && port.get(digits) == Some(&b'.')
                    && is_digit(port.get(digits + 1).copied());
                !is_digit(before(1)) && !is_digit(after(1)) && !is_longer && !is_identifier
            }
            KnownSpelling::Colons => {
                let is_longer_before =
                    before(1) == Some(b':') && (is_hex(before(2)) || before(2) == Some(b':'));
                let is_longer_after =
                    after(1) == Some(b':') && (is_hex(after(2)) || after(2) == Some(b':'));
                !is_hex(before(1)) && !is_hex(after(1)) && !is_longer_before && !is_longer_after
            }
            KnownSpelling::Digits => !is_hex(before(1)) && !is_hex(after(1)),
            KnownSpelling::Word => {
                is_free_before(text, range.start) && is_free_after(text, range.end)
            }
            KnownSpelling::Exact => {
                text[range.clone()] == self.text
                    && is_free_before(text, range.start)
                    && is_free_after(text, range.end)
            }
            KnownSpelling::Base64 => bytes[range] == *self.text.as_bytes(),
        }
    }
}
