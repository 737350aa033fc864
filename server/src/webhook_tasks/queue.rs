//! The queue of the store, for the workers.

use std::{sync::Arc, time::Duration};

use agent::ports::Env;
use async_trait::async_trait;
use protocol::{NoticeId, Timestamp};
use store::{DeliveryEnd, EndpointChange, EndpointTrouble, Store};
use webhooks::{Delivery, DeliveryQueue, DueDeliveries, FailedAttempt, QueueFault, Settlement};

use crate::{metrics::Metrics, texts};

/// The status of an endpoint that wants no more messages.
const GONE: u16 = 410;

/// The stored messages of all endpoints.
pub(super) struct StoredQueue {
    pub(super) store: Store,
    pub(super) env: Arc<dyn Env>,
    pub(super) metrics: Metrics,
}

#[async_trait]
impl DeliveryQueue for StoredQueue {
    async fn due(&self, endpoint: &str, limit: usize) -> Result<DueDeliveries, QueueFault> {
        let now = self.env.now();
        let due = self.store.due_webhooks(endpoint, now, limit).await;
        let due = due.map_err(fault)?;
        let deliveries = due.deliveries.into_iter().map(|stored| Delivery {
            message: stored.message,
            body: stored.body,
            failed: stored.failed,
        });
        let until = |next: Timestamp| {
            let wait = u64::try_from(next.0.saturating_sub(now.0));
            Duration::from_millis(wait.unwrap_or_default())
        };
        Ok(DueDeliveries {
            deliveries: deliveries.collect(),
            next: due.next.map(until),
        })
    }

    async fn settle(
        &self,
        endpoint: &str,
        delivery: &Delivery,
        settlement: Settlement,
    ) -> Result<(), QueueFault> {
        let now = self.env.now();
        let (end, outcome, why) = match settlement {
            Settlement::Delivered => (DeliveryEnd::Delivered, "delivered", None),
            Settlement::Retry { after, why } => {
                let after = i64::try_from(after.as_millis()).unwrap_or(i64::MAX);
                let due = Timestamp(now.0.saturating_add(after));
                (DeliveryEnd::Retry { due }, "failed", Some(why))
            }
            Settlement::GivenUp { why } => (DeliveryEnd::GivenUp, "given_up", Some(why)),
            Settlement::Gone => (DeliveryEnd::Gone, "gone", Some(FailedAttempt::Status(GONE))),
        };
        let why = why.map(tracing::field::display);
        let trouble = EndpointTrouble {
            id: NoticeId::new(now, self.env.random()),
            about: texts::webhooks::about(endpoint),
            text: match settlement {
                Settlement::Gone => texts::webhooks::wants_no_more(endpoint),
                _ => texts::webhooks::fails_for_days(endpoint),
            },
        };
        let message = &delivery.message;
        let settled = self
            .store
            .settle_webhook(endpoint, message, end, now, trouble);
        let change = settled.await.map_err(fault)?;
        self.metrics.webhook(outcome);
        // One line for an outage, not one for each attempt.
        match change {
            EndpointChange::None => {}
            EndpointChange::Failing => tracing::warn!(endpoint, why, "a webhook began to fail"),
            EndpointChange::Recovered => tracing::info!(endpoint, "a webhook works again"),
            EndpointChange::Disabled => tracing::warn!(endpoint, why, "a webhook was disabled"),
        }
        Ok(())
    }

    fn seconds(&self) -> i64 {
        self.env.now().0.div_euclid(1000)
    }

    fn chance(&self) -> u32 {
        u32::try_from(self.env.random() >> 96).unwrap_or_default()
    }
}

fn fault(error: store::Error) -> QueueFault {
    QueueFault(error.to_string())
}
