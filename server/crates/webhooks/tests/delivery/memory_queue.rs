//! A queue in memory, in which every pause is over at once.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicI64, Ordering},
};

use tokio::sync::Notify;
use webhooks::{Delivery, DeliveryQueue, DueDeliveries, QueueFault, Settlement};

/// The first second; each attempt has the next one.
pub(crate) const SECONDS: i64 = 1_700_000_000;

#[derive(Default)]
pub(crate) struct MemoryQueue {
    waiting: Mutex<Vec<Delivery>>,
    settled: Mutex<Vec<(String, Settlement)>>,
    attempts: AtomicI64,
    fails: AtomicBool,
    changed: Notify,
    failed: Notify,
}

impl MemoryQueue {
    pub(crate) fn with(deliveries: impl IntoIterator<Item = Delivery>) -> Arc<Self> {
        Arc::new(Self {
            waiting: Mutex::new(deliveries.into_iter().collect()),
            ..Self::default()
        })
    }

    /// Makes the next settlement fail.
    pub(crate) fn fail_next(&self) {
        self.fails.store(true, Ordering::Relaxed);
    }

    /// Waits for that.
    pub(crate) async fn has_failed(&self) {
        self.failed.notified().await;
    }

    /// Waits until so many attempts have been settled.
    pub(crate) async fn has_settled(&self, count: usize) {
        while self.settled.lock().unwrap().len() < count {
            self.changed.notified().await;
        }
    }

    pub(crate) fn settled(&self) -> Vec<(String, Settlement)> {
        self.settled.lock().unwrap().clone()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.lock().unwrap().is_empty()
    }
}

#[async_trait::async_trait]
impl DeliveryQueue for MemoryQueue {
    async fn due(&self, endpoint: &str, limit: usize) -> Result<DueDeliveries, QueueFault> {
        assert_eq!(endpoint, "chat");
        let waiting = self.waiting.lock().unwrap();
        let deliveries = waiting.iter().take(limit).cloned().collect();
        let next = None;
        Ok(DueDeliveries { deliveries, next })
    }

    async fn settle(
        &self,
        endpoint: &str,
        delivery: &Delivery,
        settlement: Settlement,
    ) -> Result<(), QueueFault> {
        assert_eq!(endpoint, "chat");
        if self.fails.swap(false, Ordering::Relaxed) {
            self.failed.notify_one();
            return Err(QueueFault("on purpose".to_owned()));
        }
        let mut waiting = self.waiting.lock().unwrap();
        waiting.retain(|it| it.message != delivery.message);
        if let Settlement::Retry { .. } = settlement {
            waiting.push(Delivery {
                failed: delivery.failed + 1,
                ..delivery.clone()
            });
        }
        drop(waiting);
        let mut settled = self.settled.lock().unwrap();
        settled.push((delivery.message.clone(), settlement));
        drop(settled);
        self.changed.notify_one();
        Ok(())
    }

    fn seconds(&self) -> i64 {
        SECONDS + self.attempts.fetch_add(1, Ordering::Relaxed)
    }

    /// No jitter.
    fn chance(&self) -> u32 {
        200
    }
}
