//! From values to tokens.

use std::ops::Range;

use crate::candidate::{Candidate, RankedPlace, longest};
use crate::class::{Class, ClassTally};
use crate::detect;
use crate::fields::run_end;
use crate::layers::Layers;
use crate::network;
use crate::secrets::{PemState, WithoutSecrets};
use crate::segments::{Segment, each_segment};
use crate::texts::{OVERLONG_REMOVED, UNREADABLE_REMOVED, VALUE_REMOVED};
use crate::token::{self, Pseudonym};
use crate::vault::{KnownSpelling, LONGEST_VALUE, Vault, VaultEntry};

/// A text in which tokens stand for values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    pub text: String,
    /// Values by class, secrets that were removed, and text that could not be read.
    pub counts: ClassTally,
    /// Entries that the vault got, or that changed: a store has to keep them before the text is used.
    pub new: Vec<VaultEntry>,
}

/// Origin of a text: it decides about tokens that stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextOrigin {
    /// From outside: what looks like a token was planted, or is a coincidence, and is escaped.
    Raw,
    /// Covered before, or by somebody who may use tokens: those of this vault stay.
    Covered,
}

/// Finding at a place of a text.
enum CoverPlace {
    /// A value, with its token unless the vault is full or the value is far too long.
    Value(Class, Option<Pseudonym>),
    /// Text of the form of a token, which is escaped.
    Escaped,
    /// A token that stays.
    Token,
    Unreadable,
}

/// The rank of a place in which nothing is replaced by a value: after all classes.
const LAST: u8 = u8::MAX;

/// Ranks of one class: of equal places, the most deeply decoded one is taken.
const DEPTHS: u8 = 8;

impl Vault {
    /// Replaces the values in a text from outside by tokens, and removes secrets and what cannot be read.
    ///
    /// Text that looks like a token is escaped with `~`, or else a hostile text could plant one. Therefore
    /// text that was covered goes to [`Vault::cover_again`], which leaves it as it is.
    pub fn cover(&mut self, text: &str) -> Covered {
        self.interface = None;
        self.learn_networks(text);
        self.cover_as(text, TextOrigin::Raw)
    }

    /// Covers a text that was covered before, or that comes from somebody who may use tokens, such as the
    /// person in the conversation. Tokens of this vault stay; others are escaped. What [`Vault::cover`]
    /// returned is not changed.
    pub fn cover_again(&mut self, text: &str) -> Covered {
        self.cover_as(text, TextOrigin::Covered)
    }

    /// Takes in the networks and values of a text, so that the names that it introduces are covered in what
    /// comes before it as well. For texts that then arrive in pieces.
    pub fn learn_from(&mut self, text: &str) -> Vec<VaultEntry> {
        self.cover(text).new
    }

    fn cover_as(&mut self, text: &str, origin: TextOrigin) -> Covered {
        let mut pieces = 0;
        each_segment(text, |_| pieces += 1);
        if pieces > 1 {
            // A name is covered in what comes before it too: all is read before anything is written.
            self.cover_pieces(text, origin);
        }
        let mut covered = self.cover_pieces(text, origin);
        covered.new = self.take_new();
        covered
    }

    fn cover_pieces(&mut self, text: &str, origin: TextOrigin) -> Covered {
        let mut covered = Covered::default();
        let mut pem = PemState::default();
        each_segment(text, |segment| {
            covered.add(match segment {
                Segment::Text(text) => self.cover_segment(text, origin, &mut pem),
                Segment::Removed(mark) => Covered::removed(mark),
            });
        });
        covered
    }

