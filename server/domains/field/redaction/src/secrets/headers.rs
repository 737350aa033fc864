//! Headers of HTTP and options of command lines that carry credentials.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::fields::{is_free_before, line_end, line_start, run_end, skip_blanks, trimmed};

pub(super) const ANCHORS: [&str; 12] = [
    "authorization",
    "cookie",
    "bearer ",
    "basic ",
    "digest ",
    "PVEAPIToken=",
    " -u ",
    " --user ",
    " --proxy-user ",
    "sshpass -p",
    " -c ",
    ":AA",
];

pub(super) fn read(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    let word = text[anchor.clone()].to_ascii_lowercase();
    match word.as_str() {
        "authorization" | "cookie" => header(text, anchor.end),
        "bearer " | "basic " | "digest " => credentials(text, &word, anchor),
        "pveapitoken=" => run(text, anchor.end),
        " -u " | " --user " | " --proxy-user " => user_and_password(text, anchor.end),
        "sshpass -p" => run(text, skip_blanks(text.as_bytes(), anchor.end)),
        " -c " => community(text, anchor),
        ":aa" => bot(text, anchor),
        _ => None,
    }
}

/// All that a header holds, its scheme aside: `Basic`, `Bearer` and the like stay.
fn header(text: &str, name: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = name;
    // The header may be a name in JSON, and its value a string.
    if matches!(bytes.get(at), Some(b'"' | b'\'')) {
        at += 1;
    }
    at = skip_blanks(bytes, at);
    bytes.get(at).filter(|sign| matches!(sign, b':' | b'='))?;
    at = skip_blanks(bytes, at + 1);
    if matches!(bytes.get(at), Some(b'"' | b'\'')) {
        at += 1;
    }
    let word = run_end(bytes, at, |byte| {
        byte.is_ascii_alphanumeric() || byte == b'-'
    });
    let follows = skip_blanks(bytes, word);
    if follows > word && word > at {
        at = follows;
    }
    let line = line_end(bytes, at);
    let quote = bytes[at..line]
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\''));
    // A digest has quotes of its own.
    let is_digest = text[..at]
        .trim_end()
        .to_ascii_lowercase()
        .ends_with("digest");
    let end = match quote {
        Some(quote) if !is_digest => at + quote,
        _ => trimmed(bytes, at, line),
    };
    let value = text[at..end].trim_end_matches('\\');
    (value.len() >= 4 && !is_placeholder(value)).then_some(at..at + value.len())
}

/// Credentials after the name of their scheme, without the header's name.
fn credentials(text: &str, scheme: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    if !is_free_before(text, anchor.start) {
        return None;
    }
    let range = run(text, anchor.end)?;
    let value = &text[range.clone()];
    let is_credential = match scheme {
        "basic " => {
            let decoded = STANDARD_NO_PAD.decode(value.trim_end_matches('=')).ok()?;
            decoded.contains(&b':') && decoded.iter().all(|byte| !byte.is_ascii_control())
        }
        "bearer " => value.len() >= 16 && value.bytes().any(|byte| byte.is_ascii_digit()),
        _ => value.starts_with("username="),
    };
    is_credential.then_some(range)
}

/// `user:password` as curl takes it.
fn user_and_password(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let line = &text[line_start(bytes, from)..from];
    if !["curl", "wget", "http"]
        .iter()
        .any(|program| line.contains(program))
    {
        return None;
    }
    let at = skip_blanks(bytes, from);
    let quoted = usize::from(matches!(bytes.get(at), Some(b'"' | b'\'')));
    let range = run(text, at + quoted)?;
    let (_, password) = text[range.clone()].split_once(':')?;
    let is_secret =
        !password.is_empty() && !password.starts_with("//") && !is_placeholder(password);
    is_secret.then_some(range)
}

/// The community in `snmpwalk -v2c -c public`, on lines about SNMP.
fn community(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    let line = &text[line_start(text.as_bytes(), anchor.start)..anchor.start];
    let is_snmp = line.to_ascii_lowercase().contains("snmp");
    is_snmp.then(|| run(text, skip_blanks(text.as_bytes(), anchor.end)))?
}

/// A token of a Telegram bot: digits, a colon, 35 signs that begin with `AA`.
fn bot(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let digits = bytes[..anchor.start]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let end = run_end(bytes, anchor.start + 1, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
    });
    let is_token = (8..=12).contains(&digits) && (34..=36).contains(&(end - anchor.start - 1));
    is_token.then(|| anchor.start - digits..end)
}

fn run(text: &str, from: usize) -> Option<Range<usize>> {
    let end = run_end(text.as_bytes(), from, |byte| {
        !byte.is_ascii_whitespace()
            && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b',' | b'`' | b'\\')
    });
    (end > from).then_some(from..end)
}

fn is_placeholder(value: &str) -> bool {
    value.starts_with(['$', '<', '{', '*', '[']) || value.starts_with("%s")
}
