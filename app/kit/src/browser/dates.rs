//! Days and times as the reader's browser has them.

use js_sys::{Date, Object};
use protocol::Timestamp;
use wasm_bindgen::JsValue;

use super::report;

/// Returns the day number of a moment in the reader's time zone.
pub fn day(at: Timestamp) -> i64 {
    let offset = (date(at).get_timezone_offset() * 60_000.0) as i64;
    (at.0 - offset).div_euclid(24 * 60 * 60 * 1000)
}

/// Formats a moment in the reader's time zone and locale: with the date, or the time of day alone.
pub fn local_time(at: Timestamp, with_date: bool) -> String {
    let day = if with_date { "medium" } else { "" };
    time(at, &[("timeStyle", "short"), ("dateStyle", day)])
}

/// Formats a moment in the reader's time zone and locale, with the date, the second and the zone: the
/// title of a shorter form.
pub fn exact_time(at: Timestamp) -> String {
    time(at, &[("timeStyle", "long"), ("dateStyle", "medium")])
}

/// Formats the beginning of a day in UTC as that day, in the reader's language: `Nov 7, 2026`. It is the
/// same day in every time zone.
pub fn calendar_day(at: Timestamp) -> String {
    time(at, &[("dateStyle", "medium"), ("timeZone", "UTC")])
}

/// Formats a day in the reader's locale, such as `7 Nov`.
pub fn local_day(at: Timestamp) -> String {
    time(at, &[("day", "numeric"), ("month", "short")])
}

fn date(at: Timestamp) -> Date {
    Date::new(&JsValue::from_f64(at.0 as f64))
}

/// Formats a moment in the reader's locale. An empty option is left out.
fn time(at: Timestamp, all: &[(&str, &str)]) -> String {
    let options = Object::new();
    for (key, value) in all.iter().filter(|(_, value)| !value.is_empty()) {
        report(js_sys::Reflect::set(
            &options,
            &(*key).into(),
            &(*value).into(),
        ));
    }
    date(at).to_locale_string("default", &options).into()
}
