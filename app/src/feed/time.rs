//! Days and moments of the feed, in UTC until the page is alive, then in the reader's time zone.

use kit::PageClock;
use leptos::prelude::*;
use protocol::Timestamp;
use wasm_bindgen::JsValue;

use crate::texts::feed as texts;

const DAY: i64 = 24 * 60 * 60 * 1000;
/// Interval at which ages are updated, in milliseconds.
const STEP: i64 = 15_000;

/// The present time for rows: none until the page is alive.
#[derive(Clone, Copy)]
pub(super) struct Now {
    /// Time at which the page was rendered.
    made: Timestamp,
    now: Memo<Option<Timestamp>>,
}

impl Now {
    pub(super) fn new(made: Timestamp, clock: PageClock) -> Self {
        let coarse = move |_: Option<&Option<Timestamp>>| {
            let now = clock.second()?;
            Some(Timestamp(now.0 - now.0.rem_euclid(STEP)))
        };
        Self {
            made,
            now: Memo::new(coarse),
        }
    }

    pub(super) fn is_alive(self) -> bool {
        self.now.read().is_some()
    }

    pub(super) fn get(self) -> Timestamp {
        self.now.get().unwrap_or(self.made)
    }

    /// Returns a day number: the reader's, or in UTC while the reader's is unknown.
    pub(super) fn day(self, at: Timestamp) -> i64 {
        if !self.is_alive() {
            at.0.div_euclid(DAY)
        } else {
            let date = date(at);
            // At noon, so that daylight saving time does not change the day.
            let noon = js_sys::Date::new_with_year_month_day_hr(
                date.get_full_year(),
                date.get_month() as i32,
                date.get_date() as i32,
                12,
            );
            let offset = noon.get_timezone_offset() * 60_000.0;
            ((noon.get_time() - offset) as i64).div_euclid(DAY)
        }
    }

    /// Returns `Today`, `Yesterday`, or the date.
    pub(super) fn day_name(self, day: i64, first: Timestamp) -> String {
        match self.day(self.get()) - day {
            0 => texts::TODAY.to_owned(),
            1 => texts::YESTERDAY.to_owned(),
            _ if self.is_alive() => date(first)
                .to_locale_date_string("default", &long_date())
                .into(),
            _ => texts::day_in_utc(&iso_date(day)),
        }
    }
}

/// Formats a day as date fields need it: `2026-11-22`.
pub(super) fn local_date(at: Timestamp) -> String {
    let date = date(at);
    format!(
        "{:04}-{:02}-{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date()
    )
}

/// Returns the first moment of a day of the reader, plus some days.
pub(super) fn midnight(date: &str, days: i32) -> Option<Timestamp> {
    let mut fields = date.splitn(3, '-').map(str::parse::<i32>);
    let (year, month, day) = (fields.next()?, fields.next()?, fields.next()?);
    let year = u32::try_from(year.ok()?).ok()?;
    let date = js_sys::Date::new_with_year_month_day(year, month.ok()? - 1, day.ok()? + days);
    let ms = date.get_time();
    ms.is_finite().then_some(Timestamp(ms as i64))
}

fn date(at: Timestamp) -> js_sys::Date {
    js_sys::Date::new(&JsValue::from_f64(at.0 as f64))
}

fn long_date() -> JsValue {
    let options = js_sys::Object::new();
    let set = js_sys::Reflect::set(&options, &"dateStyle".into(), &"full".into());
    kit::browser::report(set);
    options.into()
}

/// Formats a day in UTC.
fn iso_date(day: i64) -> String {
    let (year, month, day) = units::civil::date(day);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        for (day, expect) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (20_779, "2026-11-22"),
        ] {
            assert_eq!(iso_date(day), expect);
        }
    }
}
