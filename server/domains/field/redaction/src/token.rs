//! Tokens that replace values: `ip-n3.17`, `ip6-n4.2`, `pub-5`, `mac-4`, `host-2`, with a site `ip-s7-n3.17`.

use std::fmt;
use std::ops::Range;

use memchr::memchr_iter;
use serde::{Deserialize, Serialize};

/// Kind of a token: the word that it begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// Addresses in a network of the site.
    Ip,
    Ip6,
    /// Addresses that are routed globally, of both families.
    Public,
    Mac,
    Ssid,
    Host,
    Mail,
    Phone,
    Imsi,
    Imei,
    Iccid,
    Serial,
    Person,
    /// A whole network: `net-3` is the prefix of the addresses `ip-n3.…`.
    Network,
}

impl TokenKind {
    const ALL: [Self; 14] = [
        Self::Ip,
        Self::Ip6,
        Self::Public,
        Self::Mac,
        Self::Ssid,
        Self::Host,
        Self::Mail,
        Self::Phone,
        Self::Imsi,
        Self::Imei,
        Self::Iccid,
        Self::Serial,
        Self::Person,
        Self::Network,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Ip => "ip",
            Self::Ip6 => "ip6",
            Self::Public => "pub",
            Self::Mac => "mac",
            Self::Ssid => "ssid",
            Self::Host => "host",
            Self::Mail => "mail",
            Self::Phone => "tel",
            Self::Imsi => "imsi",
            Self::Imei => "imei",
            Self::Iccid => "iccid",
            Self::Serial => "sn",
            Self::Person => "user",
            Self::Network => "net",
        }
    }

    fn is_in_network(self) -> bool {
        matches!(self, Self::Ip | Self::Ip6)
    }
}

/// A token: what stands in a text in place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Pseudonym {
    pub(crate) kind: TokenKind,
    /// Number of the site; 0 in an installation that does not number them.
    pub(crate) site: u32,
    /// Number of the network, of addresses; else 0.
    pub(crate) network: u32,
    /// Number of the host in its network, or a counter.
    pub(crate) number: u32,
}

impl Pseudonym {
    /// Reads a text that is one token and nothing else. RedactionCase does not matter.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let found = scan(text).next()?;
        (found.range == (0..text.len()) && found.escapes == 0).then_some(found.token)
    }

    #[must_use]
    pub fn kind(self) -> TokenKind {
        self.kind
    }

    /// The number of the site, if the installation numbers them.
    #[must_use]
    pub fn site(self) -> Option<u32> {
        (self.site != 0).then_some(self.site)
    }
}

impl fmt::Display for Pseudonym {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-", self.kind.word())?;
        if self.site != 0 {
            write!(out, "s{}-", self.site)?;
        }
        if self.kind.is_in_network() {
            write!(out, "n{}.", self.network)?;
        }
        write!(out, "{}", self.number)
    }
}

impl From<Pseudonym> for String {
    fn from(token: Pseudonym) -> Self {
        token.to_string()
    }
}

impl TryFrom<String> for Pseudonym {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("{text:?} is not a token"))
    }
}

/// Text of the form of a token, known or not.
pub(crate) struct TokenShape {
    /// With the escapes before it.
    pub(crate) range: Range<usize>,
    /// Number of `~` directly before it: each says that it was there in the raw text already.
    pub(crate) escapes: usize,
    pub(crate) token: Pseudonym,
}

/// Finds all texts of the form of a token.
///
/// The same rule decides what is escaped and what is restored, so nothing falls between the two.
pub(crate) fn scan(text: &str) -> impl Iterator<Item = TokenShape> + '_ {
    let bytes = text.as_bytes();
    let mut free_from = 0;
    memchr_iter(b'-', bytes).filter_map(move |dash| {
        // Dashes inside of the token before, such as the second one in `ip-s7-n3.17`.
        if dash < free_from {
            return None;
        }
        let shape = shape_at(text, dash)?;
        free_from = shape.range.end;
        Some(shape)
    })
}

fn shape_at(text: &str, dash: usize) -> Option<TokenShape> {
    let bytes = text.as_bytes();
    let before = bytes[..dash]
        .iter()
        .rev()
        .take(6)
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let start = dash - before;
    let word = &bytes[start..dash];
    let kind = TokenKind::ALL
        .into_iter()
        .find(|kind| kind.word().as_bytes().eq_ignore_ascii_case(word))?;
    if bytes[..start].last() == Some(&b'_') || text[..start].ends_with(char::is_alphanumeric) {
        return None;
    }
    let mut at = dash + 1;
    let mut site = 0;
    if matches!(bytes.get(at), Some(b's' | b'S')) {
        site = number(bytes, &mut { at + 1 }).filter(|site| *site != 0)?;
        at += 1 + digits(site);
        if bytes.get(at) != Some(&b'-') {
            return None;
        }
        at += 1;
    }
    let mut network = 0;
    if kind.is_in_network() {
        if !matches!(bytes.get(at), Some(b'n' | b'N')) {
            return None;
        }
        at += 1;
        network = number(bytes, &mut at)?;
        if bytes.get(at) != Some(&b'.') {
            return None;
        }
        at += 1;
    }
    let number = number(bytes, &mut at)?;
    if bytes.get(at) == Some(&b'_') || text[at..].starts_with(char::is_alphanumeric) {
        return None;
    }
    let escapes = bytes[..start]
        .iter()
        .rev()
        .take_while(|byte| **byte == b'~')
        .count();
    Some(TokenShape {
        range: start - escapes..at,
        escapes,
        token: Pseudonym {
            kind,
            site,
            network,
            number,
        },
    })
}

/// Reads a decimal number of at most nine digits, without leading zeros, and moves behind it.
fn number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let start = *at;
    while bytes.get(*at).is_some_and(u8::is_ascii_digit) {
        *at += 1;
    }
    let found = &bytes[start..*at];
    let is_plain = (1..=9).contains(&found.len()) && (found.len() == 1 || found[0] != b'0');
    is_plain.then(|| {
        found
            .iter()
            .fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'))
    })
}

fn digits(number: u32) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_as_they_are_written() {
        for text in [
            "ip-n3.17",
            "ip6-n4.0",
            "pub-5",
            "mac-4",
            "ssid-1",
            "net-3",
            "ip-s7-n3.17",
            "host-s12-2",
        ] {
            let token = Pseudonym::parse(text).expect(text);
            assert_eq!(token.to_string(), text);
            assert_eq!(Pseudonym::parse(&text.to_uppercase()), Some(token));
        }
        for text in [
            "ip-3.17",
            "host-n3.1",
            "host-02",
            "host-",
            "xhost-2",
            "my_host-2",
            "host-2x",
            "host-s0-2",
            "host-1234567890",
            "~host-2",
            "ip-n3",
            "host-s2",
            "ip-n3.17.",
            "host-２",
        ] {
            assert_eq!(Pseudonym::parse(text), None, "{text}");
        }
    }

    #[test]
    fn tokens_are_found_in_text() {
        let text =
            "ping ip-n1.5.443, http://host-2.local/ (~~mac-4) a-ssid-1 ip-n1.1-ip-n1.9 ip-s2-n1.1";
        let found: Vec<_> = scan(text).map(|it| &text[it.range]).collect();
        assert_eq!(
            found,
            [
                "ip-n1.5",
                "host-2",
                "~~mac-4",
                "ssid-1",
                "ip-n1.1",
                "ip-n1.9",
                "ip-s2-n1.1"
            ]
        );
    }
}
