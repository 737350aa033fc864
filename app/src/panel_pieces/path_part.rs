//! Names as parts of a path.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Decodes a part of a path. None if it is not well encoded, or not UTF-8.
pub(crate) fn decoded(part: &str) -> Option<String> {
    let is_hex = |code: &str| code.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut codes = part.split('%').skip(1);
    if !codes.all(|rest| rest.get(..2).is_some_and(is_hex)) {
        return None;
    }
    let text = percent_decode_str(part).decode_utf8();
    text.ok().map(Cow::into_owned)
}
