//! E-mail addresses, and the hosts in `user@host`.

use std::ops::Range;

use super::hosts;
use crate::candidate::Candidate;
use crate::class::Class;
use crate::common::{is_common_account, is_common_name};

/// Ends of unit names of systemd, whose instance stands after an `@`.
const UNITS: [&str; 11] = [
    "automount",
    "device",
    "mount",
    "path",
    "scope",
    "service",
    "slice",
    "socket",
    "swap",
    "target",
    "timer",
];

pub(super) fn read(text: &str, run: Range<usize>, found: &mut Vec<Candidate>) {
    for (at, _) in text[run.clone()].match_indices('@') {
        let at = run.start + at;
        found.extend(address(text, &run, at));
        found.extend(prompt(text, &run, at));
    }
}

fn address(text: &str, run: &Range<usize>, at: usize) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let is_local = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'\'' | 0x80..)
    };
    let length = bytes[run.start..at]
        .iter()
        .rev()
        .take_while(is_local)
        .count();
    let local = text[at - length..at].trim_start_matches(['.', '\'', '-', '+']);
    let start = at - local.len();
    let domain = hosts::name_at(text, at + 1..run.end)?;
    let labels: Vec<_> = domain.split('.').collect();
    let top = labels.last()?;
    let is_plain = !local.is_empty() && !local.ends_with('.') && !local.contains("..");
    // A telephone number before the `@`: the number is found as one.
    let is_number = local.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain || is_number || labels.len() < 2 || UNITS.contains(top) || is_common_account(local)
    {
        return None;
    }
    if !crate::common::is_top(top, labels.len(), true) && !is_site(domain) {
        return None;
    }
    Some(Candidate {
        class: Class::Email,
        range: start..at + 1 + domain.len(),
        value: text[start..at + 1 + domain.len()].to_owned(),
    })
}

fn is_site(domain: &str) -> bool {
    let lower = domain.to_ascii_lowercase();
    crate::common::SITE_SUFFIXES
        .iter()
        .any(|suffix| lower.ends_with(suffix))
}

/// The host in `pi@nas:~$` or `anna@nas:/srv/file`: one label, with a colon after it.
fn prompt(text: &str, run: &Range<usize>, at: usize) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let has_user = at > run.start && bytes[at - 1].is_ascii_alphanumeric();
    let name = hosts::name_at(text, at + 1..run.end)?;
    let end = at + 1 + name.len();
    let is_host = has_user
        && bytes.get(end) == Some(&b':')
        && matches!(bytes.get(end + 1), Some(b'~' | b'/' | b'.'))
        && !name.contains('.')
        && hosts::is_telling(name)
        && !is_common_name(name);
    is_host.then(|| Candidate {
        class: Class::Host,
        range: at + 1..end,
        value: name.to_owned(),
    })
}
