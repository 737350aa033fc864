//! Time on a device that may have none.
//!
//! A device without a battery for its clock wakes up in 1970, and one whose clock was set wrongly may
//! be years ahead. The server's time, which each answer carries, is believed before the device's own
//! clock; the last one is kept, and time never goes back behind it.

use crate::texts;

/// Seconds by which a clock may differ from the server's.
const TOLERANCE: u64 = 5 * 60;
/// Seconds that a device may have been without the server and still believe its own clock.
const LONGEST_ALONE: u64 = 400 * 24 * 60 * 60;

/// All that a device knows of the time, in seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceClock {
    /// The device's own clock.
    pub wall: u64,
    /// The latest server time that it has kept.
    pub floor: u64,
    /// The server's time in this session, carried on by a clock that nobody sets.
    pub server: Option<u64>,
}

/// Fault of a clock, shown as such and not as what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClockFault {
    #[error("{}", texts::clock::behind(*seconds))]
    Behind { seconds: u64 },
    #[error("{}", texts::clock::ahead(*seconds))]
    Ahead { seconds: u64 },
    /// The server's time is before one that it gave earlier.
    #[error("{}", texts::clock::server_behind(*seconds))]
    ServerBehind { seconds: u64 },
}

/// A time to decide by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceTime {
    pub now: u64,
    /// The device's own clock is wrong. Decisions are by the server's.
    pub fault: Option<ClockFault>,
}

impl DeviceClock {
    /// # Errors
    /// If no time is to be believed: the reason is a clock.
    pub fn time(&self) -> Result<DeviceTime, ClockFault> {
        if let Some(server) = self.server {
            let back = self.floor.saturating_sub(server);
            if back > TOLERANCE {
                return Err(ClockFault::ServerBehind { seconds: back });
            }
            return Ok(DeviceTime {
                now: server.max(self.floor),
                fault: difference(self.wall, server),
            });
        }
        let back = self.floor.saturating_sub(self.wall);
        if back > 0 {
            return Err(ClockFault::Behind { seconds: back });
        }
        let ahead = self.wall - self.floor;
        if ahead > LONGEST_ALONE {
            return Err(ClockFault::Ahead { seconds: ahead });
        }
        Ok(DeviceTime {
            now: self.wall,
            fault: None,
        })
    }
}

fn difference(wall: u64, server: u64) -> Option<ClockFault> {
    let (behind, ahead) = (server.saturating_sub(wall), wall.saturating_sub(server));
    if behind > TOLERANCE {
        Some(ClockFault::Behind { seconds: behind })
    } else if ahead > TOLERANCE {
        Some(ClockFault::Ahead { seconds: ahead })
    } else {
        None
    }
}
