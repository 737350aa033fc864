//! JSON web tokens, and other tokens that are JSON in base64.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::fields::{is_free_before, run_end};

/// Reads a token whose first part decodes to the beginning of a JSON object. `eyJ` alone is a match; a name
/// such as `eyJafjallajokull` decodes to something else.
pub(super) fn read(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    if text[anchor.clone()] != *"eyJ" || !is_free_before(text, anchor.start) {
        return None;
    }
    let bytes = text.as_bytes();
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b'+' | b'/');
    let first = run_end(bytes, anchor.start, is_part);
    let header = text[anchor.start..first].trim_end_matches('=');
    // Whole groups of four are enough to see the names in it.
    let whole = &header[..header.len() / 4 * 4];
    let decoded = URL_SAFE_NO_PAD
        .decode(whole.replace('+', "-").replace('/', "_"))
        .ok()?;
    let decoded = String::from_utf8_lossy(&decoded);
    let has_parts = bytes.get(first) == Some(&b'.');
    let is_header = decoded.starts_with("{\"") && decoded.contains("\":");
    if !is_header || (!has_parts && header.len() < 40) {
        return None;
    }
    let end = run_end(bytes, anchor.start, |byte| is_part(byte) || byte == b'.');
    Some(anchor.start..end - usize::from(bytes[end - 1] == b'.'))
}
