#![doc = include_str!("../README.md")]

pub mod civil;

const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/// Formats a count: `1,240`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats bytes in the unit that keeps the number short, with one decimal: `10.4 GiB`.
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut step = ((bytes.ilog2() / 10) as usize).min(UNITS.len() - 1);
    let mut tenths = in_tenths(bytes, step);
    // 1023.96 KiB rounds to 1024.0 KiB, which is 1.0 MiB.
    if tenths >= 10_240 && step + 1 < UNITS.len() {
        step += 1;
        tenths = in_tenths(bytes, step);
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[step])
}

fn in_tenths(bytes: u64, step: usize) -> u128 {
    let unit = 1_u128 << (10 * step);
    (u128::from(bytes) * 10 + unit / 2) / unit
}

/// Formats `4.1 of 8.0 GiB`; `930.7 MiB of 2.0 GiB` where the units differ.
pub fn used_of(used: u64, total: Option<u64>) -> String {
    let used = size(used);
    let Some(total) = total.map(size) else {
        return used;
    };
    match (used.split_once(' '), total.split_once(' ')) {
        (Some((number, unit)), Some((_, same))) if unit == same => format!("{number} of {total}"),
        _ => format!("{used} of {total}"),
    }
}

/// Returns a part of a whole in percent; none without a whole.
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 * 100.0 / whole as f64)
}

/// Formats one decimal, never below zero: `12.4`.
pub fn tenths(value: f64) -> String {
    let tenths = (value.max(0.0) * 10.0).round() as u64;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Formats a percentage: `12.4 %`.
pub fn percent(value: f64) -> String {
    format!("{} %", tenths(value))
}

/// Formats a duration: `35 ms`, `1.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
pub fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    if ms < 1000 {
        format!("{ms} ms")
    } else if ms < 10_000 {
        format!("{seconds}.{} s", ms % 1000 / 100)
    } else if seconds < 60 {
        format!("{seconds} s")
    } else if seconds < 3600 {
        format!("{} min {} s", seconds / 60, seconds % 60)
    } else {
        format!("{} h {} min", seconds / 3600, seconds / 60 % 60)
    }
}

/// Formats a duration in seconds: `45 s`, `12 min`, `3 h 20 min`, `20 d 2 h`.
pub fn span(seconds: u64) -> String {
    let two = |large: u64, unit: &str, small: u64, part: &str| match small {
        0 => format!("{large} {unit}"),
        small => format!("{large} {unit} {small} {part}"),
    };
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => two(seconds / 3600, "h", seconds / 60 % 60, "min"),
        _ => two(seconds / 86_400, "d", seconds / 3600 % 24, "h"),
    }
}

/// Formats how long ago something was, in its largest unit: `45 s`, `12 min`, `3 h`, `20 d`.
pub fn age(seconds: u64) -> String {
    match seconds {
        0..3600 => span(seconds),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Formats seconds since 1970 as `25 Nov 2026, 02:02 UTC`.
pub fn moment(seconds: i64) -> String {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (year, month, day) = civil::date(seconds.div_euclid(86_400));
    let minute = seconds.rem_euclid(86_400) / 60;
    let month = usize::try_from(month - 1)
        .ok()
        .and_then(|at| MONTHS.get(at));
    let month = month.copied().unwrap_or_default();
    format!(
        "{day} {month} {year}, {:02}:{:02} UTC",
        minute / 60,
        minute % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_short() {
        assert_eq!(moment(1_794_043_800), "7 Nov 2026, 09:30 UTC");
        assert_eq!(moment(-1), "31 Dec 1969, 23:59 UTC");
    }

    #[test]
    fn durations_get_coarser() {
        for (ms, text) in [
            (35, "35 ms"),
            (9_960, "9.9 s"),
            (12_400, "12 s"),
            (200_000, "3 min 20 s"),
            (7_500_000, "2 h 5 min"),
        ] {
            assert_eq!(duration(ms), text);
        }
    }

    #[test]
    fn sizes_are_rounded_to_one_decimal() {
        for (bytes, expect) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1_048_575, "1.0 MiB"),
            (3_221_225_472, "3.0 GiB"),
            // Truncated instead of rounded, these two were 12.1 GiB and 9.6 TiB.
            (13_098_124_902, "12.2 GiB"),
            (10_665_186_000_000, "9.7 TiB"),
            (u64::MAX, "16384.0 PiB"),
        ] {
            assert_eq!(size(bytes), expect, "{bytes}");
        }
    }

    #[test]
    fn amounts_share_their_unit() {
        for (used, total, expect) in [
            (4_402_341_478, Some(8_589_934_592), "4.1 of 8.0 GiB"),
            (975_910_502, Some(2_147_483_648), "930.7 MiB of 2.0 GiB"),
            (1024, None, "1.0 KiB"),
        ] {
            assert_eq!(used_of(used, total), expect);
        }
    }

    #[test]
    fn shares_have_one_decimal() {
        assert_eq!(percent(12.36), "12.4 %");
        assert_eq!(percent(84.0), "84.0 %");
        assert_eq!(percent(-1.0), "0.0 %");
        assert_eq!(share(1, 3).map(percent).as_deref(), Some("33.3 %"));
        assert_eq!(share(1, 0), None);
    }

    #[test]
    fn spans_get_coarser() {
        for (seconds, expect) in [
            (59, "59 s"),
            (3_599, "59 min"),
            (7_200, "2 h"),
            (12_000, "3 h 20 min"),
            (86_400, "1 d"),
            (1_735_200, "20 d 2 h"),
        ] {
            assert_eq!(span(seconds), expect);
        }
    }

    #[test]
    fn ages_have_one_unit() {
        for (seconds, expect) in [
            (59, "59 s"),
            (3_599, "59 min"),
            (12_000, "3 h"),
            (172_799, "1 d"),
            (1_735_200, "20 d"),
        ] {
            assert_eq!(age(seconds), expect);
        }
    }
}
