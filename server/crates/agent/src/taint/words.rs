//! A message of a person, and the values that it orders something for.

use std::sync::OnceLock;

use super::{
    canonical::{after_kind, vouching},
    negation::{Clause, Clauses, Force, replaced_verb},
};
use crate::ports::Case;

/// A message of a person.
#[derive(Debug)]
pub(super) struct WordSet {
    text: String,
    /// Things that the person pointed at with it.
    pointed_at: Vec<String>,
    /// Read when it is first needed.
    clauses: OnceLock<Clauses>,
}

/// The attitude of a message to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention {
    None,
    /// The message names it.
    Named(Force),
    /// The message names it, and says not to act on it.
    Excluded,
}

impl WordSet {
    pub(super) fn new<'a>(text: String, pointed_at: impl Iterator<Item = &'a str>) -> Self {
        Self {
            text,
            pointed_at: pointed_at.map(str::to_owned).collect(),
            clauses: OnceLock::new(),
        }
    }

    /// The message with a plain order in place of a verb with which a sentence about a value begins; none
    /// if no sentence does.
    pub(super) fn with_order(&self, verb: &str, value: &str, case: Case) -> Option<Self> {
        let value = vouching(value, case);
        let is_about = |sentence: &str| match case {
            Case::Ignored => names(&sentence.to_ascii_lowercase(), &value),
            Case::Counts => names(sentence, &value),
        };
        let text = (!value.is_empty())
            .then(|| replaced_verb(&self.text, verb, is_about))
            .flatten()?;
        Some(Self {
            text,
            pointed_at: self.pointed_at.clone(),
            clauses: OnceLock::new(),
        })
    }

    fn clauses(&self) -> &Clauses {
        self.clauses.get_or_init(|| Clauses::of(&self.text))
    }

    /// Its attitude to a value. A message that names something and excludes it, even if only once,
    /// does not order it; nor does one that forbids anything, unless it orders this.
    pub(super) fn mention(&self, value: &str, case: Case) -> Mention {
        let value = &vouching(value, case);
        if value.is_empty() {
            return Mention::None;
        }
        let clauses = &self.clauses().all;
        let naming = clauses
            .iter()
            .enumerate()
            .filter(|(_, clause)| names(clause.text(case), value));
        let naming: Vec<_> = naming.collect();
        let Some(&(first, _)) = naming.first() else {
            return self.pointed_at(value, case);
        };
        if self.forbids_all() || naming.iter().any(|(_, clause)| clause.excludes) {
            return Mention::Excluded;
        }
        let forces = naming.iter().map(|(_, clause)| clause.force);
        let strongest = forces.max().unwrap_or(Force::Asks);
        let after = clauses.get(first + 1..).unwrap_or_default();
        let force = ordered_later(after).map_or(strongest, |force| force.max(strongest));
        if force < Force::Requests && self.forbids() {
            Mention::Excluded
        } else {
            Mention::Named(force)
        }
    }

    /// Its attitude to a value that it does not name in words. The identifier of what the person
    /// points at is their own word as a whole: other names within it, such as the guest in the name
    /// of a task, are not. Nobody knows which words are about it.
    fn pointed_at(&self, value: &str, case: Case) -> Mention {
        let is_it = |id: &String| vouching(id, case) == value;
        if !self.pointed_at.iter().any(is_it) {
            return Mention::None;
        }
        let clauses = &self.clauses().all;
        if self.takes_back() || self.forbids() {
            Mention::Excluded
        } else {
            let forces = clauses.iter().map(|clause| clause.force);
            Mention::Named(forces.max().unwrap_or(Force::States))
        }
    }

    /// The force with which it orders something for what earlier messages named, such as "restart
    /// it".
    pub(super) fn orders_it(&self) -> Option<Force> {
        ordered_later(&self.clauses().all)
    }

    /// True if any of it is a prohibition.
    pub(super) fn forbids(&self) -> bool {
        self.clauses().all.iter().any(|clause| clause.excludes)
    }

    /// True if it says to leave everything alone.
    pub(super) fn forbids_all(&self) -> bool {
        self.clauses().forbids_all
    }

    /// True if it only says to stop.
    pub(super) fn stops(&self) -> bool {
        self.clauses().stops
    }

    /// True if it takes back what earlier messages said.
    pub(super) fn takes_back(&self) -> bool {
        self.clauses().takes_back
    }
}

/// The force of an order that points back.
fn ordered_later(clauses: &[Clause]) -> Option<Force> {
    let back = clauses.iter().filter(|clause| clause.orders_it);
    back.map(|clause| clause.force).max()
}

/// Nouns that may follow a name after a hyphen, as in "smbd-Dienst".
const NOUNS: [&str; 16] = [
    "service",
    "daemon",
    "server",
    "node",
    "host",
    "vm",
    "container",
    "unit",
    "process",
    "machine",
    "dienst",
    "knoten",
    "rechner",
    "maschine",
    "prozess",
    "daemons",
];

/// True if a text names a value: as a whole name, not as a part of a longer one such as `web` in
/// `web-01` or `smbd` in `smbd.socket`. Both in the form that vouches.
fn names(text: &str, value: &str) -> bool {
    let joins = |c: char| matches!(c, '-' | '_' | '.' | '@' | '+' | '\\' | '\'' | '’');
    let mut found = text.match_indices(value);
    found.any(|(at, found)| {
        let before = &text[..at];
        let after = after_kind(&text[at + found.len()..]);
        let begins = match before.chars().next_back() {
            Some(c) if joins(c) => !before
                .trim_end_matches(joins)
                .ends_with(char::is_alphanumeric),
            Some(c) => !c.is_alphanumeric(),
            None => true,
        };
        let possessive = ["'s", "’s"]
            .into_iter()
            .find_map(|mark| after.strip_prefix(mark));
        let after = possessive.unwrap_or(after);
        let ends = match after.chars().next() {
            Some(c) if joins(c) => {
                let rest = after.trim_start_matches(joins);
                let word = rest
                    .find(|c: char| !c.is_alphanumeric())
                    .unwrap_or(rest.len());
                word == 0 || c == '-' && NOUNS.contains(&&rest[..word])
            }
            Some(c) => !c.is_alphanumeric(),
            None => true,
        };
        begins && ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_named_as_a_whole() {
        for (text, value, expect) in [
            ("restart smbd", "smbd", true),
            ("restart smbd.", "smbd", true),
            ("restart smbd.service.", "smbd", true),
            ("restart `smbd`!", "smbd", true),
            ("restart 'smbd'", "smbd", true),
            ("smbd's log", "smbd", true),
            ("nas/smbd", "smbd", true),
            ("nas:smbd", "smbd", true),
            ("den smbd-dienst", "smbd", true),
            ("smbd - the file server", "smbd", true),
            ("smbd...", "smbd", true),
            ("restart smbd.socket", "smbd", false),
            ("restart my-smbd", "smbd", false),
            ("restart smbd-backup", "smbd", false),
            ("restart smbd_old", "smbd", false),
            ("restart user@smbd", "smbd", false),
            ("restart smbd2", "smbd", false),
            ("restart nmbdsmbd", "smbd", false),
            ("guest 101", "101", true),
            ("vm 101, now", "101", true),
            ("10.0.0.101", "101", false),
            ("1010", "101", false),
            ("101.5", "101", false),
            ("0101", "101", false),
            ("web", "web-01", false),
            ("web-01", "web-01", true),
            ("web-01", "web", false),
        ] {
            assert_eq!(names(text, value), expect, "{text}: {value}");
        }
    }
}
