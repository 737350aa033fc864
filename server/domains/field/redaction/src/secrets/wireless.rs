//! Secrets in the configuration of radios and switches that no `name=value` shows.

use std::ops::Range;

use crate::fields::{is_free_before, line_end, run_end, skip_blanks, trimmed};

pub(super) const ANCHORS: [&str; 12] = [
    "WIFI:",
    "snmp-server community ",
    "snmp-server user ",
    "rocommunity ",
    "rwcommunity ",
    "rocommunity6 ",
    "rwcommunity6 ",
    "com2sec ",
    "enable secret ",
    "enable password ",
    "pre-shared-key ",
    "key-string ",
];

pub(super) fn read(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    if !is_free_before(text, anchor.start) {
        return None;
    }
    let word = text[anchor.clone()].to_ascii_lowercase();
    match word.as_str() {
        "wifi:" => code(text, anchor.end),
        // The name, the source, then the community.
        "com2sec " => words(text, anchor.end)
            .filter(|word| !text[word.clone()].starts_with('-'))
            .nth(2),
        "snmp-server user " => rest_of_line(text, anchor.end),
        "enable secret " | "enable password " | "pre-shared-key " | "key-string " => {
            // The digit says how it is stored.
            let kind = words(text, anchor.end).next()?;
            let is_kind =
                text[kind.clone()].len() == 1 && text.as_bytes()[kind.start].is_ascii_digit();
            let word = text[kind.clone()].to_ascii_lowercase();
            if is_kind
                || matches!(
                    word.as_str(),
                    "local" | "remote" | "ascii-text" | "level" | "hexadecimal"
                )
            {
                return rest_of_line(text, kind.end);
            }
            Some(kind)
        }
        _ => words(text, anchor.end).next(),
    }
}

/// The password of a code that phones scan: `WIFI:T:WPA;S:name;P:password;;`.
fn code(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let line = line_end(bytes, from);
    let mut at = from;
    while at < line {
        let end = part_end(bytes, at, line);
        if text[at..end].starts_with("P:") {
            return (end > at + 2).then_some(at + 2..end);
        }
        at = end + 1;
    }
    None
}

fn part_end(bytes: &[u8], from: usize, line: usize) -> usize {
    let mut at = from;
    while at < line && bytes[at] != b';' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(line)
}

fn words(text: &str, from: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let line = line_end(bytes, from);
    let mut at = from;
    std::iter::from_fn(move || {
        let start = skip_blanks(bytes, at).min(line);
        at = run_end(bytes, start, |byte| !byte.is_ascii_whitespace()).min(line);
        (at > start).then_some(start..at)
    })
}

fn rest_of_line(text: &str, from: usize) -> Option<Range<usize>> {
    let first = words(text, from).next()?;
    let bytes = text.as_bytes();
    Some(first.start..trimmed(bytes, first.start, line_end(bytes, first.start)))
}
