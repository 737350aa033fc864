//! Lines whose form says what a word in them is: system logs, tables of neighbours, scans, accounts.

use std::net::IpAddr;
use std::ops::Range;

use super::{keywords, places};
use crate::address::{self, AddressReach};
use crate::candidate::Candidate;
use crate::class::Class;
use crate::fields::{run_end, skip_blanks, trimmed};

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

pub(super) fn read(text: &str, found: &mut Vec<Candidate>) {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        if end > start {
            line(text, start..end, found);
        }
        start = end + 1;
    }
}

fn line(text: &str, line: Range<usize>, found: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    let first = bytes[line.start];
    if first.is_ascii_uppercase() || first.is_ascii_digit() {
        found.extend(logged_host(text, &line));
    }
    if first.is_ascii_hexdigit() {
        leased_host(text, &line, found);
        found.extend(scan_row(text, &line));
    }
    if first.is_ascii_lowercase() || first == b'_' {
        account(text, &line, found);
        route_row(text, &line, found);
    }
    if memchr::memmem::find(&bytes[line.clone()], b"Infra").is_some() {
        found.extend(listed_network(text, &line));
    }
    resolved(text, &line, found);
}

/// Words of a line, at most `most` of them.
fn words(text: &str, line: &Range<usize>, most: usize) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut words = Vec::with_capacity(most);
    let mut at = line.start;
    while words.len() < most {
        let start = run_end(bytes, at, |byte| matches!(byte, b' ' | b'\t' | b'\r')).min(line.end);
        at = run_end(bytes, start, |byte| !byte.is_ascii_whitespace()).min(line.end);
        if at == start {
            break;
        }
        words.push(start..at);
    }
    words
}

/// `Nov 27 11:10:00 HOST program[12]: …`, `2026-11-27T11:10:00+01:00 HOST program: …`, `Linux HOST 6.1.0 …`.
fn logged_host(text: &str, line: &Range<usize>) -> Option<Candidate> {
    let start = &text[line.clone()];
    let is_month = start.get(..3).is_some_and(|month| MONTHS.contains(&month));
    let is_date = start.as_bytes().get(10) == Some(&b'T') && start.as_bytes()[4] == b'-';
    let is_system = start.starts_with("Linux ");
    if !(is_month || is_date || is_system) {
        return None;
    }
    let words = words(text, line, 5);
    let word = |index: usize| words.get(index).map(|word| &text[word.clone()]);
    let index = if is_month { 3 } else { 1 };
    let is_log = if is_system {
        word(2)?.starts_with(|sign: char| sign.is_ascii_digit())
    } else {
        let has_time = !is_month || word(2)?.bytes().filter(|byte| *byte == b':').count() == 2;
        let program = word(index + 1)?;
        has_time && program.ends_with(':')
    };
    let host = words.get(index)?.clone();
    is_log.then(|| whole_host(text, host))?
}

fn whole_host(text: &str, word: Range<usize>) -> Option<Candidate> {
    keywords::host(text, word.clone()).filter(|host| host.range == word)
}

/// Names in leases of dnsmasq, in files of hosts, and in its messages about leases.
fn leased_host(text: &str, line: &Range<usize>, found: &mut Vec<Candidate>) {
    let words = words(text, line, 12);
    let word = |index: usize| words.get(index).map_or("", |word| &text[word.clone()]);
    let is_lease = words.len() >= 4
        && word(0).len() >= 9
        && word(0).bytes().all(|byte| byte.is_ascii_digit())
        && word(1).contains(':')
        && word(2).parse::<IpAddr>().is_ok();
    if is_lease {
        found.extend(whole_host(text, words[3].clone()));
    } else if word(0).parse::<IpAddr>().is_ok() && words.len() >= 2 {
        // A file of hosts has only names after the address; a table has a state or a number.
        let is_name = |word: &&Range<usize>| {
            let word = &text[(*word).clone()];
            word.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
                && word.bytes().any(|byte| byte.is_ascii_lowercase())
        };
        let names: Vec<_> = words[1..]
            .iter()
            .take_while(|word| !text[(*word).clone()].starts_with('#'))
            .collect();
        let has_words = ["dev", "via", "lladdr", "is", "has", "and", "to", "ether"]
            .iter()
            .any(|other| names.iter().any(|name| text[(*name).clone()] == **other));
        // In a sentence the words are plain; a name has some other sign, or a tab before it.
        let is_table = text.as_bytes().get(words[0].end) == Some(&b'\t');
        let has_sign = |word: &&Range<usize>| {
            let mut bytes = text[(*word).clone()].bytes();
            bytes.any(|byte| !byte.is_ascii_alphabetic())
        };
        let is_named = is_table || names.iter().any(has_sign);
        if is_named && names.iter().all(is_name) && !has_words {
            found.extend(
                names
                    .into_iter()
                    .filter_map(|word| whole_host(text, word.clone())),
            );
        }
    }
}

