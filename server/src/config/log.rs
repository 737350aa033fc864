//! `[log]`: the lines that the server writes.

use super::{reader::Reader, value::LogFormat};

/// The lines that the server writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSettings {
    /// Such as `info,agent=debug`.
    pub filter: String,
    pub format: LogFormat,
}

pub(super) fn read(r: &mut Reader<'_>) -> LogSettings {
    r.section("log", "");
    let filter = r
        .key("log.filter", "such as info,agent=debug")
        .env("JARVIS_LOG")
        .or("info".to_owned());
    let format = r
        .key("log.format", "text or json")
        .env("JARVIS_LOG_FORMAT")
        .or(LogFormat::Text);
    LogSettings {
        filter: filter.value,
        format: *format,
    }
}
