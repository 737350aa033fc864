//! Percent-encoding and form bodies.

/// Decodes `%XX`; invalid sequences stay as they are.
pub(crate) fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = (*first == b'%')
            .then(|| tail.get(..2))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(hex.unwrap_or(*first));
        rest = if hex.is_some() {
            tail.get(2..).unwrap_or_default()
        } else {
            tail
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The pairs of a query or of a form body.
pub(crate) fn pairs(text: &str) -> Vec<(String, String)> {
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (
                decode(&key.replace('+', " ")),
                decode(&value.replace('+', " ")),
            )
        })
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