    /// Covers whole lines. Entries stay with the vault.
    pub(crate) fn cover_segment(
        &mut self,
        text: &str,
        origin: TextOrigin,
        pem: &mut PemState,
    ) -> Covered {
        let WithoutSecrets { text, mut counts } = pem.scrub(text);
        let layers = Layers::of(&text);
        let TokenShapes { kept, escaped } = self.shapes(&text, &layers, origin);
        let mut places = self.values(&text, &layers, &kept);
        self.refresh();
        let known = &self.known;
        let entries = self.entries();
        let mut add = |range: Range<usize>, entry: usize, spelling: KnownSpelling| {
            let entry = &entries[entry];
            places.push(if spelling == KnownSpelling::Base64 {
                RankedPlace {
                    range: base64_around(&text, range),
                    rank: LAST - 1,
                    what: CoverPlace::Unreadable,
                }
            } else {
                RankedPlace {
                    range,
                    rank: rank(entry.class, 0),
                    what: CoverPlace::Value(entry.class, Some(entry.token)),
                }
            });
        };
        known.find(&text, &mut add);
        layers.each(|layer, original| {
            known.find(layer, &mut |range, entry, spelling| {
                add(original(range), entry, spelling)
            });
        });
        // A value within a token that stays is a coincidence.
        places.retain(|place| !kept.around(&place.range));
        places.extend(escaped);
        places.extend(kept.0.into_iter().map(|range| RankedPlace {
            range,
            rank: 0,
            what: CoverPlace::Token,
        }));
        places.extend(layers.undecodable.iter().map(|range| RankedPlace {
            range: range.clone(),
            rank: LAST,
            what: CoverPlace::Unreadable,
        }));
        let text = replaced(&text, places, &mut counts);
        Covered {
            text,
            counts,
            new: Vec::new(),
        }
    }

    fn shapes(&self, text: &str, layers: &Layers, origin: TextOrigin) -> TokenShapes {
        let mut kept = Vec::new();
        let mut escaped = Vec::new();
        let mut add = |range: Range<usize>, escapes: usize, token: Pseudonym| {
            let is_known = escapes > 0 || self.entry(token).is_some();
            if origin == TextOrigin::Covered && is_known {
                kept.push(range);
            } else {
                escaped.push(RankedPlace {
                    range,
                    rank: LAST,
                    what: CoverPlace::Escaped,
                });
            }
        };
        for shape in token::scan(text) {
            add(shape.range, shape.escapes, shape.token);
        }
        layers.each(|layer, original| {
            for shape in token::scan(layer) {
                add(original(shape.range), shape.escapes, shape.token);
            }
        });
        // The text and its layers see most tokens twice.
        kept.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        kept.dedup_by(|later, earlier| later.start < earlier.end);
        TokenShapes {
            kept: KeptTokens(kept),
            escaped,
        }
    }

    pub(crate) fn learn_networks(&mut self, text: &str) {
        let mut interface = self.interface.take();
        let mut found = network::on_link(text, &mut interface);
        Layers::of(text).each(|layer, _| found.extend(network::on_link(layer, &mut None)));
        self.interface = interface;
        for network in found {
            self.learn(network);
        }
    }

    /// The values of a text, each with its token.
    fn values(
        &mut self,
        text: &str,
        layers: &Layers,
        kept: &KeptTokens,
    ) -> Vec<RankedPlace<CoverPlace>> {
        let found = found(text, layers);
        let found = found.into_iter().filter(|place| {
            // A network's name reaches to the end of its line. In a text with tokens the name is the token,
            // and what follows it is prose: `SSID: ssid-1, channel 6`.
            let is_prose = place.what.class == Class::Ssid && kept.open(&place.range);
            let is_token =
                is_prose || kept.around(&place.range) || kept.make_up(text, &place.range);
            !is_token && self.covers(&place.what)
        });
        let choice = longest(found.collect());
        let with_token = |place: RankedPlace<Candidate>| {
            let class = place.what.class;
            let token = self.token_of(class, &place.what.value);
            RankedPlace {
                range: place.range,
                rank: place.rank,
                what: CoverPlace::Value(class, token),
            }
        };
        let rests = hidden(text, choice.rests);
        choice
            .taken
            .into_iter()
            .map(with_token)
            .chain(rests)
            .collect()
    }
}

/// Texts of the form of tokens.
struct TokenShapes {
    kept: KeptTokens,
    /// Those of a text from outside, and unknown ones.
    escaped: Vec<RankedPlace<CoverPlace>>,
}

/// The ranges of tokens that stay, in their order.
struct KeptTokens(Vec<Range<usize>>);

impl KeptTokens {
    /// True if one of the tokens reaches over all of a range.
    fn around(&self, range: &Range<usize>) -> bool {
        let behind = self.0.partition_point(|token| token.start <= range.start);
        behind > 0 && self.0[behind - 1].end >= range.end
    }

