//! Devices that wait for work: each is woken at once when there is some.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Requests of one device that may wait at the same time: one, and some whose connection was lost
/// unnoticed.
const MOST_WAITING: usize = 4;

/// The bells of all devices.
#[derive(Default)]
pub(crate) struct WaitingDevices {
    bells: Mutex<HashMap<String, Arc<DeviceBell>>>,
    stopped: AtomicBool,
}

#[derive(Default)]
struct DeviceBell {
    notify: Notify,
    waiting: AtomicUsize,
}

/// A place to wait, given back when it is dropped.
pub(crate) struct WaitingPlace(Arc<DeviceBell>);

impl WaitingPlace {
    /// The bell. Enable the future before looking for work, and nothing rings unheard.
    pub(crate) fn bell(&self) -> &Notify {
        &self.0.notify
    }
}

impl Drop for WaitingPlace {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

impl WaitingDevices {
    /// Takes a place for a device, if it has one left.
    pub(crate) fn enter(&self, device: &str) -> Option<WaitingPlace> {
        let mut bells = self.lock();
        // Bells that nobody waits at are forgotten, so that their number is that of open requests.
        bells.retain(|_, bell| bell.waiting.load(Ordering::SeqCst) > 0);
        let bell = Arc::clone(bells.entry(device.to_owned()).or_default());
        let before = bell.waiting.fetch_add(1, Ordering::SeqCst);
        // Dropped if there are too many, which counts down again.
        let place = WaitingPlace(bell);
        (before < MOST_WAITING).then_some(place)
    }

    /// Wakes a device.
    pub(crate) fn ring(&self, device: &str) {
        if let Some(bell) = self.lock().get(device) {
            bell.notify.notify_waiters();
        }
    }

    /// True once the server stops: nobody waits any longer.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// Wakes everybody for the last time.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        for bell in self.lock().values() {
            bell.notify.notify_waiters();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<DeviceBell>>> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
