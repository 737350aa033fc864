//! A job's share of one core, where no kernel controller keeps it: all its processes are stopped while they
//! are ahead of their share.

use std::{collections::HashMap, sync::Mutex, time::Instant};

use rustix::process::{Pid, Signal};

use super::processes;

/// Milliseconds of a tick: 100 a second in every Linux that user space sees.
const TICK_MS: u64 = 10;
/// Milliseconds that a job may be ahead, so that short programs start at once.
pub(super) const BURST_MS: u64 = 300;

/// The time that was used and may be used.
pub(super) struct CpuShare {
    percent: u64,
    burst_ms: u64,
    began: Instant,
    seen: HashMap<Pid, u64>,
    used_ms: u64,
}

impl CpuShare {
    pub(super) fn new(percent: Option<u32>, burst_ms: u64) -> Self {
        Self {
            percent: percent.unwrap_or(100).into(),
            burst_ms,
            began: Instant::now(),
            seen: HashMap::new(),
            used_ms: 0,
        }
    }

    /// Milliseconds that were used, as far as looks have seen them.
    pub(super) fn used_ms(&self) -> u64 {
        self.used_ms
    }

    /// Adds what was used since the last look; true if that is more than the share.
    fn is_ahead(&mut self) -> bool {
        let mut now = HashMap::new();
        for pid in processes::of_job() {
            if let Some((_, ticks)) = processes::stat(pid) {
                let before = self.seen.get(&pid).copied().unwrap_or(0);
                self.used_ms += ticks.saturating_sub(before) * TICK_MS;
                now.insert(pid, ticks);
            }
        }
        self.seen = now;
        let elapsed = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.used_ms > elapsed.saturating_mul(self.percent) / 100 + self.burst_ms
    }
}

/// One look that keeps a job to its share. True if its processes are stopped now; `stopped` is what the look before
/// said.
pub(super) fn hold(share: &Mutex<CpuShare>, stopped: bool) -> bool {
    let ahead = share.lock().is_ok_and(|mut share| share.is_ahead());
    if ahead {
        // Again in each look: a new process may have come meanwhile.
        processes::signal_all(Signal::STOP);
    } else if stopped {
        processes::signal_all(Signal::CONT);
    }
    ahead
}
