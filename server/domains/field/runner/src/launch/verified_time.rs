//! The earliest time that it can be, by what was signed: kept in the launcher's own folder, so that whoever has the
//! runner and the device's clock can't make an expired package or release valid again, not even after a reboot.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use field_package::clock::DeviceClock;

use crate::{error::RunnerError, files};

/// Seconds by which the kept time may be behind: at most this often it is written, however often a runner asks.
const STEP: u64 = 5 * 60;
/// A crystal may be fast by one part in this many. The time is carried on by so much less, because a device that is
/// ahead of its server would refuse everything.
const DRIFT: u64 = 1_000;

/// Time since some start, by a clock that nobody sets.
pub(super) type SteadyClock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The time of the newest package that was started, carried on.
pub(crate) struct VerifiedTime {
    path: PathBuf,
    steady: SteadyClock,
    /// Seconds since 1970, 0 if nothing was verified yet.
    shown: u64,
    /// The steady clock when it was shown.
    since: Duration,
    kept: u64,
}

impl VerifiedTime {
    /// # Errors
    /// If the kept time is there and can't be read: a device that forgot it would take what has expired.
    pub(crate) fn load(fence: &Path) -> Result<Self, RunnerError> {
        let began = Instant::now();
        Self::load_with(fence, Arc::new(move || began.elapsed()))
    }

    pub(super) fn load_with(fence: &Path, steady: SteadyClock) -> Result<Self, RunnerError> {
        let path = fence.join("time");
        let bytes = files::read(&path).map_err(RunnerError::file(&path))?;
        let kept = match bytes {
            None => 0,
            Some(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                text.trim()
                    .parse::<u64>()
                    .map_err(|error: std::num::ParseIntError| {
                        let reason = error.to_string();
                        let path = path.clone();
                        RunnerError::Config { path, reason }
                    })?
            }
        };
        Ok(Self {
            path,
            since: steady(),
            steady,
            shown: kept,
            kept,
        })
    }

    /// Takes a time that has passed: the issue of a package that is about to start, or of an enrolment.
    ///
    /// # Errors
    /// If it can't be kept.
    pub(crate) fn raise(&mut self, seconds: u64) -> Result<(), RunnerError> {
        if seconds > self.floor() {
            self.shown = seconds;
            self.since = (self.steady)();
        }
        self.keep()
    }

    /// All that is known of the time: the device's own clock, the server's time by the runner's word, and the time
    /// behind which neither of them leads.
    ///
    /// # Errors
    /// If the time can't be kept.
    pub(super) fn clock(
        &mut self,
        wall: u64,
        server: Option<u64>,
    ) -> Result<DeviceClock, RunnerError> {
        self.keep()?;
        Ok(DeviceClock {
            wall,
            floor: self.floor(),
            server,
        })
    }

    fn floor(&self) -> u64 {
        let passed = (self.steady)().saturating_sub(self.since).as_secs();
        self.shown.saturating_add(passed - passed.div_ceil(DRIFT))
    }

    fn keep(&mut self) -> Result<(), RunnerError> {
        let floor = self.floor();
        if self.shown == 0 || floor <= self.kept.saturating_add(STEP) {
            return Ok(());
        }
        let text = floor.to_string();
        let written = files::replace(&self.path, text.as_bytes(), 0o600);
        written.map_err(RunnerError::file(&self.path))?;
        self.kept = floor;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
