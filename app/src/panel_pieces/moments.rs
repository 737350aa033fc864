//! Moments: by their age or date, in UTC while the reader's time zone is unknown.

use kit::{browser, format::between, live, live_text};
use leptos::prelude::*;
use protocol::Timestamp;

use crate::{channel::Channel, texts::panel_pieces as texts};

/// Draws `5 min ago`, with the date, the time and the zone as its title; on the server, and before the page
/// is alive, the moment in UTC.
pub(crate) fn ago(at: Option<Timestamp>) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    let here = Memo::new(move |_| clock.second().is_some());
    let title = live(move || match (at, here.get()) {
        (Some(at), true) => Some(browser::exact_time(at)),
        _ => None,
    });
    let text = live_text(move || match (at, clock.second()) {
        (None, _) => texts::NEVER.to_owned(),
        (Some(at), None) => texts::utc(&date_and_time(at)),
        (Some(at), Some(now)) => ago_in_words(at, now),
    });
    view! { <time title=title>{text}</time> }.into_any()
}

/// Draws a moment, which may be to come: the local date and time; on the server, and before the page is
/// alive, in UTC.
pub(crate) fn moment(at: Timestamp) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    let here = Memo::new(move |_| clock.second().is_some());
    let text = live_text(move || {
        if here.get() {
            browser::local_time(at, true)
        } else {
            texts::utc(&date_and_time(at))
        }
    });
    view! { <time>{text}</time> }.into_any()
}

/// Formats the age of a moment: `5 min ago`.
pub(crate) fn ago_in_words(at: Timestamp, now: Timestamp) -> String {
    texts::ago(&units::age(between(at, now) / 1000))
}

/// Formats a moment in UTC: `2026-11-07 09:30`.
pub(crate) fn date_and_time(at: Timestamp) -> String {
    let (year, month, day) = units::civil::date(at.0.div_euclid(86_400_000));
    let minutes = at.0.div_euclid(60_000).rem_euclid(1440);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}",
        minutes / 60,
        minutes % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_its_date_and_time() {
        for (at, shown) in [
            (1_794_043_800_000, "2026-11-07 09:30"),
            (951_782_400_000, "2000-02-29 00:00"),
            (-1, "1969-12-31 23:59"),
        ] {
            assert_eq!(date_and_time(Timestamp(at)), shown);
        }
    }
}
