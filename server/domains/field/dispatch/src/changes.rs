//! Changes of devices, jobs and diagnostics, for those who wait for one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

/// The longest time until whoever waits looks again without being told: time changes things, too.
const LONGEST: Duration = Duration::from_secs(5);

/// Counters that go up with each change: of anything, and of single devices and jobs that somebody
/// follows.
pub(crate) struct ChangeCounter {
    all: watch::Sender<u64>,
    of: Mutex<HashMap<String, watch::Sender<u64>>>,
}

impl Default for ChangeCounter {
    fn default() -> Self {
        Self {
            all: watch::Sender::new(0),
            of: Mutex::default(),
        }
    }
}

impl ChangeCounter {
    /// Counts a change of something that nobody follows by itself.
    pub(crate) fn count(&self) {
        self.all.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Counts a change of a device or job.
    pub(crate) fn count_of(&self, subject: &str) {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        // A thousand runs wait, and one of them has changed: the others sleep on.
        if let Some(counter) = of.get(subject) {
            counter.send_modify(|count| *count = count.wrapping_add(1));
            if counter.receiver_count() == 0 {
                of.remove(subject);
            }
        }
        drop(of);
        self.count();
    }

    pub(crate) fn follow(&self) -> watch::Receiver<u64> {
        self.all.subscribe()
    }

    /// Changes of one device or job from now on.
    pub(crate) fn follow_of(&self, subject: &str) -> ChangeWait {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        of.retain(|_, counter| counter.receiver_count() > 0);
        let counter = of.entry(subject.to_owned());
        ChangeWait(counter.or_insert_with(|| watch::Sender::new(0)).subscribe())
    }
}

/// The wait for a change. What comes between two waits is not missed.
pub(crate) struct ChangeWait(watch::Receiver<u64>);

impl ChangeWait {
    /// The number of changes so far. Only what comes later ends the next wait.
    pub(crate) fn seen(&mut self) -> u64 {
        *self.0.borrow_and_update()
    }

    /// Returns after a change, or after some seconds without one.
    pub(crate) async fn next(&mut self) {
        if let Ok(Err(_)) = tokio::time::timeout(LONGEST, self.0.changed()).await {
            // Whoever counted has forgotten this subject; it is looked at by time alone.
            tokio::time::sleep(LONGEST).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::ChangeCounter;

    #[tokio::test(start_paused = true)]
    async fn a_change_wakes_who_follows_it_and_time_wakes_the_others() {
        let counter = ChangeCounter::default();
        let (mut one, mut other) = (counter.follow_of("one"), counter.follow_of("other"));
        counter.count_of("one");
        let begun = tokio::time::Instant::now();
        one.next().await;
        assert_eq!(
            begun.elapsed(),
            Duration::ZERO,
            "what came before the wait counts"
        );
        other.next().await;
        assert!(begun.elapsed() >= Duration::from_secs(5));
        drop(one);
        counter.count_of("one");
        assert_eq!(
            counter.of.lock().expect("lock").len(),
            1,
            "nobody follows it now"
        );
    }
}
