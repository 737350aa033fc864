//! Percent-encoding and form bodies.

use percent_encoding::percent_decode_str;

/// Decodes `%XX`; invalid sequences stay as they are.
pub(crate) fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// The pairs of a query or of a form body.
pub(crate) fn pairs(text: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(text.as_bytes())
        .into_owned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_clients_send() {
        for (text, expect) in [
            ("root%40pam", "root@pam"),
            ("UPID%3Apve%3a00", "UPID:pve:00"),
            ("100%", "100%"),
            ("a%2", "a%2"),
            ("%zz", "%zz"),
            ("a+b", "a+b"),
        ] {
            assert_eq!(decode(text), expect);
        }
        assert_eq!(
            pairs("a=1&b=x%26y+z&c&"),
            [("a", "1"), ("b", "x&y z"), ("c", "")].map(|(k, v)| (k.to_owned(), v.to_owned()))
        );
    }
}
