//! Numbers, sizes and times for people. The same on the server and in the browser.

use protocol::{Cost, Timestamp};

use crate::texts;
pub use units::{count, duration, size, span};

/// Returns the milliseconds from one moment to another, never negative.
pub fn between(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.0.saturating_sub(from.0)).unwrap_or(0)
}

/// Formats an age: `now`, `4 min`, `3 h`, `2 d`, `5 wk`.
pub fn age(at: Timestamp, now: Timestamp) -> String {
    let minutes = between(at, now) / 60_000;
    match minutes {
        0 => texts::NOW.to_owned(),
        1..60 => format!("{minutes} min"),
        60..1440 => format!("{} h", minutes / 60),
        1440..20_160 => format!("{} d", minutes / 1440),
        _ => format!("{} wk", minutes / 10_080),
    }
}

/// Formats a cost: `$0.0042`, with four digits after the point below one dollar, two above.
pub fn cost(cost: Cost) -> String {
    let micros = cost.0;
    match micros {
        0 => texts::NO_COST.to_owned(),
        1..50 => texts::UNDER_A_HUNDREDTH_OF_A_CENT.to_owned(),
        50..999_950 => format!("$0.{:04}", (micros + 50) / 100 % 10_000),
        _ => format!("${}.{:02}", micros / 1_000_000, micros / 10_000 % 100),
    }
}

/// Formats decimal digits in groups of three: `1,190.00`. Anything else stays as it is.
pub fn grouped(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("−", digits),
        None => ("", text),
    };
    let (whole, rest) = match digits.split_once('.') {
        Some((whole, rest)) => (whole, Some(rest)),
        None => (digits, None),
    };
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if !are_digits(whole) || !rest.is_none_or(are_digits) {
        return text.to_owned();
    }
    let mut out = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(rest) = rest {
        out.push('.');
        out.push_str(rest);
    }
    out
}

/// Shows bidirectional control characters in text of others as `\u{202e}`, so that it reads as it
/// is stored.
pub fn upright(text: String) -> String {
    let turns = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !text.contains(turns) {
        return text;
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if turns(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// More of the same blank in a row than this are counted, so that nothing is pushed out of sight.
const MOST_BLANKS: usize = 8;

/// Writes out everything in a value under decision that the eye would miss: control and invisible
/// characters, unusual and outer blanks, long runs of blanks.
pub fn exposed(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    let mut first = true;
    while let Some(c) = rest.next() {
        let mut count = 1;
        if matches!(c, ' ' | '\n') {
            while rest.next_if_eq(&c).is_some() {
                count += 1;
            }
        }
        let outer = c == ' ' && (first || rest.peek().is_none());
        if count > MOST_BLANKS {
            shown.extend(c.escape_unicode());
            shown.push('×');
            shown.push_str(&count.to_string());
            if c == '\n' {
                shown.push('\n');
            }
        } else {
            for _ in 0..count {
                match c {
                    '\n' => shown.push_str("\\n\n"),
                    ' ' if outer => shown.extend(c.escape_unicode()),
                    _ if c.is_control() || is_unseen(c) => shown.extend(c.escape_unicode()),
                    _ => shown.push(c),
                }
            }
        }
        first = false;
    }
    shown
}

/// Returns whether a character takes no room, looks like a blank, is invisible, or changes the
/// reading direction.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{1680}'
        | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2000}'..='\u{200f}'
        | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{2800}' | '\u{3000}'
        | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Formats the time left, rounded up to seconds: `4:05`, `1:02:07`.
pub fn countdown(ms: u64) -> String {
    let seconds = ms.div_ceil(1000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

/// Returns a field's name for people: `used_bytes` is `used bytes`.
pub fn field_name(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_on_a_card_is_out_of_sight() {
        for (text, shown) in [
            ("systemctl restart nginx", "systemctl restart nginx"),
            ("ls\u{200b}\u{202e}", "ls\\u{200b}\\u{202e}"),
            ("a\tb\u{7}", "a\\u{9}b\\u{7}"),
            (" a b ", "\\u{20}a b\\u{20}"),
            ("one\ntwo", "one\\n\ntwo"),
            ("pve\u{e0041}", "pve\\u{e0041}"),
        ] {
            assert_eq!(exposed(text), shown);
        }
        let padded = format!("reboot{};rm -rf /{}x", " ".repeat(400), "\n".repeat(90));
        assert_eq!(exposed(&padded), "reboot\\u{20}×400;rm -rf /\\u{a}×90\nx");
    }

    #[test]
    fn digits_are_grouped_and_texts_are_not() {
        for (text, shown) in [
            ("0", "0"),
            ("1190.00", "1,190.00"),
            ("-1234567.5", "−1,234,567.5"),
            ("100", "100"),
            ("2026-11-21", "2026-11-21"),
            ("12a", "12a"),
            ("1.2.3", "1.2.3"),
            (".5", ".5"),
            ("-", "-"),
            ("", ""),
        ] {
            assert_eq!(grouped(text), shown);
        }
    }

    #[test]
    fn what_is_left_is_rounded_up() {
        for (ms, text) in [
            (0, "0:00"),
            (1, "0:01"),
            (245_000, "4:05"),
            (3_727_000, "1:02:07"),
        ] {
            assert_eq!(countdown(ms), text);
        }
    }

    #[test]
    fn nothing_turns_the_reading_direction_around() {
        for (text, shown) in [
            ("plain, שלום, 👍🏽", "plain, שלום, 👍🏽"),
            ("a\u{202e}b\u{2069}", "a\\u{202e}b\\u{2069}"),
        ] {
            assert_eq!(upright(text.to_owned()), shown);
        }
    }

    #[test]
    fn counts_have_thousands() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1240, "1,240"),
            (1_000_000, "1,000,000"),
        ] {
            assert_eq!(count(n), text);
        }
    }

    #[test]
    fn ages_get_coarser_and_the_future_is_now() {
        const MINUTE: i64 = 60_000;
        for (ago, text) in [
            (-5 * MINUTE, "now"),
            (0, "now"),
            (59 * MINUTE, "59 min"),
            (60 * MINUTE, "1 h"),
            (47 * 60 * MINUTE, "1 d"),
            (60 * 24 * 60 * MINUTE, "8 wk"),
        ] {
            assert_eq!(age(Timestamp(0), Timestamp(ago)), text);
        }
    }

    #[test]
    fn costs_keep_small_amounts_visible() {
        for (micros, text) in [
            (0, "no cost"),
            (12, "under $0.0001"),
            (4_231, "$0.0042"),
            (999_940, "$0.9999"),
            (999_960, "$0.99"),
            (12_345_678, "$12.34"),
        ] {
            assert_eq!(cost(Cost(micros)), text);
        }
    }
}
