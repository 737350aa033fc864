//! A text with moments in it, which are shown in the reader's own time, or a day of the calendar.

use leptos::prelude::*;
use protocol::Timestamp;

use crate::{
    browser,
    clock::PageClock,
    live::{live, live_text},
    texts,
};

/// The length of `2017-03-10T13:00:00Z`.
const LENGTH: usize = 20;

/// Draws a text. Each moment in it, written as `2017-03-10T13:00:00Z`, is shown in the reader's time
/// zone and language; its title names the zone. A text that is a day, `2017-03-10`, is shown as one.
pub fn dated(text: &str) -> AnyView {
    if let Some(at) = day_of(text) {
        return time(at, Precision::Day, text.to_owned());
    }
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, at, written, after)) = next_moment(rest) {
        parts.push(before.to_owned().into_any());
        // The reader's time zone and language are unknown on the server.
        let plain = texts::time_in_utc(&written[..10], &written[11..16]);
        parts.push(time(at, Precision::Minute, plain));
        rest = after;
    }
    parts.push(rest.to_owned().into_any());
    parts.into_any()
}

/// Finds the first moment: the text before it, the moment, as it was written, the text after it.
fn next_moment(text: &str) -> Option<(&str, Timestamp, &str, &str)> {
    text.match_indices('T').find_map(|(t, _)| {
        let start = t.checked_sub(10)?;
        let written = text.get(start..start + LENGTH)?;
        if !written.ends_with('Z') {
            return None;
        }
        let at = Timestamp(units::civil::seconds(written)?.checked_mul(1_000)?);
        Some((&text[..start], at, written, &text[start + LENGTH..]))
    })
}

/// Returns the beginning of a day, `YYYY-MM-DD`, in UTC. None for any other text.
pub fn day_of(text: &str) -> Option<Timestamp> {
    let seconds = units::civil::seconds(&format!("{text}T00:00:00Z"))?;
    // Not the 31st of February, and nothing behind the day.
    let is_day = units::civil::rfc3339(seconds).strip_suffix("T00:00:00Z") == Some(text);
    is_day.then_some(Timestamp(seconds.checked_mul(1000)?))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Day,
    Minute,
}

/// Draws a time: `plain` before the page is alive, then as the reader would write it.
fn time(at: Timestamp, precision: Precision, plain: String) -> AnyView {
    let clock = use_context::<PageClock>();
    let here = Memo::new(move |_| clock.is_some_and(|clock| clock.second().is_some()));
    let is_day = precision == Precision::Day;
    let datetime = if is_day {
        plain.clone()
    } else {
        units::civil::rfc3339(at.0.div_euclid(1_000))
    };
    // A day is the same in every zone.
    let title = live(move || (here.get() && !is_day).then(|| browser::exact_time(at)));
    let shown = move || match precision {
        _ if !here.get() => plain.clone(),
        Precision::Day => browser::calendar_day(at),
        Precision::Minute => browser::local_time(at, true),
    };
    view! {
        <time datetime=datetime title=title>
            {live_text(shown)}
        </time>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_found_in_a_text() {
        let text = "Tue, since 2026-01-01T00:00:10Z, until 2026-01-02T00:00:00Z.";
        let (before, at, written, rest) = next_moment(text).unwrap();
        assert_eq!(before, "Tue, since ");
        assert_eq!((at.0, written), (1_767_225_610_000, "2026-01-01T00:00:10Z"));
        assert_eq!(next_moment(rest).unwrap().0, ", until ");
        for text in [
            "",
            "T",
            "2026-13-01T00:00:10Z",
            "2026-01-01T00:00:10",
            "éT2026-01-0é",
        ] {
            assert!(next_moment(text).is_none(), "{text}");
        }
    }

    #[test]
    fn only_a_day_of_the_calendar_is_a_day() {
        for (text, is_day) in [
            ("2026-11-21", true),
            ("2026-13-21", false),
            ("2026-02-31", false),
            ("2026-11-21 10", false),
            ("2026/11/21", false),
            ("ünf-11-21", false),
            ("", false),
        ] {
            assert_eq!(day_of(text).is_some(), is_day, "{text}");
        }
        assert_eq!(
            day_of("2026-11-21"),
            Some(Timestamp(1_795_219_200_000)),
            "the beginning of the day"
        );
    }
}