/// Rows of `wpa_cli scan_results`: address, frequency, level, flags, name, with tabs between.
fn scan_row(text: &str, line: &Range<usize>) -> Option<Candidate> {
    let mut at = line.start;
    let mut parts = text[line.clone()].split('\t').map(|part| {
        let range = at..at + part.len();
        at = range.end + 1;
        range
    });
    let device = parts.next().filter(|part| part.len() == 17)?;
    address::hardware(&text[device])?;
    let flags = parts
        .nth(2)
        .filter(|flags| text[flags.clone()].starts_with('['))?;
    keywords::ssid(text, flags.end + 1..line.end)
}

/// Rows of `nmcli device wifi list`: a mark, an address, the name, the mode. The terse form has colons.
fn listed_network(text: &str, line: &Range<usize>) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let row = &text[line.clone()];
    let mode = row.find(" Infra ").or_else(|| row.find(":Infra:"))?;
    let is_terse = row.as_bytes()[mode] == b':';
    let mut start = run_end(bytes, line.start, |byte| matches!(byte, b' ' | b'*'));
    let is_device = |at: usize, length: usize| {
        let address = text
            .get(at..at + length)
            .map(|address| address.replace('\\', ""));
        address
            .filter(|address| address.len() == 17)
            .and_then(|address| address::hardware(&address))
            .is_some()
    };
    start += usize::from(is_terse && bytes.get(start) == Some(&b':'));
    if is_device(start, 17) {
        start += 17;
    } else if is_device(start, 22) {
        start += 22;
    }
    start += usize::from(is_terse && bytes.get(start) == Some(&b':'));
    let start = skip_blanks(bytes, start);
    let end = line.start + mode;
    if start >= end {
        return None;
    }
    keywords::ssid(text, start..trimmed(bytes, start, end))
}

/// A line of the file of accounts: the login and the full name of people.
fn account(text: &str, line: &Range<usize>, found: &mut Vec<Candidate>) {
    let row = &text[line.clone()];
    if row.bytes().filter(|byte| *byte == b':').count() != 6 {
        return;
    }
    let mut at = line.start;
    let parts: Vec<_> = row
        .split(':')
        .map(|part| {
            let range = at..at + part.len();
            at = range.end + 1;
            range
        })
        .collect();
    let id = text[parts[2].clone()].parse::<u32>();
    let is_account = parts.len() == 7
        && text[parts[5].clone()].starts_with('/')
        && text[parts[3].clone()].parse::<u32>().is_ok();
    if !is_account || !id.is_ok_and(|id| (1000..60000).contains(&id)) {
        return;
    }
    found.extend(places::person(text, parts[0].clone()));
    // Room and telephone follow the name.
    let full = text[parts[4].clone()].split(',').next().unwrap_or_default();
    let start = parts[4].start;
    found.extend(places::person(text, start..start + full.len()));
}

/// A row of `/proc/net/route`: addresses as eight digits, the last byte first.
fn route_row(text: &str, line: &Range<usize>, found: &mut Vec<Candidate>) {
    let words = words(text, line, 8);
    let is_hex = |word: &Range<usize>, length: usize| {
        word.len() == length
            && text[word.clone()]
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit())
    };
    if words.len() < 8
        || !is_hex(&words[1], 8)
        || !is_hex(&words[2], 8)
        || !is_hex(&words[3], 4)
        || !is_hex(&words[7], 8)
    {
        return;
    }
    for word in &words[1..3] {
        let Ok(bits) = u32::from_str_radix(&text[word.clone()], 16) else {
            continue;
        };
        let address = std::net::Ipv4Addr::from(bits.swap_bytes());
        if address::reach(address) != AddressReach::Common {
            found.push(Candidate {
                class: Class::Ipv4,
                range: word.clone(),
                value: address.to_string(),
            });
        }
    }
}

/// `NAME (ADDRESS)` of ping, traceroute, arp and nmap.
fn resolved(text: &str, line: &Range<usize>, found: &mut Vec<Candidate>) {
    let row = &text[line.clone()];
    for (open, _) in row.match_indices(" (") {
        let Some(length) = row[open + 2..].find(')') else {
            return;
        };
        if row[open + 2..open + 2 + length].parse::<IpAddr>().is_err() {
            continue;
        }
        let start = row[..open].rfind([' ', '\t']).map_or(0, |space| space + 1);
        let before = row[..start].trim_end();
        let is_resolved = before.is_empty()
            || before.ends_with(|sign: char| sign.is_ascii_digit())
            || ["PING", "from", "From", "to", "for"]
                .iter()
                .any(|word| before.ends_with(word));
        if is_resolved {
            found.extend(whole_host(text, line.start + start..line.start + open));
        }
    }
}
