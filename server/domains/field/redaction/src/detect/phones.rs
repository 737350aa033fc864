//! Telephone numbers: international ones with `+`, others only beside a word that says what they are.

use std::ops::Range;

use crate::candidate::Candidate;
use crate::class::Class;

/// The most digits of a number, by ITU-T E.164.
const MOST: usize = 15;

pub(super) fn international(text: &str, run: Range<usize>, found: &mut Vec<Candidate>) {
    for (at, _) in text[run.clone()].match_indices('+') {
        let at = run.start + at;
        let is_free = !text[..at]
            .ends_with(|sign: char| sign.is_alphanumeric() || matches!(sign, '+' | '_' | '/'));
        let Some(number) = is_free.then(|| digits(text, at + 1)).flatten() else {
            continue;
        };
        if is_valid(&number.digits) {
            found.push(Candidate {
                class: Class::Phone,
                range: at..number.end,
                value: format!("+{}", number.digits),
            });
        }
    }
}

/// A number after a word such as `phone:`, in a national form too.
pub(super) fn announced(text: &str, from: usize) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let plus = usize::from(bytes.get(from) == Some(&b'+'));
    let number = digits(text, from + plus)?;
    let is_international = plus == 1 && is_valid(&number.digits);
    let is_national = plus == 0 && (7..=MOST).contains(&number.digits.len());
    let value = match plus {
        1 => format!("+{}", number.digits),
        _ => number.digits,
    };
    (is_international || is_national).then_some(Candidate {
        class: Class::Phone,
        range: from..number.end,
        value,
    })
}

struct Dialled {
    digits: String,
    end: usize,
}

/// Digits with single separators between them. Dots separate only if they do so from the first group on.
fn digits(text: &str, from: usize) -> Option<Dialled> {
    let bytes = text.as_bytes();
    let mut number = Dialled {
        digits: String::new(),
        end: from,
    };
    let mut at = from;
    let mut separator = None;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_digit() {
            number.digits.push(char::from(*byte));
            at += 1;
            number.end = at;
            continue;
        }
        let length = match bytes.get(at..) {
            Some([b' ', b'(', b'0', b')', b' ', ..]) => 5,
            Some([b' ', b'(', b'0', b')', ..] | [b'(', b'0', b')', b' ', ..]) => 4,
            Some([b'(', b'0', b')', ..]) => 3,
            Some([b')', b' ', ..] | [b' ', b'(', ..]) => 2,
            Some([b' ' | b'-' | b'/' | b'.' | b'(' | b')', ..]) => 1,
            _ => break,
        };
        let sign = (*byte == b'.').then_some(b'.');
        let is_first = separator.is_none();
        // With eleven digits a number is whole: the next group belongs to something else.
        let is_whole = number.digits.len() >= 11
            || number.digits.len() >= 7 && number.digits.ends_with("0000");
        let follows = bytes.get(at + length).is_some_and(u8::is_ascii_digit);
        if !follows || is_whole || (!is_first && separator != Some(sign)) {
            break;
        }
        separator = Some(sign);
        at += length;
    }
    let is_glued =
        text[number.end..].starts_with(|sign: char| sign.is_alphanumeric() || sign == '_');
    let is_number = !number.digits.is_empty() && number.digits.len() <= MOST;
    (is_number && !is_glued).then_some(number)
}

/// True if digits after a `+` begin with the code of a country and have the length of a number there.
fn is_valid(digits: &str) -> bool {
    let bytes = digits.as_bytes();
    if !(8..=MOST).contains(&bytes.len()) {
        return false;
    }
    match bytes[0] {
        // Area codes and exchanges of North America begin with 2 to 9.
        b'1' => bytes.len() == 11 && bytes[1] >= b'2' && bytes[4] >= b'2',
        b'7' => bytes.len() == 11,
        b'2'..=b'6' | b'8' | b'9' => {
            let code: u32 = digits[..2].parse().unwrap_or(0);
            let is_unused = matches!(code, 28 | 83 | 89);
            !is_unused && bytes.len() >= 9
        }
        _ => false,
    }
}
