//! IPv4, IPv6 and hardware addresses.

use std::net::Ipv6Addr;
use std::ops::Range;

use crate::address::{self, AddressReach};
use crate::candidate::Candidate;
use crate::class::Class;
use crate::fields::{line_start, word_before};

/// Words after which four numbers are a version or a place in a document.
const NUMBERED: [&str; 17] = [
    "build", "chapter", "driver", "figure", "firmware", "fw", "rel", "release", "rev", "revision",
    "section", "step", "table", "v", "ver", "version", "oid",
];

/// Words on a line that say that an address of a device follows.
const DEVICE_WORDS: [&str; 16] = [
    "ether", "mac", "hwaddr", "lladdr", "bssid", "station", "address", " at ", "link/", "from",
    "ap ", "peer", "client", "dhcp", "arp", "associat",
];

/// Addresses of four numbers in a run of signs.
pub(super) fn ipv4(text: &str, run: Range<usize>, found: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    let mut at = run.start;
    while at < run.end {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < run.end && (bytes[at].is_ascii_digit() || bytes[at] == b'.') {
            at += 1;
        }
        let numbers = &text[start..at];
        let end = start + numbers.trim_end_matches('.').len();
        // Seven signs are the least, and most numbers have fewer dots.
        if end - start >= 7 {
            found.extend(four_numbers(text, start..end));
        }
    }
}

fn four_numbers(text: &str, range: Range<usize>) -> Option<Candidate> {
    let mut dots = text[range.clone()].match_indices('.');
    let fourth = dots.nth(3).map(|(dot, _)| range.start + dot);
    let end = match fourth {
        None => range.end,
        // A port after the address, as tcpdump writes it; five numbers are else an object identifier.
        Some(dot) if dots.next().is_none() && is_packet(text, &range) => dot,
        Some(_) => return None,
    };
    let spelling = &text[range.start..end];
    let address = address::ipv4(spelling)?;
    let reach = address::reach(address);
    let before = text[..range.start].chars().next_back();
    let after = text[end..].chars().next();
    let is_glued =
        before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphanumeric);
    let is_private = reach == AddressReach::Private;
    let after_dot = before == Some('.');
    // A name before the dot; a number before it would be an object identifier.
    let is_below =
        after_dot && text[..range.start - 1].ends_with(|sign: char| sign.is_alphabetic());
    if reach == AddressReach::Common
        || (after_dot && !(is_below && is_private))
        || (is_glued && !is_private)
    {
        return None;
    }
    if is_version(text, range.start, end, is_private) {
        return None;
    }
    Some(Candidate {
        class: Class::Ipv4,
        range: range.start..end,
        value: address.to_string(),
    })
}

fn is_packet(text: &str, range: &Range<usize>) -> bool {
    let before = &text[..range.start];
    let after = &text[range.end..];
    before.ends_with("IP ") || before.ends_with("> ") || after.starts_with(" > ")
}

fn is_version(text: &str, start: usize, end: usize, is_private: bool) -> bool {
    let before = &text[..start];
    let word = word_before(text, start).to_ascii_lowercase();
    let is_numbered = NUMBERED.contains(&word.as_str()) || word.ends_with("version");
    let letter = before.strip_suffix(['v', 'V']);
    let is_v = letter.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    // `name/1.2.3.4` and `1.2.3.4-rc1` are packages.
    let product = before.strip_suffix('/');
    let is_product =
        product.is_some_and(|rest| rest.ends_with(|sign: char| sign.is_ascii_alphanumeric()));
    let mut after = text[end..].chars();
    let is_suffixed = matches!(after.next(), Some('-' | '+' | '~' | '_')) && {
        let rest = after.as_str();
        let number = rest
            .split(|sign: char| !sign.is_ascii_digit() && sign != '.')
            .next();
        rest.starts_with(char::is_alphanumeric) && number.and_then(address::ipv4).is_none()
    };
    is_numbered || is_v || (!is_private && (is_product || is_suffixed))
}