    /// True if one of the tokens begins where a range begins.
    fn open(&self, range: &Range<usize>) -> bool {
        let tokens = &self.0;
        tokens
            .binary_search_by_key(&range.start, |token| token.start)
            .is_ok()
    }

    /// True for a place that holds nothing but tokens that stay, such as two columns of a table.
    fn make_up(&self, text: &str, range: &Range<usize>) -> bool {
        let first = self.0.partition_point(|token| token.start < range.start);
        let within = self.0[first..]
            .iter()
            .take_while(|token| token.end <= range.end);
        let mut from = range.start;
        let mut is_empty = true;
        for token in within {
            is_empty &= !text[from..token.start].contains(char::is_alphanumeric);
            from = token.end;
        }
        from > range.start && is_empty && !text[from..range.end].contains(char::is_alphanumeric)
    }
}

impl Covered {
    pub(crate) fn removed(mark: &'static str) -> Self {
        let mut covered = Self {
            text: mark.to_owned(),
            ..Self::default()
        };
        covered.counts.unreadable += 1;
        covered
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.text.push_str(&other.text);
        self.counts.add(&other.counts);
        self.new.extend(other.new);
    }
}

/// All values of a text and its layers, before any is chosen.
pub(crate) fn found(text: &str, layers: &Layers) -> Vec<RankedPlace<Candidate>> {
    let mut places = Vec::new();
    let mut found = Vec::new();
    detect::candidates(text, &mut found);
    places.extend(found.drain(..).map(|candidate| placed(candidate, 0)));
    let mut depth = 0;
    layers.each(|layer, original| {
        depth += 1;
        detect::candidates(layer, &mut found);
        places.extend(found.drain(..).map(|mut candidate| {
            candidate.range = original(candidate.range);
            placed(candidate, depth)
        }));
    });
    places
}

fn placed(candidate: Candidate, depth: u8) -> RankedPlace<Candidate> {
    RankedPlace {
        range: candidate.range.clone(),
        rank: rank(candidate.class, depth),
        what: candidate,
    }
}

fn rank(class: Class, depth: u8) -> u8 {
    class as u8 * DEPTHS + (DEPTHS - 1).saturating_sub(depth)
}

/// The rests of values that lost to longer ones beside them.
fn hidden(text: &str, rests: Vec<Range<usize>>) -> Vec<RankedPlace<CoverPlace>> {
    let is_worth_it = |rest: &Range<usize>| {
        let signs = text[rest.clone()].chars();
        signs.filter(|sign| sign.is_alphanumeric()).count() >= 3
    };
    let rests = rests.into_iter().filter(is_worth_it);
    let rests = rests.map(|range| RankedPlace {
        range,
        rank: LAST - 1,
        what: CoverPlace::Unreadable,
    });
    rests.collect()
}

fn base64_around(text: &str, range: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    let before = bytes[..range.start]
        .iter()
        .rev()
        .take_while(|byte| is_part(**byte))
        .count();
    range.start - before..run_end(bytes, range.end, is_part)
}

fn replaced(text: &str, places: Vec<RankedPlace<CoverPlace>>, counts: &mut ClassTally) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    let choice = longest(places);
    let mut places = choice.taken;
    places.extend(longest(hidden(text, choice.rests)).taken);
    places.sort_by_key(|place| place.range.start);
    for place in places {
        out.push_str(&text[from..place.range.start]);
        from = place.range.end;
        match place.what {
            CoverPlace::Value(class, token) => {
                counts.count(class);
                match token {
                    Some(token) => out.push_str(&token.to_string()),
                    None if place.range.len() > LONGEST_VALUE => out.push_str(OVERLONG_REMOVED),
                    None => out.push_str(VALUE_REMOVED),
                }
            }
            CoverPlace::Escaped => {
                out.push('~');
                out.push_str(&text[place.range]);
            }
            CoverPlace::Token => out.push_str(&text[place.range]),
            CoverPlace::Unreadable => {
                counts.unreadable += 1;
                out.push_str(UNREADABLE_REMOVED);
            }
        }
    }
    out.push_str(&text[from..]);
    out
}
