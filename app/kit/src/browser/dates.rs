//! Days and times as the reader's browser has them.

use protocol::Timestamp;
use wasm_bindgen::JsValue;

use super::report;

/// Returns the day number of a moment in the reader's time zone.
pub fn day(at: Timestamp) -> i64 {
    let date = js_sys::Date::new(&JsValue::from_f64(at.0 as f64));
    let offset = (date.get_timezone_offset() * 60_000.0) as i64;
    (at.0 - offset).div_euclid(24 * 60 * 60 * 1000)
}

/// Formats a moment in the reader's time zone and locale: with the date, or the time of day alone.
pub fn local_time(at: Timestamp, with_date: bool) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(at.0 as f64));
    let options = js_sys::Object::new();
    let set = |key: &str, value: &str| {
        report(js_sys::Reflect::set(&options, &key.into(), &value.into()));
    };
    if with_date {
        set("dateStyle", "medium");
    }
    set("timeStyle", "short");
    date.to_locale_string("default", &options).into()
}

/// Formats the beginning of a day in UTC as that day, in the reader's language: `Nov 7, 2026`. It is the
/// same day in every time zone.
pub fn calendar_day(at: Timestamp) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(at.0 as f64));
    let options = js_sys::Object::new();
    for (key, value) in [("dateStyle", "medium"), ("timeZone", "UTC")] {
        report(js_sys::Reflect::set(&options, &key.into(), &value.into()));
    }
    date.to_locale_date_string("default", &options).into()
}

/// Formats a day in the reader's locale, such as `7 Nov`.
pub fn local_day(at: Timestamp) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(at.0 as f64));
    let options = js_sys::Object::new();
    for (key, value) in [("day", "numeric"), ("month", "short")] {
        report(js_sys::Reflect::set(&options, &key.into(), &value.into()));
    }
    date.to_locale_date_string("default", &options).into()
}
