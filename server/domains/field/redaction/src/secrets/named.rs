//! Values of names that say that they are secret: `password=…`, `"api_key": "…"`, `--token …`.

use std::ops::Range;

use crate::fields::{line_end, line_start, run_end, skip_blanks, trimmed, value_after, value_at};

/// Parts of such names. The whole name around each is read and judged.
pub(super) const ANCHORS: [&str; 34] = [
    "passw",
    "passphrase",
    "passcode",
    "pass",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "accesskey",
    "access_key",
    "access-key",
    "privatekey",
    "private_key",
    "private-key",
    "private key",
    "presharedkey",
    "preshared_key",
    "preshared key",
    "shared_key",
    "shared-key",
    "psk",
    "authkey",
    "auth_key",
    "credential",
    "community",
    "wep_key",
    "wps_pin",
    "wps pin",
    "ap_pin",
    "accountkey",
    "key content",
    "option key",
];

/// Ends of names, in lower case without `-`, `_` and blanks, that are certain.
const CERTAIN: [&str; 30] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secretkey",
    "secretaccesskey",
    "clientsecret",
    "sharedsecret",
    "apikey",
    "accesskey",
    "privatekey",
    "presharedkey",
    "sharedkey",
    "authkey",
    "accountkey",
    "wepkey",
    "wpspin",
    "appin",
    "keycontent",
    "optionkey",
    "passwordhash",
    "saepassword",
    "wpapsk",
    "authtoken",
    "accesstoken",
    "refreshtoken",
    "bearertoken",
    "apitoken",
    "psk",
    "pwd",
];

/// Ends of names whose values are often states or counts.
const LIKELY: [&str; 5] = ["secret", "token", "credential", "credentials", "community"];

/// Words that follow such a name in messages.
const STATES: [&str; 62] = [
    "a",
    "accepted",
    "an",
    "and",
    "are",
    "ask",
    "auth",
    "authentication",
    "by",
    "cannot",
    "changed",
    "check",
    "correct",
    "denied",
    "disabled",
    "does",
    "empty",
    "enabled",
    "error",
    "expired",
    "expires",
    "failed",
    "failure",
    "false",
    "file",
    "for",
    "has",
    "hidden",
    "in",
    "incorrect",
    "invalid",
    "is",
    "missing",
    "mismatch",
    "must",
    "never",
    "nil",
    "no",
    "none",
    "not",
    "null",
    "of",
    "off",
    "ok",
    "on",
    "or",
    "prompt",
    "rejected",
    "removed",
    "required",
    "reset",
    "set",
    "stored",
    "the",
    "true",
    "undefined",
    "unknown",
    "unset",
    "valid",
    "was",
    "will",
    "yes",
];

pub(super) fn read(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let before = bytes[..anchor.start]
        .iter()
        .rev()
        .take_while(|byte| is_name(**byte))
        .count();
    let start = anchor.start - before;
    let end = run_end(bytes, anchor.end, is_name);
    let written = &text[start..end];
    let name = plain(written);
    let certainty = judge(&name, written)?;
    let range = xml(text, start, end)
        .or_else(|| option(text, written, start, end))
        .or_else(|| assigned(text, start, end))?;
    let is_quoted = text[..range.start].ends_with(['"', '\'']);
    is_secret(&text[range.clone()], &name, certainty, is_quoted).then_some(range)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Certain,
    Likely,
}

/// The name in lower case, without separators and the number at its end.
fn plain(name: &str) -> String {
    let name =
        name.trim_end_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, '-' | '_'));
    let signs = name.chars().filter(|sign| !matches!(sign, '-' | '_' | ' '));
    signs.map(|sign| sign.to_ascii_lowercase()).collect()
}

fn judge(name: &str, written: &str) -> Option<Certainty> {
    if matches!(written, "PWD" | "OLDPWD" | "PASS") {
        return None;
    }
    if CERTAIN.iter().any(|end| name.ends_with(end)) {
        return Some(Certainty::Certain);
    }
    let lower = written.to_ascii_lowercase();
    let is_pass = name == "pass" || lower.ends_with("_pass") || lower.ends_with("-pass");
    (is_pass || LIKELY.iter().any(|end| name.ends_with(end))).then_some(Certainty::Likely)
}

/// `<password>value</password>`.
fn xml(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_element = start > 0 && bytes[start - 1] == b'<' && bytes.get(end) == Some(&b'>');
    let close = run_end(bytes, end, |byte| byte != b'<' && byte != b'\n');
    (is_element && close > end + 1).then(|| end + 1..close)
}

