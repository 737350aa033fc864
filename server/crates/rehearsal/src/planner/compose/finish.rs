//! The last touches of an answer: moments of this year without the year, one "sir".

use crate::planner::view::View;

/// The address as the phrases have it.
const SIR: &str = ", sir";

/// An answer as it is said.
pub(in crate::planner) fn finished(text: &str, view: &View<'_>) -> String {
    let mut blocks = view.context.iter().rev();
    let now = blocks.find_map(|data| data["utc"].as_str());
    let year = now.and_then(|now| now.get(..4));
    let text = match year {
        Some(year) => without_year(text, year),
        None => text.to_owned(),
    };
    addressed(&once_addressed(&text), view.address)
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
    let Some(first) = text.find(SIR) else {
        return text.to_owned();
    };
    let (before, rest) = text.split_at(first + SIR.len());
    let mut out = before.to_owned();
    let mut parts = rest.split(SIR);
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        if part.starts_with(|c: char| c.is_alphanumeric()) {
            out.push_str(SIR);
        }
        // "The rest, sir, can wait": the commas were those of the address.
        out.push_str(part.strip_prefix(',').unwrap_or(part));
    }
    out
}

/// The same with another form of address; without any if it is empty.
fn addressed(text: &str, address: &str) -> String {
    match (text.split_once(SIR), address) {
        (None, _) | (_, "sir") => text.to_owned(),
        (Some((before, rest)), "") => {
            format!("{before}{}", rest.strip_prefix(',').unwrap_or(rest))
        }
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
        ] {
            assert_eq!(addressed(text, address), expect);
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
