//! Values that only the word before them tells: network names, serial numbers, host names, numbers of SIMs.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::{addresses, hosts, phones, places};
use crate::candidate::Candidate;
use crate::class::Class;
use crate::common::is_common_name;
use crate::fields::{NamedValue, is_free_before, run_end, skip_blanks, value_after};
use crate::token::Pseudonym;

/// Reads what follows a word. Gets the text and where the word begins and ends.
type WordRule = fn(&str, Range<usize>) -> Option<Candidate>;

static WORDS: LazyLock<Option<(AhoCorasick, Vec<WordRule>)>> = LazyLock::new(|| {
    let table: [(&[&str], WordRule); 10] = [
        (&["ssid"], network_name),
        (&["wifi:"], scanned_code),
        (
            &["ether", "mac", "bssid", "hwaddr", "lladdr", "station"],
            bare_device,
        ),
        (
            &[
                "hostname",
                "host-name",
                "host name",
                "sysname",
                "system name",
                "nodename",
                "computer name",
            ],
            host_name,
        ),
        (&["imei", "equipment id", "imeisv"], imei),
        (&["imsi"], imsi),
        (&["iccid", "sim card id"], iccid),
        (
            &["tel", "phone", "mobile", "fax", "msisdn", "sip", "sms"],
            phone,
        ),
        (
            &["serial", "s/n", "machine id", "machine-id", "machineid"],
            serial,
        ),
        (&places::WORDS, places::read),
    ];
    let mut words: Vec<&str> = Vec::new();
    let mut rules: Vec<WordRule> = Vec::new();
    for (more, rule) in table {
        words.extend_from_slice(more);
        rules.extend(more.iter().map(|_| rule));
    }
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .build(words);
    automaton.ok().map(|automaton| (automaton, rules))
});

pub(super) fn read(text: &str, found: &mut Vec<Candidate>) {
    let Some((automaton, rules)) = &*WORDS else {
        return;
    };
    for hit in automaton.find_overlapping_iter(text) {
        let rule = rules[hit.pattern().as_usize()];
        found.extend(rule(text, hit.range()));
    }
}

fn candidate(class: Class, text: &str, range: Range<usize>) -> Candidate {
    Candidate {
        class,
        value: text[range.clone()].to_owned(),
        range,
    }
}

/// `SSID: name`, `ssid="name"`, `ESSID:"name"`, `"ssid": "name"`, `SSID 1 : name`.
fn network_name(text: &str, word: Range<usize>) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let start = match text[..word.start].strip_suffix(['e', 'E']) {
        Some(before) if word.start > 0 => before.len(),
        _ => word.start,
    };
    if !is_free_before(text, start) && !text[..start].ends_with(['_']) {
        return None;
    }
    let numbered = skip_blanks(bytes, word.end);
    let number = run_end(bytes, numbered, |byte| byte.is_ascii_digit());
    let end = if number > numbered { number } else { word.end };
    let value = value_after(text, end)?;
    let range = match value.quote {
        Some(quote) => quoted(text, &value, quote),
        None => value.range,
    };
    ssid(text, range)
}

/// A name may hold the quote that is around it: the quote that ends it has nothing of a word behind it.
fn quoted(text: &str, value: &NamedValue, quote: u8) -> Range<usize> {
    let bytes = text.as_bytes();
    let line = crate::fields::line_end(bytes, value.range.start);
    let ends = (value.range.start..line).find(|at| {
        let is_end = matches!(
            bytes.get(at + 1),
            None | Some(b' ' | b',' | b')' | b']' | b'}' | b';' | b'\r' | b'\n' | b'\t')
        );
        bytes[*at] == quote && is_end && bytes[at - 1] != b'\\'
    });
    value.range.start..ends.unwrap_or(value.range.end)
}

