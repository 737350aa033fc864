//! Times in candle files. Without an offset they are UTC.

use crate::Time;

/// The instant of a text such as `2017-11-01T00:00:00Z`, `2017.11.01 00:00`, `31.10.2017 22:00:00.000` or
/// `1509494400`.
pub(super) fn instant(text: &str) -> Option<Time> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return unix(text);
    }
    let (day, clock) = text.split_at_checked(10)?;
    let (clock, offset) = with_offset(clock.strip_prefix([' ', 'T'])?)?;
    let seconds = if clock.len() == 5 { ":00" } else { "" };
    let day = iso_day(day)?;
    let local = Time::parse(&format!("{day}T{clock}{seconds}Z")).ok()?;
    bounded(local.plus(-offset))
}

/// Unix seconds since 1973, or milliseconds since 2001. Their numbers of digits keep them apart from each other,
/// and from dates without separators: 20171101, 201711010000 and 20171101000000 have others. Ten digits such as
/// 2017110100 are a second of 2033, and a series of such hours is no series of candles.
fn unix(text: &str) -> Option<Time> {
    let number = text.parse::<i64>().ok()?;
    match text.len() {
        9 | 10 if !text.starts_with('0') => bounded(Time(number)),
        13 if !text.starts_with('0') && number % 1_000 == 0 => bounded(Time(number / 1_000)),
        _ => None,
    }
}

/// The same bounds as those of every other time.
fn bounded(time: Time) -> Option<Time> {
    Time::parse(&time.to_string()).ok()
}

/// The day as `2017-11-01`. Whether the day or the month comes first between slashes is not known, so none
/// are read.
fn iso_day(day: &str) -> Option<String> {
    match day.as_bytes() {
        [_, _, _, _, b'-', _, _, b'-', _, _] => Some(day.to_owned()),
        [_, _, _, _, b'.', _, _, b'.', _, _] => Some(day.replace('.', "-")),
        [_, _, b'.', _, _, b'.', _, _, _, _] => {
            let mut parts = day.split('.');
            let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
            Some(format!("{year}-{month}-{day}"))
        }
        _ => None,
    }
}

/// The clock without its offset, and the offset in seconds.
fn with_offset(clock: &str) -> Option<(&str, i64)> {
    if let Some(clock) = clock.strip_suffix('Z') {
        return Some((clock, 0));
    }
    let Some(at) = clock.find(['+', '-']) else {
        return Some((clock, 0));
    };
    let (clock, offset) = clock.split_at(at);
    let &[sign, hour_tens, hour_ones, b':', tens, ones] = offset.as_bytes() else {
        return None;
    };
    let number = |tens: u8, ones: u8| {
        let digit = |byte: u8| char::from(byte).to_digit(10).map(i64::from);
        Some(digit(tens)? * 10 + digit(ones)?)
    };
    let (hours, minutes) = (number(hour_tens, hour_ones)?, number(tens, ones)?);
    if hours > 14 || minutes > 59 {
        return None;
    }
    let seconds = (hours * 60 + minutes) * 60;
    Some((clock, if sign == b'-' { -seconds } else { seconds }))
}
