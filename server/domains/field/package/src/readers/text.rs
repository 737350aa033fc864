//! Lines of text that a program printed.

use super::{MAX_OUTPUT, ReadError};

/// The lines of an output.
pub(super) fn lines(output: &str) -> Result<impl Iterator<Item = &str>, ReadError> {
    if output.len() > MAX_OUTPUT {
        return Err(ReadError::TooLarge);
    }
    Ok(output.lines())
}

/// The text between two marks, the first of each.
pub(super) fn between<'a>(line: &'a str, before: &str, behind: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(before)?;
    let (inner, _) = rest.split_once(behind)?;
    Some(inner)
}

/// The number at the beginning of a text.
pub(super) fn leading(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let end = text
        .find(|sign: char| !sign.is_ascii_digit() && sign != '.' && sign != '-')
        .unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The whole number at the beginning of a text.
pub(super) fn leading_whole(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text
        .find(|sign: char| !sign.is_ascii_digit())
        .unwrap_or(text.len());
    text[..end].parse().ok()
}
