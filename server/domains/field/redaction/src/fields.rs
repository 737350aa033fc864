//! Small steps over text: the value after a name, white space, boundaries of words.

use std::ops::Range;

/// A value that stands after a name and a `:` or `=`.
pub(crate) struct NamedValue {
    /// Without quotes.
    pub(crate) range: Range<usize>,
    pub(crate) quote: Option<u8>,
    /// `=` or `:`.
    pub(crate) sign: u8,
}

/// The value after a name that ends at `end`. Without quotes it reaches to the end of the line; the caller
/// knows how much of that is the value. Tolerates `"name": "value"`, `name=value`, `name => 'value'`,
/// `name := value`.
pub(crate) fn value_after(text: &str, end: usize) -> Option<NamedValue> {
    let bytes = text.as_bytes();
    let mut at = end;
    if matches!(bytes.get(at), Some(b'"' | b'\'')) {
        at += 1;
    }
    at = skip_blanks(bytes, at);
    let sign = *bytes.get(at).filter(|sign| matches!(sign, b':' | b'='))?;
    at += 1;
    if matches!(
        (sign, bytes.get(at)),
        (b':', Some(b'=')) | (b'=', Some(b'>'))
    ) {
        at += 1;
    }
    value_at(text, at, sign)
}

/// The value that begins at `at`, after blanks, with or without quotes.
pub(crate) fn value_at(text: &str, at: usize, sign: u8) -> Option<NamedValue> {
    let bytes = text.as_bytes();
    let mut at = skip_blanks(bytes, at);
    // A quote that is itself escaped: the value ends at the next such quote.
    let is_escaped =
        bytes.get(at) == Some(&b'\\') && matches!(bytes.get(at + 1), Some(b'"' | b'\''));
    if is_escaped {
        at += 1;
    }
    let quote = bytes
        .get(at)
        .copied()
        .filter(|sign| matches!(sign, b'"' | b'\''));
    let line = line_end(bytes, at);
    let range = match quote {
        Some(quote) => at + 1..closing(bytes, at + 1, line, quote, is_escaped),
        None => at..trimmed(bytes, at, line),
    };
    (!range.is_empty()).then_some(NamedValue { range, quote, sign })
}

fn closing(bytes: &[u8], from: usize, line: usize, quote: u8, is_escaped: bool) -> usize {
    let mut at = from;
    while at < line {
        match bytes[at] {
            b'\\' if is_escaped && bytes.get(at + 1) == Some(&quote) => return at,
            b'\\' if at + 1 < line => at += 1,
            sign if sign == quote => return at,
            _ => {}
        }
        at += 1;
    }
    trimmed(bytes, from, line)
}

pub(crate) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// The end of the line that `at` is in, without its line break.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at.min(bytes.len())..];
    memchr::memchr(b'\n', rest).map_or(bytes.len(), |end| at + end)
}

/// The beginning of the line that `at` is in.
pub(crate) fn line_start(bytes: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1)
}

/// The end of `from..to` without white space at its end.
pub(crate) fn trimmed(bytes: &[u8], from: usize, to: usize) -> usize {
    let blanks = bytes[from..to]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    to - blanks
}

/// The end of the run of bytes that `is_part` accepts.
pub(crate) fn run_end(bytes: &[u8], from: usize, is_part: impl Fn(u8) -> bool) -> usize {
    let length = bytes[from..].iter().position(|byte| !is_part(*byte));
    length.map_or(bytes.len(), |length| from + length)
}

/// True if a word may begin at `at`: nothing alphanumeric is before it.
pub(crate) fn is_free_before(text: &str, at: usize) -> bool {
    !text[..at].ends_with(|sign: char| sign.is_alphanumeric() || sign == '_')
}

/// True if a word may end at `at`.
pub(crate) fn is_free_after(text: &str, at: usize) -> bool {
    !text[at..].starts_with(|sign: char| sign.is_alphanumeric() || sign == '_')
}

/// The last word before `at`, of letters, digits, `-` and `_`, with the signs skipped that stand between a
/// name and its value.
pub(crate) fn word_before(text: &str, at: usize) -> &str {
    let bytes = text.as_bytes();
    let from = at.saturating_sub(40);
    let is_between = |byte: u8| {
        matches!(
            byte,
            b' ' | b'\t' | b':' | b'=' | b'"' | b'\'' | b'/' | b'(' | b'['
        )
    };
    let mut end = at;
    while end > from && is_between(bytes[end - 1]) {
        end -= 1;
    }
    let mut start = end;
    while start > from
        && (bytes[start - 1].is_ascii_alphanumeric() || matches!(bytes[start - 1], b'-' | b'_'))
    {
        start -= 1;
    }
    // The cut at forty bytes may be inside of a character; what is between is ASCII.
    text.get(start..end).unwrap_or_default()
}
