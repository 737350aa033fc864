//! Faults of a device, which a test or an operator of the simulation switches on and off.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A fault of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeviceFault {
    /// Claims jobs and never asks to start them.
    NeverStarts,
    /// Dies as soon as a job is started, and begins another life.
    DiesAfterStarted,
    /// Its clock is ten years behind.
    ClockTenYearsBack,
    /// Its clock was never set.
    ClockAt1970,
    /// Sends each chunk twice.
    DuplicatesChunks,
    /// Sends each request with a body twice.
    RepeatsRequests,
    /// Says that every step went well.
    LiesAboutExit,
    /// Loses its network after the first step of a job.
    GoesSilent,
    /// Its sandbox dies in the second step of a job.
    LosesItsSandbox,
}

impl DeviceFault {
    pub const ALL: [Self; 9] = [
        Self::NeverStarts,
        Self::DiesAfterStarted,
        Self::ClockTenYearsBack,
        Self::ClockAt1970,
        Self::DuplicatesChunks,
        Self::RepeatsRequests,
        Self::LiesAboutExit,
        Self::GoesSilent,
        Self::LosesItsSandbox,
    ];
}

/// The faults of one device that are on. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct DeviceSwitches(Arc<Mutex<BTreeSet<DeviceFault>>>);

/// Ten years in milliseconds.
const TEN_YEARS: u64 = 3_652 * 24 * 60 * 60 * 1000;
/// Milliseconds in which a clock that was never set counts.
const SINCE_START: u64 = 24 * 60 * 60 * 1000;

impl DeviceSwitches {
    pub fn switch_on(&self, fault: DeviceFault) {
        self.lock().insert(fault);
    }

    pub fn switch_off(&self, fault: DeviceFault) {
        self.lock().remove(&fault);
    }

    pub fn is_on(&self, fault: DeviceFault) -> bool {
        self.lock().contains(&fault)
    }

    /// The time that the device's clock shows.
    pub(super) fn bent(&self, now_ms: u64) -> u64 {
        if self.is_on(DeviceFault::ClockAt1970) {
            return now_ms % SINCE_START;
        }
        if self.is_on(DeviceFault::ClockTenYearsBack) {
            return now_ms.saturating_sub(TEN_YEARS);
        }
        now_ms
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<DeviceFault>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
