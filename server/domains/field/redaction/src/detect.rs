//! Finds values by class: candidates by their form, then parsed and classified, never by the form alone.
//!
//! All rules look at one line at a time, so that it does not matter how a text arrives.

mod addresses;
mod email;
mod hosts;
mod keywords;
mod lines;
mod phones;
mod places;

use crate::candidate::Candidate;

/// Kinds of signs in a run that can belong to an address or a name.
mod signs {
    pub(super) const LETTER: u8 = 1;
    pub(super) const DIGIT: u8 = 2;
    pub(super) const DOT: u8 = 4;
    pub(super) const COLON: u8 = 8;
    pub(super) const AT: u8 = 16;
    pub(super) const DASH: u8 = 32;
    pub(super) const PLUS: u8 = 64;
    pub(super) const WIDE: u8 = 128;
}

static SIGNS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'\'' => signs::LETTER,
            b'0'..=b'9' => signs::DIGIT,
            b'.' => signs::DOT,
            b':' => signs::COLON,
            b'@' => signs::AT,
            b'-' => signs::DASH,
            b'+' => signs::PLUS,
            0x80.. => signs::WIDE,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Finds the values in one layer of a text. Ranges may overlap.
pub(crate) fn candidates(text: &str, found: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let mut mask = 0;
        while let Some(sign) = bytes
            .get(at)
            .map(|byte| SIGNS[usize::from(*byte)])
            .filter(|sign| *sign != 0)
        {
            mask |= sign;
            at += 1;
        }
        let has = |sign| mask & sign != 0;
        if has(signs::DIGIT) && has(signs::DOT) {
            addresses::ipv4(text, start..at, found);
            addresses::dotted(text, start..at, found);
        }
        if has(signs::COLON) {
            addresses::colons(text, start..at, found);
        }
        if has(signs::DASH) && at - start >= 17 {
            addresses::dashed(text, start..at, found);
        }
        if has(signs::DASH) && has(signs::DIGIT) {
            found.extend(hosts::of_address(text, start..at));
        }
        if has(signs::AT) {
            email::read(text, start..at, found);
        }
        if has(signs::PLUS) && has(signs::DIGIT) {
            phones::international(text, start..at, found);
        }
        if has(signs::DOT) && (has(signs::LETTER) || has(signs::WIDE)) {
            hosts::dotted(text, start..at, found);
        }
        at += 1;
    }
    keywords::read(text, found);
    lines::read(text, found);
}
