//! Text from outside as a reader may understand it: with every escape in it undone.
//!
//! A value that follows `\n` in raw JSON looks like the end of another word. So a text is compared
//! in all its readings: unchanged, and with escapes of JSON, entities of HTML and percent-encoding
//! undone, again and again, in every order. Undoing too much does no harm, for each step is a
//! reading beside the others and none replaces another.

use std::{borrow::Cow, collections::HashSet};

use percent_encoding::percent_decode_str;

/// The most readings of one text. A text that is nested deeper counts as saying everything.
const MAX_READINGS: usize = 48;
/// The most bytes of all readings together.
const MAX_BYTES: usize = 4 << 20;

/// All readings of a text, itself first.
pub(super) struct Readings {
    pub(super) texts: Vec<String>,
    /// There are more than anybody writes in good faith: any value may be in there.
    pub(super) too_deep: bool,
}

pub(super) fn readings(text: &str) -> Readings {
    let mut texts = vec![text.to_owned()];
    let mut known: HashSet<String> = texts.iter().cloned().collect();
    let mut next = 0;
    let mut bytes = 0;
    while let Some(text) = texts.get(next) {
        next += 1;
        for read in [
            unescaped(text),
            without_entities(text),
            without_percent(text),
        ] {
            let Some(read) = read.filter(|read| !known.contains(read)) else {
                continue;
            };
            bytes += read.len();
            if texts.len() >= MAX_READINGS || bytes > MAX_BYTES {
                return Readings {
                    texts,
                    too_deep: true,
                };
            }
            known.insert(read.clone());
            texts.push(read);
        }
    }
    Readings {
        texts,
        too_deep: false,
    }
}

/// The text with one layer of backslash escapes undone; none if there are none.
fn unescaped(text: &str) -> Option<String> {
    if !text.contains('\\') {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(c) = rest.chars().next() else {
            out.push('\\');
            break;
        };
        let after = &rest[c.len_utf8()..];
        (out, rest) = match c {
            'n' | 'r' | 't' | 'b' | 'f' | 'v' | 'a' | 'e' | '0' => (pushed(out, '\n'), after),
            'u' | 'x' | 'U' => match code(c, after) {
                Some((c, rest)) => (pushed(out, c), rest),
                None => (pushed(pushed(out, '\\'), c), after),
            },
            c if c.is_alphanumeric() => (pushed(pushed(out, '\\'), c), after),
            // Quotes, slashes, the backslash itself, and whatever else somebody escaped.
            c => (pushed(out, c), after),
        };
    }
    out.push_str(rest);
    Some(out)
}

fn pushed(mut text: String, c: char) -> String {
    text.push(c);
    text
}

/// The character of `\u0073`, `\ud83d\ude00`, `\u{73}`, `\U00000073` or `\x73`, and the rest of the
/// text.
fn code(kind: char, rest: &str) -> Option<(char, &str)> {
    if let Some(braced) = rest.strip_prefix('{') {
        let (digits, rest) = braced.split_once('}')?;
        return Some((char::from_u32(hex(digits)?)?, rest));
    }
    let digits = match kind {
        'x' => 2,
        'U' => 8,
        _ => 4,
    };
    let (number, rest) = rest.split_at_checked(digits)?;
    let number = hex(number)?;
    if !(0xd800..0xdc00).contains(&number) {
        return Some((char::from_u32(number).unwrap_or('\u{fffd}'), rest));
    }
    let low = rest.strip_prefix("\\u").and_then(|rest| {
        let (low, rest) = rest.split_at_checked(4)?;
        let low = hex(low).filter(|low| (0xdc00..0xe000).contains(low))?;
        let both = 0x10000 + ((number - 0xd800) << 10) + (low - 0xdc00);
        Some((char::from_u32(both)?, rest))
    });
    Some(low.unwrap_or(('\u{fffd}', rest)))
}

fn hex(digits: &str) -> Option<u32> {
    let is_hex = (1..=8).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is_hex
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten()
}

const ENTITIES: [(&str, char); 22] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("sol", '/'),
    ("bsol", '\\'),
    ("colon", ':'),
    ("semi", ';'),
    ("comma", ','),
    ("period", '.'),
    ("hyphen", '-'),
    ("dash", '-'),
    ("lowbar", '_'),
    ("num", '#'),
    ("percnt", '%'),
    ("commat", '@'),
    ("Tab", '\t'),
    ("NewLine", '\n'),
    ("ensp", ' '),
    ("thinsp", ' '),
];

/// The text with one layer of HTML's entities undone; none if there are none.
fn without_entities(text: &str) -> Option<String> {
    if !text.contains('&') {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match entity(rest) {
            Some((c, after)) => {
                out.push(c);
                rest = after;
                changed = true;
            }
            None => out.push('&'),
        }
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// The character of the entity after `&`, and the rest of the text. Browsers forgive a missing
/// semicolon.
fn entity(rest: &str) -> Option<(char, &str)> {
    let closed = |rest: &'_ str| rest.strip_prefix(';').map_or(rest.len(), str::len);
    if let Some(number) = rest.strip_prefix('#') {
        let (digits, radix) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16),
            None => (number, 10),
        };
        let end = digits
            .find(|c: char| !c.is_digit(radix))
            .unwrap_or(digits.len());
        let c = char::from_u32(u32::from_str_radix(&digits[..end], radix).ok()?)?;
        let rest = &digits[end..];
        return Some((c, &rest[rest.len() - closed(rest)..]));
    }
    ENTITIES.iter().find_map(|(name, c)| {
        let rest = rest.strip_prefix(name)?;
        Some((*c, &rest[rest.len() - closed(rest)..]))
    })
}

/// The text with one layer of percent-encoding undone; none if there is none.
fn without_percent(text: &str) -> Option<String> {
    let bytes: Cow<'_, [u8]> = percent_decode_str(text).into();
    match bytes {
        Cow::Borrowed(_) => None,
        Cow::Owned(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_has_a_reading_without_it() {
        for (raw, inside) in [
            (r"a\nsmbd", "a\nsmbd"),
            (r"a\u003csmbd", "a<smbd"),
            (r"a\/smbd", "a/smbd"),
            (r"a\\nsmbd", "a\nsmbd"),
            (r#""{\"a\":\"b\\nsmbd\"}""#, "b\nsmbd"),
            (r"\u0073\x6d\u{62}\U00000064", "smbd"),
            (r"\ud83d\ude00smbd", "😀smbd"),
            ("&lt;smbd&gt;", "<smbd>"),
            ("&amp;lt;smbd", "<smbd"),
            ("&#115;&#x6d;&#98;&#100;", "smbd"),
            ("&#92;nsmbd", "\nsmbd"),
            ("x%0Asmbd", "x\nsmbd"),
            ("%73mb%64", "smbd"),
            ("x%255Cnsmbd", "x\nsmbd"),
            (r"x\u0026#10;smbd", "x\nsmbd"),
        ] {
            let readings = readings(raw);
            assert!(!readings.too_deep);
            let found = readings.texts.iter().any(|text| text.contains(inside));
            assert!(found, "{raw}: {:?}", readings.texts);
            assert_eq!(readings.texts[0], raw);
        }
    }

    #[test]
    fn plain_text_has_one_reading_and_a_trap_has_an_end() {
        assert_eq!(readings("smbd is well; 50 % of it & more").texts.len(), 1);
        let mut deep = "smbd".to_owned();
        for _ in 0..9 {
            deep = format!("\\u0026amp;%25{}", deep.replace('\\', "\\\\"));
        }
        assert!(readings(&deep).too_deep);
    }
}
