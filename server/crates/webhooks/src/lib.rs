#![doc = include_str!("../README.md")]

mod attempt;
mod backoff;
mod endpoint;
mod queue;
mod sender;
mod signature;
mod worker;

pub use attempt::{DeliveryAttempt, FailedAttempt};
pub use backoff::delay_after;
pub use endpoint::{EndpointUrl, UrlFault, WebhookEndpoint};
pub use queue::{Delivery, DeliveryQueue, DueDeliveries, QueueFault, Settlement};
pub use sender::{SenderFault, SenderLimits, WebhookSender};
pub use signature::{SecretFault, SigningSecrets};
pub use worker::DeliveryWorker;
