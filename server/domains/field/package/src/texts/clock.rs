//! Faults of clocks.

pub(crate) fn behind(seconds: u64) -> String {
    format!(
        "the device's clock is {} behind the server's",
        span(seconds)
    )
}

pub(crate) fn ahead(seconds: u64) -> String {
    format!(
        "the device's clock is {} ahead of the server's",
        span(seconds)
    )
}

pub(crate) fn server_behind(seconds: u64) -> String {
    format!("the server's clock went back by {}", span(seconds))
}

fn span(seconds: u64) -> String {
    const DAY: u64 = 24 * 60 * 60;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} minutes", seconds / 60),
        7200..172_800 => format!("{} hours", seconds / 3600),
        _ if seconds < 2 * 365 * DAY => format!("{} days", seconds / DAY),
        _ => format!("{} years", seconds / (365 * DAY)),
    }
}
