//! Canonical forms of values: the spellings that count as the same, and for whom.
//!
//! There are two directions, and a form that is safe in one is a hole in the other:
//!
//! - A form that *vouches* makes a value the person's word, so that a call runs at once. It may
//!   only undo what the system does not distinguish and nobody can plant: ASCII case, unless it
//!   counts for this value, blanks around the value, the `.service` that stands for nothing but the
//!   default kind of a unit. Letters that merely look alike and other ways to write a number are
//!   not among them.
//! - A form that is *heard* finds a value in text from outside, and what is found leads to a
//!   question. It may fold as much as it likes: at worst a person is asked once more.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{output::is_hidden, ports::Case};

/// The default kind of a unit: systemd's own tools add it to a bare name.
const DEFAULT_KIND: &str = ".service";
const KINDS: [&str; 11] = [
    DEFAULT_KIND,
    ".socket",
    ".timer",
    ".target",
    ".mount",
    ".path",
    ".slice",
    ".scope",
    ".device",
    ".swap",
    ".automount",
];

/// The folder of devices: lists of disks leave it out.
const DEVICES: &str = "/dev/";

/// The form in which a value is looked for in a person's words. Vouches.
pub(super) fn vouching(value: &str, case: Case) -> String {
    let value = value.trim();
    let value = match case {
        Case::Ignored => value.to_ascii_lowercase(),
        Case::Counts => value.to_owned(),
    };
    match value.strip_suffix(DEFAULT_KIND) {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        _ => value,
    }
}

/// The text after a name in a person's words, without the kind that [`vouching`] left out.
pub(super) fn after_kind(rest: &str) -> &str {
    rest.strip_prefix(DEFAULT_KIND).unwrap_or(rest)
}

/// A text as it is searched for values from outside: without case, accents, width, look-alikes and
/// invisible characters. Heard.
pub(super) fn hearing(text: &str) -> String {
    let folded = text
        .nfkd()
        .filter(|c| {
            !is_hidden(*c) && !is_combining_mark(*c) && !matches!(c, '\u{fe0e}' | '\u{fe0f}')
        })
        .flat_map(char::to_lowercase)
        .filter(|c| !is_combining_mark(*c));
    folded.map(looks_like).collect()
}

/// The forms in which a value is looked for in text from outside. Heard.
pub(super) fn heard_forms(value: &str) -> Vec<String> {
    let whole = hearing(value.trim());
    let mut forms = vec![whole.clone()];
    let mut add = |form: &str| {
        if !form.is_empty() && !forms.iter().any(|known| known == form) {
            forms.push(form.to_owned());
        }
    };
    for kind in KINDS {
        if let Some(stem) = whole.strip_suffix(kind) {
            add(stem);
        }
    }
    if let Some(device) = whole.strip_prefix(DEVICES) {
        add(device);
    }
    if let Some(number) = number(&whole) {
        add(&number);
    }
    forms
}

/// One form for all ways to write the very same value in a call, so that a call that was denied is
/// known again. Equal forms only ever lead to a question.
pub(super) fn same(value: &str) -> String {
    let whole = hearing(value.trim());
    let stem = KINDS.iter().find_map(|kind| whole.strip_suffix(kind));
    let whole = stem.unwrap_or(&whole);
    squashed(&number(whole).unwrap_or_else(|| whole.to_owned()))
}

/// Letters and digits alone, with the digits that pass for letters as those. Heard.
pub(super) fn squashed(folded: &str) -> String {
    let letters = folded.chars().filter(|c| c.is_alphanumeric());
    letters
        .map(|c| match c {
            '0' => 'o',
            '1' | 'i' => 'l',
            other => other,
        })
        .collect()
}

/// `101` for `0101`, `+101`, `101.0` and `1.01e2`; none if it is no whole number.
fn number(text: &str) -> Option<String> {
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.');
    let number: f64 = text
        .starts_with(begins)
        .then(|| text.parse().ok())
        .flatten()?;
    // Above this a double does not hold every whole number.
    let whole = number.fract() == 0.0 && number.abs() < 9e15;
    whole.then(|| format!("{number:.0}"))
}

