//! Escapes of JSON, of C and of addresses, one at a time.

/// Decodes the escape at the beginning of `text`, which is a backslash. Appends the result and returns the
/// length of the escape, or `None` if it is none.
pub(super) fn backslash(text: &str, out: &mut String) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.get(1)? {
        b'n' => plain(out, '\n'),
        b't' => plain(out, '\t'),
        b'r' => plain(out, '\r'),
        b'b' | b'f' => plain(out, ' '),
        b'u' => unicode(bytes, out),
        b'x' => bytes_of(
            bytes,
            4,
            |at| (bytes.get(at..at + 2)? == br"\x").then_some(at + 2),
            out,
        ),
        sign if sign.is_ascii_punctuation() => plain(out, char::from(*sign)),
        _ => None,
    }
}

/// Decodes `%41` at the beginning of `text`, with what follows if it takes several to make a character.
pub(super) fn percent(text: &str, out: &mut String) -> Option<usize> {
    let bytes = text.as_bytes();
    bytes_of(
        bytes,
        3,
        |at| (*bytes.get(at)? == b'%').then_some(at + 1),
        out,
    )
}

fn plain(out: &mut String, sign: char) -> Option<usize> {
    out.push(sign);
    Some(2)
}

fn unicode(bytes: &[u8], out: &mut String) -> Option<usize> {
    let unit = |at: usize| -> Option<u32> {
        let digits = bytes.get(at..at + 6)?.strip_prefix(br"\u")?;
        digits.iter().try_fold(0, |sum, digit| {
            Some(sum * 16 + char::from(*digit).to_digit(16)?)
        })
    };
    let first = unit(0)?;
    if let Some(sign) = char::from_u32(first) {
        out.push(sign);
        return Some(6);
    }
    let low = unit(6).filter(|low| (0xdc00..0xe000).contains(low) && first < 0xdc00);
    let pair =
        low.and_then(|low| char::from_u32(0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00)));
    out.push(pair.unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(if pair.is_some() { 12 } else { 6 })
}

/// Decodes one character whose bytes are written as two hexadecimal digits each. `digits` says where those
/// of the escape at an offset begin; an escape has `length` bytes.
fn bytes_of(
    bytes: &[u8],
    length: usize,
    digits: impl Fn(usize) -> Option<usize>,
    out: &mut String,
) -> Option<usize> {
    let byte = |index: usize| -> Option<u8> {
        let at = digits(index * length)?;
        let pair = bytes.get(at..at + 2)?;
        let digit = |digit: u8| char::from(digit).to_digit(16);
        u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()
    };
    let count = match byte(0)? {
        0..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return None,
    };
    let all: Option<Vec<u8>> = (0..count).map(byte).collect();
    let all = all?;
    out.push_str(std::str::from_utf8(&all).ok()?);
    Some(count * length)
}
