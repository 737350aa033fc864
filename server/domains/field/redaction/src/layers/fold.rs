//! Characters that look like ASCII or do not show at all.

use unicode_normalization::UnicodeNormalization;

/// Folds the first character of `text`. Appends what it stands for and returns its length, or `None` if it
/// stands for itself.
pub(super) fn first(text: &str, out: &mut String) -> Option<usize> {
    let sign = text.chars().next()?;
    let length = sign.len_utf8();
    if sign.is_ascii() {
        return None;
    }
    if is_invisible(sign) {
        return Some(length);
    }
    if let Some(alike) = ascii_alike(sign) {
        out.push(alike);
        return Some(length);
    }
    let start = out.len();
    out.extend(std::iter::once(sign).nfkc());
    if out[start..].chars().eq([sign]) {
        out.truncate(start);
        return None;
    }
    Some(length)
}

/// Characters without width, directions, variation selectors and tags. A soft hyphen counts too.
fn is_invisible(sign: char) -> bool {
    matches!(
        sign,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The ASCII character that a reader takes this one for: digits of other scripts, dashes, quotes, and the
/// Cyrillic and Greek letters that have the shape of Latin ones.
fn ascii_alike(sign: char) -> Option<char> {
    let digits = [0x660_u32, 0x6f0, 0x966, 0x9e6, 0xe50];
    if let Some(zero) = digits
        .iter()
        .find(|zero| (**zero..**zero + 10).contains(&u32::from(sign)))
    {
        return char::from_digit(u32::from(sign) - zero, 10);
    }
    Some(match sign {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '\u{2bc}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{3002}' | '\u{ff61}' | '\u{2024}' | '\u{b7}' | '\u{6d4}' => '.',
        '\u{2236}' | '\u{2d0}' | '\u{a789}' | '\u{5c3}' => ':',
        'а' | 'α' => 'a',
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'с' | 'ϲ' => 'c',
        'С' | 'Ϲ' => 'C',
        'ԁ' => 'd',
        'е' => 'e',
        'Е' | 'Ε' => 'E',
        'һ' => 'h',
        'Н' | 'Η' => 'H',
        'і' | 'ι' | 'ı' => 'i',
        'І' | 'Ι' | 'Ӏ' => 'I',
        'ј' => 'j',
        'Ј' => 'J',
        'К' | 'Κ' => 'K',
        'ӏ' => 'l',
        'М' | 'Μ' => 'M',
        'Ν' => 'N',
        'о' | 'ο' | 'օ' => 'o',
        'О' | 'Ο' => 'O',
        'р' | 'ρ' => 'p',
        'Р' | 'Ρ' => 'P',
        'ԛ' => 'q',
        'ѕ' => 's',
        'Ѕ' => 'S',
        'Т' | 'Τ' => 'T',
        'у' | 'γ' => 'y',
        'У' | 'Υ' => 'Y',
        'х' | 'χ' => 'x',
        'Х' | 'Χ' => 'X',
        'ԝ' => 'w',
        'Ζ' => 'Z',
        'ν' => 'v',
        _ => return None,
    })
}
