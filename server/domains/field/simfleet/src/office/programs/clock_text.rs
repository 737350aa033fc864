//! Times as programs print them, in UTC.

use jiff::Timestamp;

fn text(at_ms: u64, format: &str) -> String {
    let at = i64::try_from(at_ms)
        .ok()
        .and_then(|it| Timestamp::from_millisecond(it).ok());
    at.unwrap_or_default().strftime(format).to_string()
}

/// As `dig` prints it: `Fri Nov 27 11:42:17 UTC 2026`.
pub(in crate::office) fn day_and_time(at_ms: u64) -> String {
    text(at_ms, "%a %b %d %H:%M:%S UTC %Y")
}

/// As the journal prints it: `2026-11-27T11:42:17+0000`.
pub(in crate::office) fn log_time(at_ms: u64) -> String {
    text(at_ms, "%Y-%m-%dT%H:%M:%S+0000")
}

/// As `tcpdump` prints it, in microseconds.
pub(super) fn packet_time(at_ms: u64, micros: u64) -> String {
    format!(
        "{}.{:03}{:03}",
        text(at_ms, "%H:%M:%S"),
        at_ms % 1000,
        micros % 1000
    )
}
