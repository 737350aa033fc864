//! The device's idea of the time: the server's, carried on by a clock that nobody sets, and the latest of it
//! on disk, so that no clock goes back behind it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Instant, SystemTime},
};

use field_package::clock::DeviceClock;
use serde_json::{Value, json};

use crate::{error::RunnerError, files, texts};

/// Seconds by which the kept time may be behind the latest one: a write now and then is enough.
const STEP: u64 = 60;
/// A clock below this was never set: 1 January 2000.
const NEVER_SET: u64 = 946_684_800;
/// Seconds by which a clock may differ.
const TOLERANCE: u64 = 5 * 60;

/// The device's own clock, in seconds since 1970.
pub type WallClock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The clock of the system.
pub fn system_clock() -> WallClock {
    Arc::new(|| {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.unwrap_or_default().as_secs()
    })
}

/// Times that were heard.
pub struct HeardClock {
    path: PathBuf,
    wall: WallClock,
    floor: u64,
    server: Option<(u64, Instant)>,
}

impl HeardClock {
    /// # Errors
    /// If the kept time can't be read.
    pub fn load(state: &Path, wall: WallClock) -> Result<Self, RunnerError> {
        let path = state.join("clock");
        let bytes = files::read(&path).map_err(RunnerError::file(&path))?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let floor = text.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        Ok(Self {
            path,
            wall,
            floor,
            server: None,
        })
    }

    /// Hears the server's time. One that went back is heard as well: the check of a package says so.
    pub(crate) fn hear(&mut self, server_ms: u64) -> Result<(), RunnerError> {
        let seconds = server_ms / 1000;
        self.server = Some((seconds, Instant::now()));
        if seconds > self.floor.saturating_add(STEP) {
            let text = seconds.to_string();
            files::replace(&self.path, text.as_bytes(), 0o600)
                .map_err(RunnerError::file(&self.path))?;
            self.floor = seconds;
        }
        Ok(())
    }

    /// All that is known of the time.
    pub fn now(&self) -> DeviceClock {
        DeviceClock {
            wall: (self.wall)(),
            floor: self.floor,
            server: self
                .server
                .map(|(seconds, at)| seconds + at.elapsed().as_secs()),
        }
    }

    /// The reason that TLS may have failed: a year that is not possible must not look like a certificate.
    pub(crate) fn fault(&self) -> Option<RunnerError> {
        let alone = DeviceClock {
            server: None,
            ..self.now()
        };
        alone.time().err().map(RunnerError::Clock)
    }

    /// Returns the fault of the device's own clock, as far as it shows without the server.
    pub(crate) fn check(&self) -> Result<(), String> {
        if (self.wall)() < NEVER_SET {
            return Err(texts::CLOCK_UNSET.to_owned());
        }
        // Before a time was heard nothing tells how far ahead it is.
        let fault = self.fault().filter(|_| self.floor > 0);
        fault.map_or(Ok(()), |error| Err(error.to_string()))
    }

    /// The report on the clock, for people.
    pub(crate) fn message(&self) -> Value {
        let clock = self.now();
        let fault = match clock.server {
            _ if clock.wall < NEVER_SET => Some("unset"),
            Some(server) if server > clock.wall.saturating_add(TOLERANCE) => Some("behind"),
            Some(server) if clock.wall > server.saturating_add(TOLERANCE) => Some("ahead"),
            _ => None,
        };
        let skew = clock.server.map(|server| {
            let signed = |it: u64| i64::try_from(it).unwrap_or(i64::MAX);
            signed(server)
                .saturating_sub(signed(clock.wall))
                .saturating_mul(1000)
        });
        json!({ "wall_ms": clock.wall.saturating_mul(1000), "skew_ms": skew, "fault": fault })
    }
}
