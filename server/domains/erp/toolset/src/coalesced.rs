//! A value that is read once for everyone who asks at the same time, and kept for a while.

use std::time::Duration;

use tokio::{sync::Mutex, time::Instant};

use crate::error::ErpError;

/// Time for which a failure is shared: many calls at once must not knock many times.
const FAILURE: Duration = Duration::from_secs(2);

/// The slot of one value.
pub(crate) struct Coalesced<T> {
    kept: Mutex<Option<KeptValue<T>>>,
}

struct KeptValue<T> {
    at: Instant,
    value: Result<T, ErpError>,
}

impl<T> Default for Coalesced<T> {
    fn default() -> Self {
        Self {
            kept: Mutex::new(None),
        }
    }
}

impl<T: Clone> Coalesced<T> {
    /// The value, read anew if it is older than `lifetime`.
    pub(crate) async fn get(
        &self,
        lifetime: Duration,
        read: impl Future<Output = Result<T, ErpError>>,
    ) -> Result<T, ErpError> {
        // The lock is held while reading, so that the others wait for this one answer.
        let mut kept = self.kept.lock().await;
        if let Some(kept) = &*kept {
            let lifetime = match &kept.value {
                Ok(_) => lifetime,
                Err(_) => FAILURE.min(lifetime),
            };
            if kept.at.elapsed() < lifetime {
                return kept.value.clone();
            }
        }
        let value = read.await;
        *kept = Some(KeptValue {
            at: Instant::now(),
            value: value.clone(),
        });
        value
    }

    /// The value as it was read last, without waiting.
    pub(crate) fn peek(&self) -> Option<Result<T, ErpError>> {
        let kept = self.kept.try_lock().ok()?;
        kept.as_ref().map(|kept| kept.value.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_read_serves_all_until_it_is_old() {
        let slot = Coalesced::default();
        let reads = AtomicUsize::new(0);
        let read = || async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Ok(reads.fetch_add(1, Ordering::Relaxed))
        };
        let lifetime = Duration::from_secs(300);
        let (a, b) = tokio::join!(slot.get(lifetime, read()), slot.get(lifetime, read()));
        assert_eq!((a, b), (Ok(0), Ok(0)));
        tokio::time::advance(Duration::from_secs(301)).await;
        assert_eq!(slot.get(lifetime, read()).await, Ok(1));
        assert_eq!(slot.peek(), Some(Ok(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_is_shared_for_a_moment_only() {
        let slot = Coalesced::default();
        let lifetime = Duration::from_secs(300);
        let failed = || async { Err::<usize, _>(ErpError::input("no")) };
        assert!(slot.get(lifetime, failed()).await.is_err());
        assert!(slot.get(lifetime, async { Ok(1) }).await.is_err());
        tokio::time::advance(FAILURE).await;
        assert_eq!(slot.get(lifetime, async { Ok(1) }).await, Ok(1));
    }
}
