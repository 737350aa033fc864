//! Names of hosts with dots, and the check of names that others find.

use std::ops::Range;

use crate::candidate::Candidate;
use crate::class::Class;
use crate::common::{SITE_SUFFIXES, is_common_domain, is_common_name, is_top};
use crate::fields::is_free_after;

/// Beginnings of names of packages and interfaces, which are domains backwards.
const BACKWARDS: [&str; 6] = ["com", "org", "net", "io", "de", "sun"];

pub(super) fn dotted(text: &str, run: Range<usize>, found: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    let mut at = run.start;
    while at < run.end {
        if !is_part(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < run.end && is_part(bytes[at]) {
            at += 1;
        }
        found.extend(name(text, start..at));
    }
}

/// `ip-10-0-0-3`, as clouds name machines, at the beginning of a run and without a domain.
pub(super) fn of_address(text: &str, run: Range<usize>) -> Option<Candidate> {
    let numbers = text[run.clone()].strip_prefix("ip-")?;
    let sign = |sign: char| !sign.is_ascii_digit() && sign != '-';
    let numbers = numbers.split(sign).next().unwrap_or_default();
    let parts: Vec<_> = numbers.split('-').collect();
    let is_address = parts.len() == 4 && parts.iter().all(|part| part.parse::<u8>().is_ok());
    let end = run.start + 3 + numbers.len();
    (is_address && is_free_after(text, end)).then(|| candidate(text, run.start..end))
}

/// The longest name that begins where `range` does.
pub(super) fn name_at(text: &str, range: Range<usize>) -> Option<&str> {
    let bytes = text.as_bytes();
    let length = bytes[range.clone()]
        .iter()
        .take_while(|byte| is_part(**byte))
        .count();
    let name = text[range.start..range.start + length].trim_end_matches(['.', '-', '_', '\'']);
    (!name.is_empty() && name.starts_with(char::is_alphanumeric)).then_some(name)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'\'' | 0x80..)
}

/// True for a name of one label that can be looked for: not a number, not so short that it is in every text.
pub(super) fn is_telling(name: &str) -> bool {
    let letters = name.chars().filter(|sign| sign.is_alphabetic()).count();
    name.chars().count() >= 3 && letters >= 1 && name.len() <= 63
}

fn name(text: &str, range: Range<usize>) -> Option<Candidate> {
    let written = &text[range.clone()];
    let dot = written.find('.')?;
    if dot + 1 == written.len() {
        return None;
    }
    let trim = |sign: char| !sign.is_alphanumeric();
    let start = range.start + written.len() - written.trim_start_matches(trim).len();
    let mut name = written.trim_matches(trim);
    let mut start = start;
    let lower = name.to_ascii_lowercase();
    let suffix = SITE_SUFFIXES
        .iter()
        .find(|suffix| lower.ends_with(**suffix));
    // An apostrophe is part of `Anna's-Phone.local` only; elsewhere it is a quote.
    if suffix.is_none()
        && let Some(quote) = name.rfind('\'')
    {
        start += quote + 1;
        name = &name[quote + 1..];
    }
    if is_common_domain(name) || name.len() > 253 {
        return None;
    }
    if let Some(suffix) = suffix {
        let inner = &name[..name.len() - suffix.len()];
        // The suffix of the site stays, so that a name with it is the same as the name without.
        let is_named = is_telling(inner) && labels_are_plain(inner) && !is_common_name(inner);
        return is_named.then(|| candidate(text, start..start + inner.len()));
    }
    let labels: Vec<_> = name.split('.').collect();
    let top = labels.last()?;
    let is_backwards = labels.len() > 2 && BACKWARDS.contains(&labels[0]);
    let is_address = text[..start].ends_with("//") || text[..start].ends_with('@');
    let has_letter = labels[..labels.len() - 1]
        .iter()
        .any(|label| label.chars().any(char::is_alphabetic));
    let is_reversed = lower.ends_with(".arpa");
    let is_host = labels.len() > 1
        && labels_are_plain(name)
        && (!is_backwards || is_address)
        && (has_letter || is_reversed)
        && is_top(top, labels.len(), is_address);
    is_host.then(|| candidate(text, start..start + name.len()))
}

fn labels_are_plain(name: &str) -> bool {
    name.split('.').all(|label| {
        let inner = label.trim_matches(['-', '\'']);
        !label.is_empty() && label.len() <= 63 && inner.len() == label.len()
    })
}

fn candidate(text: &str, range: Range<usize>) -> Candidate {
    Candidate {
        class: Class::Host,
        value: text[range.clone()].to_owned(),
        range,
    }
}
