//! Forecasts of the day on which something is full, from its growth.

use serde_json::Value;

use super::{section, units};
use crate::{
    planner::{plan::PlanContext, view::Done},
    texts::findings::{self, FullForecast},
};

const DAY: f64 = 86_400.0;
/// Less than this share of the whole in the whole time is no growth.
const NOISE: f64 = 0.002;

/// The first sentence where it is asked when something is full; the figures it rests on stand in it.
pub(super) fn of(context: PlanContext<'_>) -> Option<String> {
    if !context.ask.is_forecast() {
        return None;
    }
    let read = context
        .view
        .done
        .iter()
        .rev()
        .find(|done| done.data["series"].is_object());
    let Some(done) = read else {
        let mut failed = context.view.done.iter().filter(|done| done.is_error);
        return Some(match failed.next_back() {
            Some(failed) => findings::cannot_tell(&section::failure(failed)),
            None => findings::GROWTH_NOT_READ.to_owned(),
        });
    };
    Some(projected(done).unwrap_or_else(|| unmeasured(done)))
}

/// The reason why the series of a thing tell nothing of when it is full.
fn unmeasured(done: &Done) -> String {
    let about = units::safe(done.data["about"].as_str().unwrap_or("it"));
    if let Some(reason) =
        units::unknown(&done.data["start"]).filter(|_| done.data["start"].is_object())
    {
        return findings::cannot_tell_of(&about, &units::safe(reason));
    }
    let series = done.data["series"].as_object();
    let has_space = series.is_some_and(|series| series.keys().any(|name| is_space(name)));
    if has_space {
        findings::limit_not_reported(&about)
    } else {
        findings::growth_not_measured(&about)
    }
}

/// True for a series of what fills up.
fn is_space(name: &str) -> bool {
    name.ends_with("_bytes") && !name.contains("memory") && !name.contains("swap")
}

/// A sentence about the fullest series that has a limit.
fn projected(done: &Done) -> Option<String> {
    let about = units::safe(done.data["about"].as_str()?);
    let step = done.data["step_seconds"].as_f64()?;
    let span = done.input["span"].as_str().unwrap_or("while");
    let limits = done.data["limits"].as_object()?;
    let series = done.data["series"].as_object()?;
    let (name, values) = series
        .iter()
        .find(|(name, _)| is_space(name) && limit(limits, name).is_some())?;
    let whole = limit(limits, name)?;
    let steps = values.as_array()?.iter().enumerate();
    let numbers: Vec<(usize, f64)> = steps
        .filter_map(|(at, value)| Some((at, value.as_f64()?)))
        .collect();
    let ((from, first), (until, last)) = (*numbers.first()?, *numbers.last()?);
    // Steps that were not measured took their time all the same.
    let time = step * (until - from) as f64;
    let growth = last - first;
    let full = ::units::percent(last * 100.0 / whole);
    let what = units::in_words(name).trim_end_matches(" used").to_owned();
    if numbers.len() < 3 || time <= 0.0 {
        return Some(findings::past_too_short(&about, &full));
    }
    if growth <= whole * NOISE {
        return Some(findings::does_not_grow(&what, &about, &full, span));
    }
    let a_day = growth / time * DAY;
    let days = (whole - last) / a_day;
    let size = |bytes: f64| ::units::size(bytes.max(0.0).round() as u64);
    Some(findings::full_in(&FullForecast {
        days,
        span,
        what: &what,
        about: &about,
        full: &full,
        a_day: &size(a_day),
    }))
}

fn limit(limits: &serde_json::Map<String, Value>, name: &str) -> Option<f64> {
    let stem = name.strip_suffix("_bytes")?;
    let stem = stem.strip_suffix("_used").unwrap_or(stem);
    let found = limits.iter().find(|(key, _)| key.starts_with(stem));
    found
        .and_then(|(_, value)| value.as_f64())
        .filter(|whole| *whole > 0.0)
}
