//! Texts in pieces: as it is, a token, as it is, and so on.

use field_redaction::live_tokens;
use field_wire::FieldText;

/// A text that is shown as a whole.
pub(super) fn whole(text: &str) -> FieldText {
    FieldText {
        pieces: pieces(text),
        bytes: text.len() as u64,
        start: 0,
    }
}

/// Splits a covered text at its tokens. What only looks like one stays with the text around it.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    for token in live_tokens(text) {
        let token = token.to_string();
        let Some(at) = find(rest, &token) else {
            continue;
        };
        pieces.push(rest[..at].to_owned());
        rest = &rest[at + token.len()..];
        pieces.push(token);
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(rest.to_owned());
    }
    pieces
}

/// The place of a token in a text: neither escaped, nor a part of a longer word.
fn find(text: &str, token: &str) -> Option<usize> {
    let mut places = text.match_indices(token).map(|(at, _)| at);
    places.find(|&at| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = &text[..at];
        let after = &text[at + token.len()..];
        !before.ends_with(|c| is_part(c) || c == '~') && !after.starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tokens_stand_apart() {
        for (text, expected) in [
            ("", vec![""]),
            ("no token", vec!["no token"]),
            ("ip-s1-n1.1", vec!["", "ip-s1-n1.1"]),
            (
                "via ip-s1-n1.1 dev ip-s1-n1.17/24\n",
                vec!["via ", "ip-s1-n1.1", " dev ", "ip-s1-n1.17", "/24\n"],
            ),
            // A stranger wrote the first one.
            (
                "~host-s1-1 and host-s1-1, ~host-s1-1",
                vec!["~host-s1-1 and ", "host-s1-1", ", ~host-s1-1"],
            ),
            ("xip-s1-n1.1 ip-s1-n1.1x", vec!["xip-s1-n1.1 ip-s1-n1.1x"]),
        ] {
            assert_eq!(pieces(text), expected, "{text}");
            assert_eq!(pieces(text).concat(), text);
        }
    }
}
