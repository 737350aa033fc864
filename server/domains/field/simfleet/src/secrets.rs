//! The device's own pass over everything that leaves: secrets are dropped and counted, never sent.
//!
//! Line by line, by key words and by shape. Whoever wants to find more does so on the server; this pass
//! sees to it that the plain ones never travel.

/// Mark in place of a secret.
pub(crate) const DROPPED: &str = "[secret dropped]";

/// Keys whose values are secrets, in lower case.
const KEYS: [&str; 15] = [
    "psk",
    "sae_password",
    "wpa_passphrase",
    "wep_key0",
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "access_token",
    "api_key",
    "apikey",
    "private_key",
    "rocommunity",
    "rwcommunity",
];

/// Text without secrets, and their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SecretPass {
    pub(crate) text: String,
    pub(crate) dropped: u32,
}

/// Drops the secrets of a text.
pub(crate) fn without_secrets(text: &str) -> SecretPass {
    let mut out = SecretPass {
        text: String::with_capacity(text.len()),
        dropped: 0,
    };
    let mut in_block = false;
    for line in text.split_inclusive('\n') {
        if line.contains("-----BEGIN ") && line.contains("PRIVATE KEY") {
            in_block = true;
            out.dropped += 1;
            out.text.push_str(DROPPED);
            out.text.push('\n');
        }
        if in_block {
            in_block = !(line.contains("-----END ") && line.contains("PRIVATE KEY"));
            continue;
        }
        let line = keyed(line, &mut out.dropped);
        let line = authorized(&line, &mut out.dropped);
        let line = wifi_code(&line, &mut out.dropped);
        let line = user_of_url(&line, &mut out.dropped);
        let line = web_tokens(&line, &mut out.dropped);
        out.text.push_str(&line);
    }
    out
}

/// `key=value`, `key: value`, `"key": "value"` and `key value` of SNMP.
fn keyed(line: &str, dropped: &mut u32) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(found) = next_key(rest) {
        let (before, value) = rest.split_at(found);
        out.push_str(before);
        rest = match value.strip_prefix(DROPPED) {
            Some(behind) => {
                out.push_str(DROPPED);
                behind
            }
            None => {
                let end = end_of_value(value, before.ends_with('"'));
                if end > 0 {
                    out.push_str(DROPPED);
                    *dropped += 1;
                }
                &value[end..]
            }
        };
    }
    out.push_str(rest);
    out
}

/// The place where the value of the next key begins.
fn next_key(text: &str) -> Option<usize> {
    // Keys are ASCII, so places in the lower-case copy are places in the text.
    let lower = text.to_ascii_lowercase();
    KEYS.iter()
        .flat_map(|key| {
            let places = lower.match_indices(key).map(|(at, _)| at);
            places.map(|at| (*key, at)).collect::<Vec<_>>()
        })
        .filter_map(|(key, at)| {
            let apart = !lower[..at].ends_with(|it: char| it.is_ascii_alphanumeric());
            let behind = &lower[at + key.len()..];
            let quote = behind.strip_prefix('"').unwrap_or(behind);
            let mark = if key.ends_with("community") {
                quote.strip_prefix(' ')
            } else {
                quote.trim_start_matches(' ').strip_prefix(['=', ':'])
            };
            let value = mark?.trim_start_matches([' ', '"']);
            (apart && !value.is_empty()).then(|| text.len() - value.len())
        })
        .min()
}

/// The end of a value: the quote that closes it, or a blank or what separates parts of a query.
fn end_of_value(text: &str, quoted: bool) -> usize {
    let mut escaped = false;
    let ends = |it: char| {
        if quoted {
            let ends = it == '"' && !escaped;
            escaped = it == '\\' && !escaped;
            return ends || it == '\n';
        }
        it.is_whitespace() || "\"&,;".contains(it)
    };
    text.find(ends).unwrap_or(text.len())
}

