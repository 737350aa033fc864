//! One attempt to deliver a message.

use std::{sync::Arc, time::Duration};

use reqwest::{Client, StatusCode, header::CONTENT_TYPE, redirect::Policy};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt as _;

use crate::{
    attempt::{DeliveryAttempt, FailedAttempt},
    endpoint::WebhookEndpoint,
    queue::Delivery,
};

/// Time that an attempt may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SenderLimits {
    pub connect: Duration,
    /// Until the head of the answer is there, with the connection.
    pub total: Duration,
}

impl Default for SenderLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            total: Duration::from_secs(20),
        }
    }
}

/// Sends messages to one endpoint.
#[derive(Debug)]
pub struct WebhookSender {
    endpoint: WebhookEndpoint,
    client: Client,
}

/// Connections cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum SenderFault {
    #[error("the system's certificates cannot be read: {0}")]
    Certificates(rustls::Error),
    #[error("connections cannot be prepared: {0}")]
    Client(reqwest::Error),
}

impl WebhookSender {
    /// A sender with connections of its own, so that no endpoint waits for another.
    ///
    /// # Errors
    /// Connections cannot be prepared.
    pub fn new(endpoint: WebhookEndpoint, limits: SenderLimits) -> Result<Self, SenderFault> {
        let tls = tls(endpoint.url.is_encrypted()).map_err(SenderFault::Certificates)?;
        let mut client = Client::builder()
            .tls_backend_preconfigured(tls)
            .user_agent(concat!("jarvis/", env!("CARGO_PKG_VERSION")))
            // Another address would get what was meant for this one, and may be one that only this
            // machine reaches.
            .redirect(Policy::none())
            .connect_timeout(limits.connect)
            .timeout(limits.total);
        if endpoint.url.is_local() {
            client = client.no_proxy();
        }
        Ok(Self {
            client: client.build().map_err(SenderFault::Client)?,
            endpoint,
        })
    }

    /// The name of the endpoint.
    pub fn name(&self) -> &str {
        &self.endpoint.name
    }

    /// Sends a message once, at this second.
    pub async fn send(&self, delivery: &Delivery, seconds: i64) -> DeliveryAttempt {
        let Delivery { message, body, .. } = delivery;
        let signature = self.endpoint.secrets.sign(message, seconds, body);
        let request = self
            .client
            .post(self.endpoint.url.url().clone())
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", message)
            .header("webhook-timestamp", seconds.to_string())
            .header("webhook-signature", signature)
            .body(body.clone());
        // The body of the answer is not read: dropping the answer closes a connection on which more would
        // come.
        match request.send().await {
            Ok(answer) => of_status(answer.status()),
            Err(error) if error.is_timeout() => DeliveryAttempt::Failed(FailedAttempt::Timeout),
            Err(error) if error.is_connect() => DeliveryAttempt::Failed(FailedAttempt::Connection),
            Err(_) => DeliveryAttempt::Failed(FailedAttempt::Answer),
        }
    }
}

fn of_status(status: StatusCode) -> DeliveryAttempt {
    match status {
        StatusCode::GONE => DeliveryAttempt::Gone,
        status if status.is_success() => DeliveryAttempt::Delivered,
        status => DeliveryAttempt::Failed(FailedAttempt::Status(status.as_u16())),
    }
}

/// TLS with its own provider, trusting the system's certificates. Where it is not used, nobody is trusted:
/// a system without certificates can still reach a receiver on its own network.
fn tls(used: bool) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?;
    let builder = if used {
        builder.with_platform_verifier()?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    Ok(builder.with_no_client_auth())
}