/// `--password value`, and the words of configuration files that have no sign between.
fn option(text: &str, written: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let at = skip_blanks(bytes, end);
    if at == end {
        return None;
    }
    let is_first = text[line_start(bytes, start)..start].trim().is_empty();
    let lower = written.to_ascii_lowercase();
    let stands_alone = lower.starts_with("--")
        || lower == "option key"
        || is_first
            && matches!(
                lower.as_str(),
                "wpa-psk" | "wpa-passphrase" | "wireless-key"
            );
    if stands_alone {
        let value = value_at(text, at, b'=')?;
        return Some(match value.quote {
            Some(_) => value.range,
            None => at..inline_end(bytes, at),
        });
    }
    // A digit says how a switch stores what follows: `password 7 0822455D0A16`.
    let is_stored = bytes[at].is_ascii_digit() && bytes.get(at + 1) == Some(&b' ');
    let from = skip_blanks(bytes, at + 1);
    let to = run_end(bytes, from.min(bytes.len()), |byte| {
        !byte.is_ascii_whitespace()
    });
    (is_stored && to >= from + 4).then_some(from..to)
}

fn assigned(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let value = value_after(text, end)?;
    if value.quote.is_some() {
        return Some(value.range);
    }
    // A line of configuration is all value: passwords have blanks, commas and ampersands.
    let before =
        text[line_start(bytes, start)..start].trim_matches([' ', '\t', '-', '#', '"', '\'']);
    let is_first = matches!(before, "" | "export" | "set");
    // Files for radios have no blanks around the sign, and blanks in the value.
    let is_spaced = bytes[value.range.start - 1] == b' '
        || value.sign == b':'
        || is_of_radio(&plain(&text[start..end]));
    if is_first && is_spaced {
        let end = trimmed(bytes, value.range.start, line_end(bytes, value.range.start));
        let value_text = text[value.range.start..end].trim_end_matches([',', ';']);
        return Some(value.range.start..value.range.start + value_text.len());
    }
    Some(value.range.start..inline_end(bytes, value.range.start))
}

/// The end of a value in the midst of a line.
fn inline_end(bytes: &[u8], from: usize) -> usize {
    let mut end = run_end(bytes, from, |byte| {
        !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'&' | b'`')
    });
    while end > from && matches!(bytes[end - 1], b',' | b';' | b')' | b']' | b'}' | b'\\') {
        end -= 1;
    }
    end
}

fn is_secret(value: &str, name: &str, certainty: Certainty, is_quoted: bool) -> bool {
    if value.is_empty() || is_placeholder(value) {
        return false;
    }
    // A phrase may begin with any word; elsewhere the first word says that this is a message.
    let is_phrase = is_quoted || is_of_radio(name);
    let ends: &[char] = if is_phrase {
        &[]
    } else {
        &[' ', '\t', ',', ';', '.', ':']
    };
    let first = value.split(ends).next().unwrap_or_default();
    if STATES.contains(&first.to_ascii_lowercase().as_str()) {
        return false;
    }
    let is_number = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b':')
    };
    match certainty {
        Certainty::Certain => !(name.ends_with("pwd") && value.starts_with('/')),
        // A community of routes is two numbers, and counts of tests or tokens are numbers.
        Certainty::Likely if name.ends_with("community") => !is_number(value),
        Certainty::Likely => value.len() >= 4 && !(is_number(first) && first.len() < 12),
    }
}

/// True for secrets of radios, which are phrases, in files without quotes.
fn is_of_radio(name: &str) -> bool {
    ["passphrase", "psk", "saepassword"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// Variables, templates, stars and the like, which stand where a secret will be.
fn is_placeholder(value: &str) -> bool {
    let bytes = value.as_bytes();
    let within = |open: &str, close: &str| value.starts_with(open) && value.ends_with(close);
    let is_name = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_variable = bytes[0] == b'$' && bytes.len() > 2 && bytes[1..].iter().all(is_name);
    let is_template = ["{{", "${", "$("]
        .iter()
        .any(|open| value.starts_with(open));
    let is_repeated = bytes.len() > 2
        && bytes
            .iter()
            .all(|byte| *byte == bytes[0] && b"*x.-X#?".contains(byte));
    let is_between = [("<", ">"), ("(", ")"), ("[", "]"), ("%(", ")s")];
    is_variable
        || is_template
        || is_repeated
        || value == "%s"
        || is_between.iter().any(|(open, close)| within(open, close))
}
