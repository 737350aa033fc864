//! Safe links: the check of addresses, and links made of bare ones.

use crate::Inline;

const BARE: [&str; 2] = ["https://", "http://"];

/// Returns whether a link may have this address. Browsers drop tabs and line ends from addresses
/// and read `\` as `/`, so any address that contains them is refused.
pub(crate) fn is_allowed(href: &str) -> bool {
    if href
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || c == '\\')
    {
        return false;
    }
    if let Some(rest) = href.strip_prefix('/') {
        return !rest.starts_with('/');
    }
    ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| has_prefix(href, scheme) && href.len() > scheme.len())
}

/// Appends text, with bare web addresses as links.
pub(crate) fn push_text(text: &str, out: &mut Vec<Inline>) {
    let mut plain = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find("http") {
        let start = at + found;
        let length = address_length(text, start);
        if length == 0 {
            at = start + "http".len();
            continue;
        }
        if plain < start {
            out.push(Inline::Text(text[plain..start].to_owned()));
        }
        let href = &text[start..start + length];
        out.push(Inline::Link {
            href: href.to_owned(),
            title: None,
            children: vec![Inline::Text(href.to_owned())],
        });
        at = start + length;
        plain = at;
    }
    if plain < text.len() {
        out.push(Inline::Text(text[plain..].to_owned()));
    }
}

/// Returns the length of the web address that begins at `start`, or zero.
fn address_length(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let Some(scheme) = BARE.iter().find(|scheme| rest.starts_with(**scheme)) else {
        return 0;
    };
    if text[..start]
        .chars()
        .next_back()
        .is_some_and(char::is_alphanumeric)
    {
        return 0;
    }
    let end = rest
        .find(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '\\'))
        .unwrap_or(rest.len());
    let trimmed = trim_end_punctuation(&rest[..end]);
    let is_host = trimmed[scheme.len().min(trimmed.len())..]
        .chars()
        .next()
        .is_some_and(|c| c.is_alphanumeric() || c == '[');
    if is_host { trimmed.len() } else { 0 }
}

/// Removes punctuation that ends a sentence rather than an address; a closing bracket stays if it
/// was opened in the address.
fn trim_end_punctuation(address: &str) -> &str {
    let mut open = 0_i32;
    for c in address.chars() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
    }
    let mut end = address.len();
    for c in address.chars().rev() {
        match c {
            ')' if open < 0 => open += 1,
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' | '~' | '`' | ']' | '}' => {}
            _ => break,
        }
        end -= c.len_utf8();
    }
    &address[..end]
}

fn has_prefix(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}
