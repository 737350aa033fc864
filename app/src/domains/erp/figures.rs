//! Values for people: amounts with their currency, moments, and what is unknown with the reason.

use erp_wire::DocumentCell;
use kit::{
    browser,
    format::{between, upright},
    live, live_text,
};
use leptos::prelude::*;
use protocol::{Known, Timestamp};

use super::{address::DocumentAt, texts};
use crate::channel::Channel;

/// Formats decimal digits in groups of three: `1,190.00`. Anything else stays as it is.
pub(super) fn grouped(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("−", digits),
        None => ("", text),
    };
    let (whole, rest) = match digits.split_once('.') {
        Some((whole, rest)) => (whole, Some(rest)),
        None => (digits, None),
    };
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if !are_digits(whole) || !rest.is_none_or(are_digits) {
        return text.to_owned();
    }
    let mut out = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(rest) = rest {
        out.push('.');
        out.push_str(rest);
    }
    out
}

/// Formats a number with its unit: `1,190.00 EUR`.
pub(super) fn number(cell: &DocumentCell) -> String {
    let digits = grouped(&cell.text);
    match &cell.unit {
        Some(unit) if !cell.text.is_empty() => format!("{digits} {}", upright(unit.clone())),
        _ => digits,
    }
}

/// Draws a value: a number with its unit, the name of a document as a link, or text.
pub(super) fn value(cell: &DocumentCell, is_number: bool) -> AnyView {
    let path = cell.to.as_deref().and_then(DocumentAt::of_id);
    if let Some(path) = path.and_then(|at| at.path()) {
        return view! { <a class="erp-link" href=path>{upright(cell.text.clone())}</a> }.into_any();
    }
    if is_number || cell.unit.is_some() {
        return number(cell).into_any();
    }
    if day_of(&cell.text).is_some() {
        return day(&cell.text);
    }
    upright(cell.text.clone()).into_any()
}

/// Draws the name of a document as a link to its page.
pub(super) fn link(doctype: &str, name: &str, text: String) -> AnyView {
    let path = DocumentAt::of_id(&format!("{doctype}/{name}")).and_then(|at| at.path());
    match path {
        Some(path) => view! { <a class="erp-link" href=path>{upright(text)}</a> }.into_any(),
        None => upright(text).into_any(),
    }
}

/// Draws `unknown` with the reason beside it: nobody has to hover for it.
pub(super) fn unknown(reason: &str) -> AnyView {
    let text = texts::unknown(&upright(reason.to_owned()));
    view! { <p class="erp-unknown">{text}</p> }.into_any()
}

/// Draws a value as text, or `unknown` with the reason.
pub(super) fn known<T>(value: &Known<T>, text: impl FnOnce(&T) -> AnyView) -> AnyView {
    match value {
        Known::Value(value) => text(value),
        Known::Unknown { unknown } => {
            let reason = upright(unknown.clone());
            view! {
                <span class="erp-unknown" title=reason>
                    {texts::UNKNOWN}
                    <span class="erp-unknown__reason">" (" {reason.clone()} ")"</span>
                </span>
            }
            .into_any()
        }
    }
}

/// Draws `5 min ago`, with the date and time as its title; on the server, and before the page is
/// alive, the moment in UTC.
pub(super) fn ago(at: Option<Timestamp>) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    let here = Memo::new(move |_| clock.second().is_some());
    let title = live(move || match (at, here.get()) {
        (Some(at), true) => Some(browser::local_time(at, true)),
        _ => None,
    });
    let text = live_text(move || match (at, clock.second()) {
        (None, _) => texts::NEVER.to_owned(),
        (Some(at), None) => texts::utc(&date_and_time(at)),
        (Some(at), Some(now)) => texts::ago(&units::age(between(at, now) / 1000)),
    });
    view! { <time title=title>{text}</time> }.into_any()
}

/// Draws a day of the site's calendar, `18 Sept 2026` in the reader's language; its title has it as
/// the site writes it. On the server, and before the page is alive, as the site writes it.
pub(super) fn day(text: &str) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    let here = Memo::new(move |_| clock.second().is_some());
    let at = day_of(text);
    let written = upright(text.to_owned());
    let title = at.map(|_| written.clone());
    let text = live_text(move || match at {
        Some(at) if here.get() => local_day(at),
        _ => written.clone(),
    });
    view! { <time title=title>{text}</time> }.into_any()
}

/// The beginning of a day, `YYYY-MM-DD`, in UTC. None for any other text.
fn day_of(text: &str) -> Option<Timestamp> {
    let seconds = units::civil::seconds(&format!("{text}T00:00:00Z"))?;
    // Not the 31st of February, and nothing behind the day.
    let is_day = units::civil::rfc3339(seconds).strip_suffix("T00:00:00Z") == Some(text);
    is_day.then_some(Timestamp(seconds.checked_mul(1000)?))
}

/// Formats a day in the reader's language. It is the same day in every time zone.
fn local_day(at: Timestamp) -> String {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(at.0 as f64));
    let options = js_sys::Object::new();
    for (key, value) in [("dateStyle", "medium"), ("timeZone", "UTC")] {
        browser::report(js_sys::Reflect::set(&options, &key.into(), &value.into()));
    }
    date.to_locale_date_string("default", &options).into()
}

/// Draws sentences about what is missing or old; nothing without any.
pub(super) fn reasons(reasons: Vec<String>) -> AnyView {
    if reasons.is_empty() {
        return ().into_any();
    }
    let lines = reasons.into_iter().map(|text| view! { <li>{text}</li> });
    view! { <ul class="erp-reasons">{lines.collect::<Vec<_>>()}</ul> }.into_any()
}

/// Formats a moment in UTC: `2026-11-07 09:30`.
fn date_and_time(at: Timestamp) -> String {
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
    fn digits_are_grouped_and_texts_are_not() {
        for (text, shown) in [
            ("0", "0"),
            ("1190.00", "1,190.00"),
            ("-1234567.5", "−1,234,567.5"),
            ("100", "100"),
            ("2026-11-21", "2026-11-21"),
            ("12a", "12a"),
            ("1.2.3", "1.2.3"),
            (".5", ".5"),
            ("-", "-"),
            ("", ""),
        ] {
            assert_eq!(grouped(text), shown);
        }
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
        let cell = DocumentCell {
            text: "1190.00".to_owned(),
            unit: Some("EUR".to_owned()),
            to: None,
        };
        assert_eq!(number(&cell), "1,190.00 EUR");
        assert_eq!(
            date_and_time(Timestamp(1_794_043_800_000)),
            "2026-11-07 09:30"
        );
    }
}
