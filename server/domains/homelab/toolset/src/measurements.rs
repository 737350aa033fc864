//! Jarvis's own measurements: means over five minutes, kept for seven days.
//!
//! They come from the answers that the board gets anyway. A sampler collects them in memory, a
//! recorder writes each step to the store once it is over, and the charts, the tool for the past and
//! the board's sparklines read them.

mod recorder;
mod sampler;

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use tokio::sync::Notify;

pub use recorder::MeasurementRecorder;
use sampler::MeasurementSampler;

/// Seconds per step.
pub const STEP_SECONDS: i64 = 300;
/// Steps kept: seven days.
pub const KEPT_STEPS: i64 = 2_016;
/// Metrics kept. The names are text from outside, so that their number has to have a limit.
pub const MAX_METRICS: usize = 2_000;
/// Longest name of a node or storage, in bytes: the longest that `get_history` takes.
const MAX_NAME: usize = 128;

/// A thing that is measured, under the name that it is stored by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MeasuredSubject(String);

impl MeasuredSubject {
    /// A node. `None` if a node cannot have that name.
    pub fn node(name: &str) -> Option<Self> {
        is_name(name).then(|| Self(format!("node/{name}")))
    }

    pub fn guest(vmid: u32) -> Self {
        Self(format!("guest/{vmid}"))
    }

    /// A storage of a node, or a shared one. `None` if a node or storage cannot have that name.
    pub fn storage(node: Option<&str>, name: &str) -> Option<Self> {
        let fits = is_name(name) && node.is_none_or(is_name);
        fits.then(|| match node {
            Some(node) => Self(format!("storage/{node}/{name}")),
            None => Self(format!("storage/{name}")),
        })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Refuses what Proxmox allows no name to be. Without a slash in them, two names never make the
/// same subject.
fn is_name(name: &str) -> bool {
    let fits = |c: char| c != '/' && !c.is_control();
    !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(fits)
}

/// A quantity, with its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeasuredQuantity {
    CpuPercent,
    MemoryBytes,
    IoWaitPercent,
    Celsius,
    UsedBytes,
}

impl MeasuredQuantity {
    /// The word that it is stored by.
    pub fn word(self) -> &'static str {
        match self {
            Self::CpuPercent => "cpu_percent",
            Self::MemoryBytes => "memory_bytes",
            Self::IoWaitPercent => "io_wait_percent",
            Self::Celsius => "celsius",
            Self::UsedBytes => "used_bytes",
        }
    }
}

/// A value of a quantity of a thing: a single one, or the mean over a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    pub subject: MeasuredSubject,
    pub quantity: MeasuredQuantity,
    pub value: f64,
}

/// The mean over a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepMean {
    /// Start of the step, in Unix seconds; a multiple of [`STEP_SECONDS`].
    pub at: i64,
    pub value: f64,
}

/// Reason that the store failed, in a few words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("measurements cannot be stored or read: {0}")]
pub struct MeasurementError(pub String);

/// Store of means: a ring of [`KEPT_STEPS`] steps for each metric, which is a quantity of a thing.
#[async_trait]
pub trait MeasurementStore: Send + Sync {
    /// Writes the means over the step that contains `at`, in Unix seconds. All or none; a mean that
    /// is already there is replaced.
    ///
    /// A metric beyond [`MAX_METRICS`] is not kept. Metrics whose newest mean is seven days older
    /// than `at` are deleted.
    async fn put(&self, at: i64, means: &[Measurement]) -> Result<(), MeasurementError>;

    /// The means of the steps that begin in `from..until`, in Unix seconds, oldest first; of the last
    /// [`KEPT_STEPS`] of these at most.
    async fn series(
        &self,
        subject: &MeasuredSubject,
        quantity: MeasuredQuantity,
        from: i64,
        until: i64,
    ) -> Result<Vec<StepMean>, MeasurementError>;
}

/// The store, and what is to be written to it.
pub(crate) struct OwnMeasurements {
    store: Arc<dyn MeasurementStore>,
    sampler: Mutex<MeasurementSampler>,
    /// Notified when a step is over.
    over: Notify,
}

impl fmt::Debug for OwnMeasurements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnMeasurements").finish_non_exhaustive()
    }
}

impl OwnMeasurements {
    pub(crate) fn new(store: Arc<dyn MeasurementStore>) -> Self {
        Self {
            store,
            sampler: Mutex::default(),
            over: Notify::new(),
        }
    }

    /// Records what was measured at a time in Unix seconds. To be called without any as well: it
    /// also ends the step before.
    pub(crate) fn note(&self, at: i64, measured: Vec<Measurement>) {
        if self.sampler().note(at, measured) {
            self.over.notify_one();
        }
    }

    pub(crate) async fn series(
        &self,
        subject: &MeasuredSubject,
        quantity: MeasuredQuantity,
        from: i64,
        until: i64,
    ) -> Result<Vec<StepMean>, MeasurementError> {
        self.store.series(subject, quantity, from, until).await
    }

    fn sampler(&self) -> MutexGuard<'_, MeasurementSampler> {
        self.sampler.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_outside_have_bounds_and_no_doubles() {
        let longest = "x".repeat(MAX_NAME);
        assert!(MeasuredSubject::node(&longest).is_some());
        for name in ["", "a/b", "a\nb", "a\0", &format!("{longest}x")] {
            assert_eq!(MeasuredSubject::node(name), None, "{name:?}");
            assert_eq!(MeasuredSubject::storage(None, name), None, "{name:?}");
            assert_eq!(MeasuredSubject::storage(Some(name), "x"), None, "{name:?}");
        }
        let local = MeasuredSubject::storage(Some("pve"), "local").unwrap();
        assert_eq!(local.as_str(), "storage/pve/local");
    }
}