fn authorized(line: &str, dropped: &mut u32) -> String {
    let lower = line.to_ascii_lowercase();
    let Some(at) = lower.find("authorization:") else {
        return line.to_owned();
    };
    *dropped += 1;
    let end = if line.ends_with('\n') { "\n" } else { "" };
    format!("{} {DROPPED}{end}", &line[..at + "authorization:".len()])
}

/// The code of a Wi-Fi network for phones: `WIFI:S:name;P:password;;`.
fn wifi_code(line: &str, dropped: &mut u32) -> String {
    let Some(code) = line.find("WIFI:") else {
        return line.to_owned();
    };
    let Some(at) = line[code..].find("P:").map(|at| code + at + 2) else {
        return line.to_owned();
    };
    *dropped += 1;
    let end = line[at..].find(';').map_or(line.len(), |end| at + end);
    format!("{}{DROPPED}{}", &line[..at], &line[end..])
}

fn user_of_url(line: &str, dropped: &mut u32) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("://").map(|at| at + 3) {
        let (before, authority) = rest.split_at(at);
        out.push_str(before);
        let end = authority
            .find(|it: char| it.is_whitespace() || "/\"'".contains(it))
            .unwrap_or(authority.len());
        rest = authority;
        if let Some(user) = authority[..end]
            .rfind('@')
            .filter(|_| authority[..end].contains(':'))
        {
            out.push_str(DROPPED);
            *dropped += 1;
            rest = &authority[user..];
        }
    }
    out.push_str(rest);
    out
}

/// Three parts in base64 that open as a JSON object does.
fn web_tokens(line: &str, dropped: &mut u32) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("eyJ") {
        out.push_str(&rest[..at]);
        let token = &rest[at..];
        let end = token
            .find(|it: char| !(it.is_ascii_alphanumeric() || "-_.".contains(it)))
            .unwrap_or(token.len());
        if token[..end].matches('.').count() == 2 && end > 40 {
            out.push_str(DROPPED);
            *dropped += 1;
        } else {
            out.push_str(&token[..end]);
        }
        rest = &token[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_dropped_and_counted() {
        for (text, secret) in [
            ("\tpsk=\"korrekt-pferd\"\n", "korrekt"),
            ("psk=9f1c0d2e55aa\n", "9f1c"),
            ("{\"psk\" : \"Worte\"}", "Worte"),
            ("psk=\"drei Worte lang\"\n", "Worte"),
            ("{\"psk\": \"a\\\"Worte\"}", "Worte"),
            ("{\"password\":\"hunter2\",\"a\":1}", "hunter2"),
            (
                "GET /check?device=7&token=tok-77ab19&x=1 HTTP/1.1",
                "77ab19",
            ),
            ("Token: abcdef", "abcdef"),
            ("rocommunity geheim 10.0.0.0/8", "geheim"),
            ("authorization: Bearer zzz.yyy", "zzz"),
            ("WIFI:S:Gast;T:WPA;P:sommer;;", "sommer"),
            ("https://anna:geheim@host/path", "geheim"),
            (
                "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
                "AAAA",
            ),
            (
                "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-DEF_123456 end",
                "eyJ",
            ),
        ] {
            let pass = without_secrets(text);
            assert!(!pass.text.contains(secret), "{text}: {}", pass.text);
            assert_eq!(pass.dropped, 1, "{text}: {}", pass.text);
            assert_eq!(without_secrets(&pass.text).text, pass.text, "twice is once");
        }
    }

    #[test]
    fn everything_else_stays() {
        for text in [
            "64 bytes from 192.168.41.1: icmp_seq=1 ttl=64 time=0.412 ms\n",
            "\tSSID: ip-n1.1\n",
            "https://updates.example/check?device=7",
            "tokens: 3 of them",
            "key_mgmt=WPA-PSK\n",
        ] {
            let pass = without_secrets(text);
            assert_eq!((pass.text.as_str(), pass.dropped), (text, 0));
        }
    }
}
