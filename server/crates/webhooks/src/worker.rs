//! The worker of one endpoint: sends what is due, a few messages at a time.

use std::{sync::Arc, time::Duration};

use futures::future::join_all;
use tokio::{sync::Notify, time::sleep};

use crate::{
    attempt::DeliveryAttempt,
    backoff::delay_after,
    queue::{Delivery, DeliveryQueue, QueueFault, Settlement},
    sender::WebhookSender,
};

/// Messages that are under way to an endpoint at the same time.
const TOGETHER: usize = 4;
/// The longest pause between two looks at the queue: the clock may have been set.
const LONGEST: Duration = Duration::from_secs(10 * 60);
/// Pause after the queue has failed.
const REST: Duration = Duration::from_secs(5);

/// Empties the queue of one endpoint.
pub struct DeliveryWorker {
    sender: WebhookSender,
    queue: Arc<dyn DeliveryQueue>,
    wake: Arc<Notify>,
}

/// One look at the queue.
enum WorkRound {
    Sent,
    /// Nothing was due; the next message is, after this time.
    Idle(Option<Duration>),
}

impl DeliveryWorker {
    /// A worker that looks at the queue whenever `wake` is notified, and when a message is due again.
    pub fn new(sender: WebhookSender, queue: Arc<dyn DeliveryQueue>, wake: Arc<Notify>) -> Self {
        Self {
            sender,
            queue,
            wake,
        }
    }

    /// Runs until it is dropped. An attempt that is broken off is not settled, and made again later.
    pub async fn run(self) {
        loop {
            let pause = match self.round().await {
                Ok(WorkRound::Sent) => continue,
                Ok(WorkRound::Idle(next)) => next.unwrap_or(LONGEST).min(LONGEST),
                Err(error) => {
                    let endpoint = self.sender.name();
                    tracing::error!(endpoint, %error, "the queue of a webhook failed");
                    sleep(REST).await;
                    continue;
                }
            };
            tokio::select! {
                () = self.wake.notified() => {}
                () = sleep(pause) => {}
            }
        }
    }

    async fn round(&self) -> Result<WorkRound, QueueFault> {
        let due = self.queue.due(self.sender.name(), TOGETHER).await?;
        if due.deliveries.is_empty() {
            return Ok(WorkRound::Idle(due.next));
        }
        let mut attempts = Vec::with_capacity(due.deliveries.len());
        for delivery in &due.deliveries {
            attempts.push(self.deliver(delivery));
        }
        for settled in join_all(attempts).await {
            settled?;
        }
        Ok(WorkRound::Sent)
    }

    async fn deliver(&self, delivery: &Delivery) -> Result<(), QueueFault> {
        let endpoint = self.sender.name();
        let attempt = self.sender.send(delivery, self.queue.seconds()).await;
        let settlement = match attempt {
            DeliveryAttempt::Delivered => Settlement::Delivered,
            DeliveryAttempt::Gone => Settlement::Gone,
            DeliveryAttempt::Failed(why) => {
                let failed = delivery.failed.saturating_add(1);
                let webhook = &delivery.message;
                tracing::debug!(endpoint, webhook, failed, %why, "webhook not delivered");
                let after = delay_after(failed, self.queue.chance());
                match after {
                    Some(after) => Settlement::Retry { after, why },
                    None => Settlement::GivenUp { why },
                }
            }
        };
        self.queue.settle(endpoint, delivery, settlement).await
    }
}