pub(super) fn ssid(text: &str, range: Range<usize>) -> Option<Candidate> {
    let line = &text[range.clone()];
    let name = line.trim();
    let start = range.start + line.find(name)?;
    // 32 bytes, each of which may be written as four signs.
    let is_name = !name.is_empty()
        && name.len() <= 132
        && !matches!(
            name,
            "--" | "off/any" | "<hidden>" | "(hidden)" | "hidden" | "null" | "N/A" | "-"
        )
        && !name.trim_matches(['\\', 'x', '0']).is_empty()
        && !name.chars().all(char::is_control)
        && Pseudonym::parse(name).is_none()
        && !is_common_name(name);
    is_name.then(|| candidate(Class::Ssid, text, start..start + name.len()))
}

/// The network in a code that phones scan: `WIFI:T:WPA;S:name;P:…;;`.
fn scanned_code(text: &str, word: Range<usize>) -> Option<Candidate> {
    let line = crate::fields::line_end(text.as_bytes(), word.end);
    let rest = &text[word.end..line];
    let at = if rest.starts_with("S:") {
        0
    } else {
        rest.find(";S:")? + 1
    };
    let start = word.end + at + 2;
    let length = text[start..line].find(';')?;
    ssid(text, start..start + length)
}

/// Twelve digits in a row, which mean a device only beside such a word.
fn bare_device(text: &str, word: Range<usize>) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let is_between = |byte: u8| matches!(byte, b' ' | b'\t' | b':' | b'=' | b'"' | b'\'');
    let start = run_end(bytes, word.end, is_between);
    let end = run_end(bytes, start, |byte| byte.is_ascii_hexdigit());
    let is_whole = end - start == 12 && start > word.end && crate::fields::is_free_after(text, end);
    (is_whole && is_free_before(text, word.start)).then(|| addresses::device(text, start..end))?
}

fn host_name(text: &str, word: Range<usize>) -> Option<Candidate> {
    if !is_free_before(text, word.start) && !text[..word.start].ends_with('_') {
        return None;
    }
    let bytes = text.as_bytes();
    // `client-hostname "name";` of DHCP has no sign between.
    let spaced = skip_blanks(bytes, word.end);
    let value = match bytes.get(spaced) {
        Some(b'"') if spaced > word.end => crate::fields::value_at(text, spaced, b'=')?,
        _ => value_after(text, word.end)?,
    };
    host(text, value.range)
}

/// A name of one label, or of a site: names with other domains are found by their dots.
pub(super) fn host(text: &str, range: Range<usize>) -> Option<Candidate> {
    let name = hosts::name_at(text, range.clone())?;
    let is_address = name.parse::<std::net::IpAddr>().is_ok();
    let is_state = matches!(
        name.to_ascii_lowercase().as_str(),
        "is" | "not" | "changed" | "set" | "lookup" | "resolution"
    );
    let is_name = hosts::is_telling(name)
        && !is_address
        && !is_state
        && !is_common_name(name)
        && !name.contains('.');
    is_name.then(|| candidate(Class::Host, text, range.start..range.start + name.len()))
}

/// Digits after a word and a sign, with nothing of a word behind them.
fn number(text: &str, word: &Range<usize>) -> Option<Range<usize>> {
    if !is_free_before(text, word.start) {
        return None;
    }
    let bytes = text.as_bytes();
    let is_between = |byte: u8| {
        matches!(
            byte,
            b' ' | b'\t' | b':' | b'=' | b'"' | b'\'' | b'#' | b'|'
        )
    };
    let start = run_end(bytes, word.end, is_between);
    let end = run_end(bytes, start, |byte| byte.is_ascii_digit());
    (start > word.end && end > start && crate::fields::is_free_after(text, end))
        .then_some(start..end)
}

fn imei(text: &str, word: Range<usize>) -> Option<Candidate> {
    let range = number(text, &word)?;
    let digits = &text[range.clone()];
    // Sixteen digits have the version of the software in place of the check digit.
    let is_valid = match digits.len() {
        15 => luhn(digits),
        14 | 16 => true,
        _ => false,
    };
    is_valid.then(|| candidate(Class::Imei, text, range))
}

