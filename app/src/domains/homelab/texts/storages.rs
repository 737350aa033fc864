//! Storages and their use over time.

pub(crate) const SHARED: &str = "shared";

pub(crate) fn on(node: &str) -> String {
    format!("on {node}")
}

pub(crate) fn trend_unknown(reason: &str) -> String {
    format!("Trend unknown: {reason}")
}

pub(crate) fn grows(a_day: &str) -> String {
    format!("grows by {a_day} a day")
}

pub(crate) fn shrinks(a_day: &str) -> String {
    format!("shrinks by {a_day} a day")
}

pub(crate) const STABLE: &str = "stable";

pub(crate) fn last_week(course: &str) -> String {
    format!("Last week: {course}")
}

pub(crate) fn full_within_a_day(course: &str) -> String {
    format!("Last week: {course}; full within a day")
}

pub(crate) fn full_in_days(course: &str, days: u64) -> String {
    format!("Last week: {course}; full in about {days} d")
}
