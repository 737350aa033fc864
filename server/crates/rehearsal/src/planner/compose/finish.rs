//! The last touches of an answer: moments as people write them, those of this year without the year,
//! one "sir".

use crate::planner::view::View;

/// The address as the phrases have it.
const SIR: &str = ", sir";

/// The length of `2026-11-22T01:02:03Z`.
const MOMENT: usize = 20;

/// An answer as it is said.
pub(in crate::planner) fn finished(text: &str, view: &View<'_>) -> String {
    let mut blocks = view.context.iter().rev();
    let now = blocks.find_map(|data| data["utc"].as_str());
    let year = now.and_then(|now| now.get(..4));
    let text = with_moments(text);
    let text = match year {
        Some(year) => without_year(&text, year),
        None => text,
    };
    addressed(&once_addressed(&text), view.address)
}

/// The same with each moment in a sentence as people write it. Code, drawings and ids stay as they are.
fn with_moments(text: &str) -> String {
    let mut fence = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let marks = line.bytes().take_while(|sign| *sign == b'`').count();
        let is_code = fence > 0;
        if fence == 0 && marks >= 3 {
            fence = marks;
        } else if is_code && marks >= fence {
            fence = 0;
        }
        if is_code || fence > 0 {
            line.to_owned()
        } else {
            told_moments(line)
        }
    });
    lines.collect()
}

fn told_moments(line: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for (at, _) in line.match_indices('T') {
        let Some(start) = at.checked_sub(10).filter(|start| *start >= from) else {
            continue;
        };
        let Some((before, rest)) = line.split_at_checked(start) else {
            continue;
        };
        let is_in_id = before.ends_with(|c: char| c.is_alphanumeric() || "/-_:".contains(c));
        let is_in_code = !before.matches('`').count().is_multiple_of(2);
        let written = rest.get(..MOMENT).filter(|written| written.ends_with('Z'));
        let seconds = written.and_then(::units::civil::seconds);
        let Some(seconds) = seconds.filter(|_| !is_in_id && !is_in_code) else {
            continue;
        };
        out.push_str(line.get(from..start).unwrap_or_default());
        out.push_str(&::units::moment(seconds));
        from = start + MOMENT;
    }
    out.push_str(line.get(from..).unwrap_or_default());
    out
}

/// `25 Nov 2026, 02:02 UTC` without its year.
fn without_year(text: &str, year: &str) -> String {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut out = text.to_owned();
    for month in MONTHS {
        out = out.replace(&format!(" {month} {year}, "), &format!(" {month}, "));
    }
    out
}

/// The person is addressed once.
fn once_addressed(text: &str) -> String {
    let Some((before, rest)) = at_address(text) else {
        return text.to_owned();
    };
    let mut out = format!("{before}{SIR}");
    let mut rest = rest;
    while let Some((before, after)) = at_address(rest) {
        out.push_str(before);
        rest = without_comma(after);
    }
    out.push_str(rest);
    out
}

/// A text before and after its first address; a name such as "sirius" is none.
fn at_address(text: &str) -> Option<(&str, &str)> {
    let mut found = text.match_indices(SIR);
    let at = found.find_map(|(at, _)| {
        let rest = text.get(at + SIR.len()..)?;
        (!rest.starts_with(|c: char| c.is_alphanumeric())).then_some(at)
    })?;
    Some((text.get(..at)?, text.get(at + SIR.len()..)?))
}

/// "The rest, sir, can wait": the commas were those of the address.
fn without_comma(rest: &str) -> &str {
    rest.strip_prefix(',').unwrap_or(rest)
}

/// The same with another form of address; without any if it is empty.
fn addressed(text: &str, address: &str) -> String {
    match (at_address(text), address) {
        (None, _) | (_, "sir") => text.to_owned(),
        (Some((before, rest)), "") => format!("{before}{}", without_comma(rest)),
        (Some((before, rest)), address) => format!("{before}, {address}{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_addresses_its_person_once() {
        for (text, expect) in [
            ("Two, sir. One failed, sir.", "Two, sir. One failed."),
            (
                "Mind, sir: a. I looked, sir, and saw.",
                "Mind, sir: a. I looked and saw.",
            ),
            ("None.", "None."),
            (
                "Well, sir. Then, sirius is a star.",
                "Well, sir. Then, sirius is a star.",
            ),
        ] {
            assert_eq!(once_addressed(text), expect);
        }
    }

    #[test]
    fn a_persona_says_how_it_addresses() {
        for (text, address, expect) in [
            ("Two, sir. One.", "captain", "Two, captain. One."),
            ("Two, sir. One.", "", "Two. One."),
            ("The rest, sir, can wait.", "", "The rest can wait."),
            ("None.", "captain", "None."),
            (
                "On pve, sirius, sir.",
                "captain",
                "On pve, sirius, captain.",
            ),
        ] {
            assert_eq!(addressed(text, address), expect);
        }
    }

    #[test]
    fn moments_in_sentences_are_told_and_nothing_else() {
        for (text, expect) in [
            (
                "Since 2026-11-22T01:02:03Z, until 2026-11-22T02:00:00Z.",
                "Since 22 Nov 2026, 01:02 UTC, until 22 Nov 2026, 02:00 UTC.",
            ),
            // The name of an archive, code, a drawing, and what is no moment.
            (
                "In pbs:backup/vm/100/2026-11-22T01:02:03Z.",
                "In pbs:backup/vm/100/2026-11-22T01:02:03Z.",
            ),
            ("At `2026-11-22T01:02:03Z`.", "At `2026-11-22T01:02:03Z`."),
            (
                "````plot\n```\n2026-11-22T01:02:03Z\n````\n2026-11-22T01:02:03Z",
                "````plot\n```\n2026-11-22T01:02:03Z\n````\n22 Nov 2026, 01:02 UTC",
            ),
            ("The Tü 2026-11-2TT01:02:03Z", "The Tü 2026-11-2TT01:02:03Z"),
            ("ö026-11-22T01:02:03Z", "ö026-11-22T01:02:03Z"),
        ] {
            assert_eq!(with_moments(text), expect);
        }
    }

    #[test]
    fn the_year_is_said_of_other_years_only() {
        assert_eq!(
            without_year(
                "At 25 Nov 2026, 02:02 UTC and 1 Jan 2017, 00:00 UTC.",
                "2026"
            ),
            "At 25 Nov, 02:02 UTC and 1 Jan 2017, 00:00 UTC."
        );
    }
}