/// IPv6 addresses, MAC addresses with colons, EUI-64.
pub(super) fn colons(text: &str, run: Range<usize>, found: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    let mut at = run.start;
    while at < run.end {
        let is_part = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
        if !is_part(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let mut colons = 0;
        while at < run.end && is_part(bytes[at]) {
            colons += usize::from(bytes[at] == b':');
            at += 1;
        }
        let is_open = text[at..].starts_with(|sign: char| sign.is_alphanumeric() || sign == '_');
        if colons < 2 {
            continue;
        }
        if is_open {
            // A name follows the last colon, as in rows of `nmcli`: only an address of a device is this sure.
            let end = text[start..at]
                .rfind(':')
                .map_or(start, |colon| start + colon);
            found.extend(hardware(
                text,
                start + usize::from(bytes[start] == b':')..end.max(start + 1),
            ));
        } else {
            found.extend(with_colons(text, start..at));
        }
    }
}

fn with_colons(text: &str, mut range: Range<usize>) -> Option<Candidate> {
    // The end of a word before the first colon, as in `src:fe80::1` or `inet6:fe80::1`.
    if text[..range.start].ends_with(|sign: char| sign.is_alphanumeric() || sign == '_') {
        range.start += text[range.clone()].find(':')? + 1;
        if text[range.clone()].starts_with(':') {
            return None;
        }
    }
    let mut spelling = text[range.clone()].trim_end_matches('.');
    if spelling.ends_with(':') && !spelling.ends_with("::") {
        spelling = &spelling[..spelling.len() - 1];
    }
    if spelling.starts_with(':') && !spelling.starts_with("::") {
        spelling = &spelling[1..];
        range.start += 1;
    }
    range.end = range.start + spelling.len();
    hardware(text, range.clone()).or_else(|| ipv6(text, range))
}

fn hardware(text: &str, range: Range<usize>) -> Option<Candidate> {
    let groups: Vec<_> = text[range.clone()].split(':').collect();
    let is_whole = groups.iter().all(|group| group.len() == 2);
    // BSD leaves leading zeros out.
    let is_short = groups.len() == 6 && groups.iter().all(|group| (1..=2).contains(&group.len()));
    if let Some(before) = client_identifier(&groups).filter(|_| is_whole) {
        return hardware(text, range.start + before * 3..range.end);
    }
    if !matches!(groups.len(), 6 | 8) || !(is_whole || is_short) {
        return None;
    }
    let bytes = address::hardware(&text[range.clone()])?;
    let is_sure = match bytes.len() {
        8 => address::mac_within(&bytes).is_some() || is_announced(text, range.start),
        _ => is_device(text, &range),
    };
    (is_sure && address::is_one_device(&bytes)).then(|| Candidate {
        class: Class::Mac,
        value: address::spelled(&bytes),
        range,
    })
}

/// Groups before the address of a device in an identifier that DHCP clients send: its kind alone, or a
/// DUID of RFC 8415, which version 4 has behind `ff` and four bytes of its own.
fn client_identifier(groups: &[&str]) -> Option<usize> {
    let within = |duid: &[&str]| match *duid {
        ["00", "03", "00", "01", _, _, _, _, _, _] => Some(4),
        ["00", "01", "00", "01", _, _, _, _, _, _, _, _, _, _] => Some(8),
        _ => None,
    };
    match *groups {
        ["01", _, _, _, _, _, _] => Some(1),
        ["ff", _, _, _, _, ref duid @ ..] => within(duid).map(|before| before + 5),
        ref duid => within(duid),
    }
}

fn ipv6(text: &str, mut range: Range<usize>) -> Option<Candidate> {
    let spelling = &text[range.clone()];
    let has_digit = spelling.bytes().any(|byte| byte.is_ascii_digit());
    if !has_digit {
        return None;
    }
    let parsed = spelling.parse::<Ipv6Addr>().ok().or_else(|| {
        // A port after a dot, as tcpdump writes it.
        let (address, port) = spelling.rsplit_once('.')?;
        let is_port = port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
        range.end = range.start + address.len();
        if is_port { address.parse().ok() } else { None }
    });
    let address = parsed?;
    // The four numbers at the end are found by themselves.
    let is_mixed = text[range.clone()].contains('.');
    if is_mixed || address::reach_v6(address) == AddressReach::Common {
        return None;
    }
    if let Some(inner) = address.to_ipv4_mapped() {
        return Some(Candidate {
            class: Class::Ipv4,
            range,
            value: inner.to_string(),
        });
    }
    Some(Candidate {
        class: Class::Ipv6,
        range,
        value: address.to_string(),
    })
}

/// `00-1b-63-84-45-e6`.
pub(super) fn dashed(text: &str, run: Range<usize>, found: &mut Vec<Candidate>) {
    pattern(text, run, b"hh-hh-hh-hh-hh-hh", b'-', found);
}

/// `001b.6384.45e6`.
pub(super) fn dotted(text: &str, run: Range<usize>, found: &mut Vec<Candidate>) {
    pattern(text, run, b"hhhh.hhhh.hhhh", b'.', found);
}

fn pattern(text: &str, run: Range<usize>, form: &[u8], sign: u8, found: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    let mut at = run.start;
    while at + form.len() <= run.end {
        let end = at + form.len();
        let fits = bytes[at..end]
            .iter()
            .zip(form)
            .all(|(byte, form)| match form {
                b'h' => byte.is_ascii_hexdigit(),
                other => byte == other,
            });
        let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
        let is_open = at > run.start && bytes[at - 1].is_ascii_alphanumeric()
            || is_hex(bytes.get(end))
            || bytes.get(end) == Some(&sign) && is_hex(bytes.get(end + 1));
        if !fits || is_open {
            at += 1;
            continue;
        }
        found.extend(device(text, at..end));
        at = end;
    }
}

/// Twelve digits of an address of a device, with or without separators.
pub(super) fn device(text: &str, range: Range<usize>) -> Option<Candidate> {
    let bytes = address::hardware(&text[range.clone()])?;
    let is_sure = is_device(text, &range) && address::is_one_device(&bytes);
    is_sure.then(|| Candidate {
        class: Class::Mac,
        value: address::spelled(&bytes),
        range,
    })
}

/// Digits alone may be a duration, a date or a number with dots, unless a word says what they are.
fn is_device(text: &str, range: &Range<usize>) -> bool {
    let has_letter = text[range.clone()]
        .bytes()
        .any(|byte| byte.is_ascii_alphabetic());
    has_letter || is_announced(text, range.start)
}

fn is_announced(text: &str, at: usize) -> bool {
    let start = line_start(text.as_bytes(), at).max(at.saturating_sub(60));
    // The cut at sixty bytes may be inside of a character.
    let start = (start..=at)
        .find(|start| text.is_char_boundary(*start))
        .unwrap_or(at);
    let before = text[start..at].to_ascii_lowercase();
    DEVICE_WORDS.iter().any(|word| before.contains(word))
}
