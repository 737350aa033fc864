//! People in paths and messages: `/home/NAME`, `C:\Users\NAME`, `session opened for user NAME`.

use std::ops::Range;

use crate::candidate::Candidate;
use crate::class::Class;
use crate::common::{is_common_account, is_common_name};
use crate::fields::is_free_before;

pub(super) const WORDS: [&str; 12] = [
    "/home/",
    "/Users/",
    "\\Users\\",
    "for user ",
    "invalid user ",
    "publickey for ",
    "password for ",
    "USER=",
    "LOGNAME=",
    "SUDO_USER=",
    "RUSER=",
    "user name: ",
];

pub(super) fn read(text: &str, word: Range<usize>) -> Option<Candidate> {
    let is_windows = text[word.clone()].starts_with('\\');
    let starts_word = text[word.clone()].starts_with(|sign: char| sign.is_ascii_alphabetic());
    if starts_word && !is_free_before(text, word.start) {
        return None;
    }
    let rest = &text[word.end..];
    // Names of Windows have blanks and end at the next backslash.
    let is_end = |sign: char| {
        if is_windows {
            matches!(
                sign,
                '\\' | '/' | '"' | '<' | '>' | '|' | '\n' | '\r' | '\t' | ':' | '*' | '?'
            )
        } else {
            !sign.is_alphanumeric() && !matches!(sign, '.' | '-' | '_')
        }
    };
    let length = rest.find(is_end).unwrap_or(rest.len());
    let is_closed =
        !is_windows || rest[length..].starts_with(['\\', '"', '\n', '\r']) || length == rest.len();
    let name = rest[..length].trim_end_matches(['.', '-', ' ']);
    person(text, word.end..word.end + name.len()).filter(|_| is_closed)
}

/// A login name or a full name that belongs to somebody.
pub(super) fn person(text: &str, range: Range<usize>) -> Option<Candidate> {
    let name = &text[range.clone()];
    let letters = name.chars().filter(|sign| sign.is_alphabetic()).count();
    let is_person = letters >= 2
        && name.chars().count() <= 64
        && name.starts_with(char::is_alphabetic)
        && !is_common_account(name)
        && !is_common_name(name)
        && !matches!(
            name,
            "from" | "by" | "is" | "with" | "invalid" | "user" | "unknown" | "on" | "in"
        );
    is_person.then(|| Candidate {
        class: Class::Person,
        value: name.to_owned(),
        range,
    })
}
