//! Encodings of answers. None is asked for, and none is read: what is packed small may be large unpacked.

use reqwest::header::{CONTENT_ENCODING, HeaderMap};

/// True if the body of an answer is in an encoding, such as gzip.
pub(super) fn is_encoded(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_ENCODING).iter();
    values.any(|value| {
        let value = value.as_bytes().trim_ascii();
        !value.is_empty() && !value.eq_ignore_ascii_case(b"identity")
    })
}