/// The Latin letter or digit that a letter of another script is taken for. Canonical decomposition
/// has dealt with wide, bold, circled and accented ones.
fn looks_like(c: char) -> char {
    match c {
        'а' | 'α' | 'ɑ' | 'ᴀ' => 'a',
        'в' | 'β' | 'ь' | 'ʙ' => 'b',
        'с' | 'ϲ' | 'ᴄ' => 'c',
        'ԁ' | 'ᴅ' | 'đ' | 'ɗ' => 'd',
        'е' | 'ε' | 'ҽ' | 'ᴇ' | 'є' => 'e',
        'ғ' | 'ꜰ' | 'ƒ' => 'f',
        'ɡ' | 'ց' | 'ɢ' => 'g',
        'һ' | 'н' | 'հ' | 'ʜ' | 'ħ' => 'h',
        'і' | 'ι' | 'ı' | 'ɩ' | 'ɪ' | 'ӏ' => 'i',
        'ј' | 'ȷ' | 'յ' | 'ᴊ' => 'j',
        'к' | 'κ' | 'ᴋ' | 'ĸ' => 'k',
        'ʟ' | 'ł' | '|' | 'ǀ' => 'l',
        'м' | 'ᴍ' => 'm',
        'η' | 'ո' | 'п' | 'ɴ' | 'ŋ' => 'n',
        'о' | 'ο' | 'օ' | 'σ' | 'ᴏ' | 'ø' => 'o',
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ԛ' | 'զ' => 'q',
        'г' | 'ʀ' => 'r',
        'ѕ' | 'ꜱ' | 'ς' => 's',
        'т' | 'τ' | 'ᴛ' | 'ŧ' => 't',
        'υ' | 'ս' | 'ᴜ' | 'μ' => 'u',
        'ν' | 'ѵ' | 'ᴠ' => 'v',
        'ԝ' | 'ω' | 'ѡ' | 'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ү' | 'ʏ' => 'y',
        'ᴢ' | 'ʐ' => 'z',
        'ß' => 's',
        '\u{660}'..='\u{669}' => digit(c, '\u{660}'),
        '\u{6f0}'..='\u{6f9}' => digit(c, '\u{6f0}'),
        '\u{966}'..='\u{96f}' => digit(c, '\u{966}'),
        '‐' | '‑' | '‒' | '–' | '—' | '−' | '﹣' => '-',
        '‘' | '’' | '‛' | 'ʼ' => '\'',
        '․' | '。' => '.',
        other => other,
    }
}

fn digit(c: char, zero: char) -> char {
    char::from_digit(c as u32 - zero as u32, 10).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_vouches_undoes_case_blanks_and_the_default_kind_alone() {
        for (value, expect) in [
            ("smbd", "smbd"),
            (" SMBD ", "smbd"),
            ("Smbd.Service", "smbd"),
            ("smbd.socket", "smbd.socket"),
            (".service", ".service"),
            ("0101", "0101"),
            ("101.0", "101.0"),
            // Cyrillic, wide, Kelvin.
            ("ѕmbd", "ѕmbd"),
            ("ｓmbd", "ｓmbd"),
            ("\u{212a}ea", "\u{212a}ea"),
        ] {
            assert_eq!(vouching(value, Case::Ignored), expect, "{value}");
        }
        assert_eq!(vouching(" /dev/SDA ", Case::Counts), "/dev/SDA");
    }

    #[test]
    fn what_is_heard_folds_all_that_looks_alike() {
        for (one, other) in [
            ("smbd", "ЅМВD.service"),
            ("smbd", "ｓｍｂｄ"),
            ("smbd", "𝓼𝓶𝓫𝓭"),
            ("smbd", "s\u{200b}m\u{ad}bd"),
            ("smbd", "śmḃd.socket"),
            ("nginx", "ηginх"),
            ("101", "0101"),
            ("101", "+101"),
            ("101", "101.0"),
            ("101", "1.01e2"),
            ("101", "１０１"),
            ("101", "١٠١"),
            ("101", "lol"),
            ("web-01", "web_01"),
            ("web-01", "WEB01"),
        ] {
            assert_eq!(same(one), same(other), "{one} {other}");
        }
        assert_ne!(same("smbd"), same("nmbd"));
        assert_ne!(same("101"), same("1010"));
    }
}
