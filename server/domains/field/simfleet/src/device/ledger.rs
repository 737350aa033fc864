//! The steps that a device ran, for whoever counts effects outside of the server.

use std::sync::{Arc, Mutex, PoisonError};

/// A step that a device ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRun {
    pub job: String,
    /// The step's row, such as `ping`.
    pub row: &'static str,
}

/// Each step that one device ran, as often as it ran, whatever the server was told. It outlives
/// [`super::FleetDevice::restart`].
#[derive(Clone, Debug, Default)]
pub struct StepLedger(Arc<Mutex<Vec<StepRun>>>);

impl StepLedger {
    /// All of them, in the order in which they ran.
    pub fn runs(&self) -> Vec<StepRun> {
        let runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        runs.clone()
    }

    pub(super) fn add(&self, job: &str, row: &'static str) {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        runs.push(StepRun {
            job: job.to_owned(),
            row,
        });
    }
}
