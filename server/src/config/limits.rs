//! `[limits]`: quotas for each user.

use super::{reader::Reader, value::Whole};

/// Quotas for each user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserLimits {
    /// Open websockets: a tab has one.
    pub sockets: u32,
    /// Commands a minute, in the long run.
    pub commands: u32,
    /// Mebibytes that are stored in a day.
    pub stored_mb: u32,
}

pub(super) fn read(r: &mut Reader<'_>) -> UserLimits {
    r.section(
        "limits",
        "Quotas for each user, across all their tabs and programs.",
    );
    let sockets = r
        .key("limits.user_sockets", "open websockets; each tab has one")
        .env("JARVIS_USER_SOCKETS")
        .or(Whole::<4, 100_000>(128));
    let commands = r
        .key(
            "limits.user_commands",
            "per minute, in bursts of up to half of it",
        )
        .env("JARVIS_USER_COMMANDS")
        .or(Whole::<10, 10_000_000>(600));
    let stored = r
        .key(
            "limits.user_stored_mb",
            "mebibytes of messages and files per day",
        )
        .env("JARVIS_USER_STORED_MB")
        .or(Whole::<16, 10_000_000>(1024));
    UserLimits {
        sockets: sockets.0,
        commands: commands.0,
        stored_mb: stored.0,
    }
}
