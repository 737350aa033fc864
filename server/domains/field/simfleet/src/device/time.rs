//! The device's idea of the time: its clock, and the server's as each answer told it.

use crate::protocol::ClockMessage;

/// Clocks that show an earlier time than this were never set: 1 January 2000.
const FIRST_POSSIBLE: u64 = 946_684_800_000;
/// Milliseconds by which a clock may differ.
const TOLERANCE: i64 = 5 * 60 * 1000;

/// The difference between two clocks, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeardTime {
    skew_ms: Option<i64>,
}

impl HeardTime {
    /// Hears the server's time.
    pub(super) fn hear(&mut self, server_ms: u64, wall_ms: u64) {
        self.skew_ms = Some(signed(server_ms).saturating_sub(signed(wall_ms)));
    }

    pub(super) fn forget(&mut self) {
        self.skew_ms = None;
    }

    /// The time that packages are checked against, in seconds: the server's once it is known.
    pub(super) fn now_s(self, wall_ms: u64) -> u64 {
        let now = signed(wall_ms).saturating_add(self.skew_ms.unwrap_or(0));
        u64::try_from(now).unwrap_or(0) / 1000
    }

    pub(super) fn message(self, wall_ms: u64) -> ClockMessage {
        let fault = match self.skew_ms {
            _ if wall_ms < FIRST_POSSIBLE => Some("unset"),
            Some(skew) if skew > TOLERANCE => Some("behind"),
            Some(skew) if skew < -TOLERANCE => Some("ahead"),
            _ => None,
        };
        ClockMessage {
            wall_ms,
            skew_ms: self.skew_ms,
            fault,
        }
    }
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}
