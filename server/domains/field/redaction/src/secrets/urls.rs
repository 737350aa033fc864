//! User names and passwords in addresses, and addresses that are themselves a secret.

use std::ops::Range;

use crate::fields::run_end;

pub(super) const ANCHORS: [&str; 4] = [
    "://",
    "hooks.slack.com/services/",
    "discord.com/api/webhooks/",
    "api.telegram.org/bot",
];

pub(super) fn read(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    if text[anchor.clone()] == *"://" {
        user_info(text, anchor)
    } else {
        webhook(text, anchor.end)
    }
}

/// `user:password` between `://` and `@`. A user alone is a secret only if it looks like a token: the `git`
/// of `ssh://git@…` is none.
fn user_info(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let scheme = bytes[..anchor.start].last()?;
    if !scheme.is_ascii_alphanumeric() {
        return None;
    }
    let is_authority = |byte: u8| {
        !byte.is_ascii_whitespace()
            && !matches!(
                byte,
                b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'`' | b'|'
            )
    };
    let end = run_end(bytes, anchor.end, is_authority);
    // A password may hold an `@`: the last one ends it.
    let at = anchor.end + memchr::memrchr(b'@', &bytes[anchor.end..end])?;
    let info = &text[anchor.end..at];
    let is_secret = match info.split_once(':') {
        Some((_, password)) => !password.is_empty(),
        None => info.len() >= 16 && info.bytes().any(|byte| byte.is_ascii_digit()),
    };
    is_secret.then_some(anchor.end..at)
}

fn webhook(text: &str, from: usize) -> Option<Range<usize>> {
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b':');
    let end = run_end(text.as_bytes(), from, is_part);
    (end - from >= 20).then_some(from..end)
}
