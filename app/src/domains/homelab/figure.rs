//! Figures for people: with a meter, with their age, or unknown with the reason.

use homelab_wire::{ClusterPart, Past};
use kit::{format::upright, live_text};
use leptos::prelude::*;
use protocol::{Known, Timestamp};
pub(super) use units::{percent, tenths, used_of};
use wasm_bindgen::JsValue;

use super::texts;
use crate::{
    channel::Channel,
    panel_pieces::{ago_in_words, date_and_time},
};

/// Formats two decimals: `1.25`.
pub(super) fn hundredths(value: f64) -> String {
    let hundredths = (value.max(0.0) * 100.0).round() as u64;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// From this share on a figure is high, in percent.
pub(super) const HIGH: f64 = 80.0;
/// From this share on it is almost full.
pub(super) const FULL: f64 = 90.0;

/// The same for the share of time in which processors waited for disks.
pub(super) const WAIT_HIGH: f64 = 10.0;
pub(super) const WAIT_FULL: f64 = 25.0;

pub(super) fn share(used: Option<u64>, total: Option<u64>) -> Option<f64> {
    units::share(used?, total?)
}

/// The closeness of a figure to its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Normal,
    /// Past the first threshold.
    High,
    /// Past the second threshold.
    Full,
}

impl Level {
    /// Returns the level of a share of something that can be full, in percent.
    pub(super) fn of(percent: Option<f64>) -> Self {
        Self::past(percent, HIGH, FULL)
    }

    /// Returns the level of the share of a storage that is used, in percent: by the thresholds of the
    /// notices, so that the page and they agree.
    pub(super) fn of_storage(percent: Option<f64>, cluster: Option<&ClusterPart>) -> Self {
        let high = cluster.map_or(HIGH, |it| it.storage_warning_percent.into());
        let full = cluster.and_then(|it| it.storage_full_percent);
        Self::past(percent, high, full.map_or(FULL, f64::from).max(high))
    }

    /// Returns the level of a share of time in which processors waited for disks: a fraction of a
    /// full one already slows everything down.
    pub(super) fn of_io_wait(percent: Option<f64>) -> Self {
        Self::past(percent, WAIT_HIGH, WAIT_FULL)
    }

    fn past(percent: Option<f64>, high: f64, full: f64) -> Self {
        match percent {
            Some(percent) if percent >= full => Self::Full,
            Some(percent) if percent >= high => Self::High,
            _ => Self::Normal,
        }
    }

    /// Returns a class with the one of this level.
    pub(super) fn class(self, base: &str) -> String {
        match self {
            Self::Normal => base.to_owned(),
            Self::High => format!("{base} level--high"),
            Self::Full => format!("{base} level--full"),
        }
    }
}

/// Formats a share without decimals: `42 %`.
pub(super) fn whole(percent: f64) -> String {
    format!("{} %", percent.max(0.0).round() as u64)
}

/// Draws a bar for a share of something that can be full. Hidden from screen readers: the number is
/// beside it.
pub(super) fn meter(percent: Option<f64>) -> AnyView {
    bar(percent, Level::of(percent))
}

/// Draws a bar of a given level.
pub(super) fn bar(percent: Option<f64>, level: Level) -> AnyView {
    let Some(percent) = percent else {
        return ().into_any();
    };
    let percent = percent.clamp(0.0, 100.0);
    let class = level.class("meter");
    // The page's content security policy allows no style attribute, but a path is an ordinary
    // attribute.
    let path = format!("M0 0H{}V4H0z", tenths(percent));
    view! {
        <svg class=class viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <path d=path />
        </svg>
    }
    .into_any()
}

/// Draws a value as text, or `unknown` with the reason as its title.
pub(super) fn known<T>(value: &Known<T>, text: impl FnOnce(&T) -> String) -> AnyView {
    match value {
        Known::Value(value) => text(value).into_any(),
        Known::Unknown { unknown } => unknown_because(unknown),
    }
}

pub(super) fn unknown_because(reason: &str) -> AnyView {
    view! {
        <span class="unknown" title=upright(reason.to_owned())>
            {texts::UNKNOWN}
        </span>
    }
    .into_any()
}

/// Draws `5 s ago`; on the server, and before the page is alive, the time of day in UTC.
pub(super) fn age(at: Option<Timestamp>) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    live_text(move || match (at, clock.second()) {
        (None, _) => texts::figures::NEVER_SEEN.to_owned(),
        (Some(at), None) => texts::figures::at_utc(&time_of_day(at)),
        (Some(at), Some(now)) => ago_in_words(at, now),
    })
}

/// Draws `As of 14:03:20: node agent1 does not answer`.
pub(super) fn past(past: &Past) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    let reason = upright(past.reason.clone());
    // Distinguishes the first tree from the live page, but not one second from the next.
    let here = Memo::new(move |_| clock.second().is_some());
    let at = past.at;
    live_text(move || match (at, here.get()) {
        (None, _) => texts::figures::never_seen(&reason),
        (Some(at), false) => texts::figures::as_of(&texts::figures::utc(&time_of_day(at)), &reason),
        (Some(at), true) => texts::figures::as_of(&local(at), &reason),
    })
}

/// Formats a moment in UTC, for readers whose time zone is unknown: with the date, or the time of
/// day alone.
pub(super) fn utc(at: Timestamp, with_date: bool) -> String {
    let text = date_and_time(at);
    let from = if with_date { 0 } else { 11 };
    texts::figures::utc(text.get(from..).unwrap_or(&text))
}

/// Formats a time of day in UTC: `14:03:20`.
fn time_of_day(at: Timestamp) -> String {
    let seconds = at.0.div_euclid(1000).rem_euclid(86_400);
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// Formats a time of day in the reader's locale; with the date if it was not today.
fn local(at: Timestamp) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(at.0 as f64));
    let today = js_sys::Date::new_0();
    let day = |date: &js_sys::Date| (date.get_full_year(), date.get_month(), date.get_date());
    let time: String = date.to_locale_time_string("default").into();
    if day(&date) == day(&today) {
        time
    } else {
        format!(
            "{}, {time}",
            String::from(date.to_locale_date_string("default", &JsValue::UNDEFINED))
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!(percent(12.44), "12.4 %");
        assert_eq!(percent(99.96), "100.0 %");
        assert_eq!(whole(99.5), "100 %");
        for (percent, class) in [
            (None, "x"),
            (Some(79.9), "x"),
            (Some(80.0), "x level--high"),
            (Some(90.0), "x level--full"),
        ] {
            assert_eq!(Level::of(percent).class("x"), class);
        }
        assert_eq!(Level::of_io_wait(Some(12.0)), Level::High);
        // Until the thresholds of the notices are known.
        assert_eq!(Level::of_storage(Some(82.0), None), Level::High);
        assert_eq!(hundredths(0.256), "0.26");
        assert_eq!(tenths(-3.0), "0.0");
        assert_eq!(share(Some(1), Some(0)), None);
        assert_eq!(share(Some(1), Some(4)), Some(25.0));
        assert_eq!(used_of(1024, Some(2048)), "1.0 of 2.0 KiB");
        assert_eq!(used_of(1024, Some(1 << 20)), "1.0 KiB of 1.0 MiB");
        let at = Timestamp(1_794_043_800_000);
        assert_eq!(time_of_day(at), "09:30:00");
    }
}
