//! A text with moments in it, which are shown in the reader's own time.

use leptos::prelude::*;
use protocol::Timestamp;

use crate::{browser, clock::PageClock, live::live_text, texts};

/// The length of `2017-03-10T13:00:00Z`.
const LENGTH: usize = 20;

/// Draws a text. Each moment in it, written as `2017-03-10T13:00:00Z`, is shown in the reader's time
/// zone and language; its title has the moment as it was written.
pub fn dated(text: &str) -> AnyView {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, at, written, after)) = next_moment(rest) {
        parts.push(before.to_owned().into_any());
        parts.push(moment(at, written.to_owned()));
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

fn moment(at: Timestamp, written: String) -> AnyView {
    let clock = expect_context::<PageClock>();
    let here = Memo::new(move |_| clock.second().is_some());
    // The reader's time zone and language are unknown on the server.
    let plain = texts::time_in_utc(&written[..10], &written[11..16]);
    let shown = move || {
        if here.get() {
            browser::local_time(at, true)
        } else {
            plain.clone()
        }
    };
    view! {
        <time datetime=written.clone() title=written>
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
}
