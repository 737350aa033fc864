//! A message of a person, and the values that it orders something for.

use std::sync::OnceLock;

use super::{
    canonical::{after_kind, vouching},
    negation::Clauses,
};
use crate::ports::Case;

/// A message of a person.
#[derive(Debug)]
pub(super) struct Words {
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
    Named,
    /// The message names it, and says not to act on it.
    Excluded,
}

impl Words {
    pub(super) fn new<'a>(text: String, pointed_at: impl Iterator<Item = &'a str>) -> Self {
        Self {
            text,
            pointed_at: pointed_at.map(str::to_owned).collect(),
            clauses: OnceLock::new(),
        }
    }

    fn clauses(&self) -> &Clauses {
        self.clauses.get_or_init(|| Clauses::of(&self.text))
    }

    /// Its attitude to a value. A message that names something and excludes it, even if only once,
    /// does not order it.
    pub(super) fn mention(&self, value: &str, case: Case) -> Mention {
        let value = &vouching(value, case);
        if value.is_empty() {
            return Mention::None;
        }
        let clauses = &self.clauses().all;
        let mut named = clauses
            .iter()
            .filter(|clause| names(clause.text(case), value))
            .peekable();
        if named.peek().is_some() {
            return match named.any(|clause| clause.excludes) {
                true => Mention::Excluded,
                false => Mention::Named,
            };
        }
        // The identifier is the person's own word as a whole: other names within it, such as the
        // guest in the name of a task, are not. Nobody knows which words are about it.
        match self
            .pointed_at
            .iter()
            .any(|id| vouching(id, case) == *value)
        {
            false => Mention::None,
            true if self.takes_back() || clauses.iter().any(|clause| clause.excludes) => {
                Mention::Excluded
            }
            true => Mention::Named,
        }
    }

    /// True if it takes back what earlier messages said.
    pub(super) fn takes_back(&self) -> bool {
        self.clauses().takes_back
    }
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
