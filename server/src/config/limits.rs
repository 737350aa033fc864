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
    let sockets = r.with_default(
        "limits.user_sockets",
        Some("JARVIS_USER_SOCKETS"),
        Whole::<4, 100_000>(128),
    );
    let commands = r.with_default(
        "limits.user_commands",
        Some("JARVIS_USER_COMMANDS"),
        Whole::<10, 10_000_000>(600),
    );
    let stored = r.with_default(
        "limits.user_stored_mb",
        Some("JARVIS_USER_STORED_MB"),
        Whole::<16, 10_000_000>(1024),
    );
    UserLimits {
        sockets: sockets.0,
        commands: commands.0,
        stored_mb: stored.0,
    }
}