fn imsi(text: &str, word: Range<usize>) -> Option<Candidate> {
    let range = number(text, &word)?;
    let digits = &text[range.clone()];
    let is_valid = matches!(digits.len(), 14 | 15)
        && matches!(digits.as_bytes()[0], b'2'..=b'7' | b'9' | b'0');
    is_valid.then(|| candidate(Class::Imsi, text, range))
}

fn iccid(text: &str, word: Range<usize>) -> Option<Candidate> {
    let range = number(text, &word)?;
    let digits = &text[range.clone()];
    let is_valid = (18..=22).contains(&digits.len()) && digits.starts_with("89");
    is_valid.then(|| candidate(Class::Iccid, text, range))
}

fn luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(index, byte)| {
            let digit = u32::from(byte - b'0');
            let doubled = if index % 2 == 1 { digit * 2 } else { digit };
            doubled / 10 + doubled % 10
        })
        .sum();
    sum.is_multiple_of(10)
}

fn phone(text: &str, word: Range<usize>) -> Option<Candidate> {
    if !is_free_before(text, word.start) {
        return None;
    }
    let bytes = text.as_bytes();
    // The rest of the word: `telephone`, `phone number`, `tel.`.
    let mut at = run_end(bytes, word.end, |byte| byte.is_ascii_alphabetic());
    for more in [" number", " no", " to", " from", "_number", "."] {
        if text[at..].starts_with(more) {
            at += more.len();
        }
    }
    let signs = run_end(bytes, at, |byte| {
        matches!(byte, b' ' | b':' | b'=' | b'"' | b'\t' | b'(')
    });
    let is_sign = bytes[at..signs]
        .iter()
        .any(|byte| matches!(byte, b':' | b'='))
        || bytes.get(signs) == Some(&b'+')
        || text[at..].starts_with(" 0");
    (is_sign && signs > at).then(|| phones::announced(text, signs))?
}

/// `Serial Number: …`, `Serial : 10000000abcdef01`, `ID_SERIAL_SHORT=…`.
fn serial(text: &str, word: Range<usize>) -> Option<Candidate> {
    let before = &text[..word.start];
    if !is_free_before(text, word.start) && !before.ends_with('_') && !before.ends_with('i') {
        return None;
    }
    let bytes = text.as_bytes();
    let mut end = run_end(bytes, word.end, |byte| {
        byte.is_ascii_alphanumeric() || byte == b'_'
    });
    for more in [" Number", " number", " No.", " no.", " No", "-number", "#"] {
        if text[end..].starts_with(more) {
            end += more.len();
        }
    }
    let value = match value_after(text, end) {
        Some(value) => value.range,
        // lsusb has a number between: `iSerial 3 0123456789`.
        None if before.ends_with('i') => {
            let number = skip_blanks(bytes, end);
            let after = run_end(bytes, number, |byte| byte.is_ascii_digit());
            let start = skip_blanks(bytes, after);
            (start > after).then(|| start..crate::fields::line_end(bytes, start))?
        }
        None => return None,
    };
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b'.' | b':');
    let end = run_end(bytes, value.start, is_part);
    let number = text[value.start..end].trim_end_matches(['.', ':', '-']);
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    // Zones of DNS have serials that are dates.
    let is_zone = number.len() == 10
        && digits == 10
        && (number.starts_with("20") || number.starts_with("19"));
    let is_number = (5..=64).contains(&number.len())
        && digits >= 2
        && !is_zone
        && number
            .bytes()
            .any(|byte| byte != b'0' && byte.is_ascii_alphanumeric())
        && number.parse::<std::net::IpAddr>().is_err();
    is_number.then(|| candidate(Class::Serial, text, value.start..value.start + number.len()))
}
