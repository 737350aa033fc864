//! The queue of finished spans, and the task that sends them.

use std::{future::Future, pin::pin, sync::Arc, time::Duration};

use reqwest::{Client, header::CONTENT_TYPE, redirect::Policy};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt as _;
use serde_json::Value;
use tokio::{sync::mpsc, time::sleep};

use crate::{
    collector::{CollectorHeaders, CollectorUrl},
    encode::{self, Resource},
    span::FinishedSpan,
};

/// The most bytes of an answer that are read: it says how many spans were refused.
const MAX_ANSWER: usize = 16 * 1024;

/// The end of spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanOutcome {
    Sent,
    /// The queue was full, or the receiver did not take them.
    Dropped,
}

/// Counts spans by their end.
pub type SpanCount = Arc<dyn Fn(SpanOutcome, u64) + Send + Sync>;

/// The sizes and times of an exporter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExporterLimits {
    /// Spans that wait.
    pub queue: usize,
    /// Spans of one request.
    pub batch: usize,
    /// Time in which a batch fills up.
    pub linger: Duration,
    /// Time of an attempt, with its connection.
    pub attempt: Duration,
    /// Attempts for a batch, and the pause after the first; each next one is twice as long.
    pub attempts: u32,
    pub pause: Duration,
}

impl Default for ExporterLimits {
    fn default() -> Self {
        Self {
            queue: 2048,
            batch: 256,
            linger: Duration::from_secs(1),
            attempt: Duration::from_secs(10),
            attempts: 4,
            pause: Duration::from_secs(1),
        }
    }
}

/// The receiver, and the name under which it gets spans.
#[derive(Debug, Clone)]
pub struct ExporterConfig {
    pub collector: CollectorUrl,
    pub headers: CollectorHeaders,
    pub service: String,
    pub version: &'static str,
    pub limits: ExporterLimits,
}

/// Connections cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum ExporterFault {
    #[error("the system's certificates cannot be read: {0}")]
    Certificates(rustls::Error),
    #[error("connections cannot be prepared: {0}")]
    Client(reqwest::Error),
}

/// Takes finished spans. Clones share the queue.
#[derive(Clone)]
pub struct SpanQueue {
    spans: mpsc::Sender<FinishedSpan>,
    count: SpanCount,
}

impl SpanQueue {
    /// Queues a span, or drops it if the queue is full. Never waits.
    pub fn push(&self, span: FinishedSpan) {
        if self.spans.try_send(span).is_err() {
            (self.count)(SpanOutcome::Dropped, 1);
        }
    }
}

/// Sends the spans of a queue, see [`SpanExporter::run`].
pub struct SpanExporter {
    spans: mpsc::Receiver<FinishedSpan>,
    client: Client,
    collector: CollectorUrl,
    resource: Resource,
    limits: ExporterLimits,
    count: SpanCount,
    /// The receiver did not take the newest request; said once.
    is_away: bool,
}

/// The reason why an attempt failed. Nothing that the other side made up is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum AttemptFault {
    #[error("status {0}")]
    Status(u16),
    #[error("no answer in time")]
    Timeout,
    #[error("no connection")]
    Connection,
    #[error("no answer that can be read")]
    Answer,
}

impl AttemptFault {
    /// True if the same request may be taken later, as the specification lists it.
    fn may_pass(self) -> bool {
        match self {
            Self::Status(status) => matches!(status, 429 | 502 | 503 | 504),
            Self::Timeout | Self::Connection | Self::Answer => true,
        }
    }
}

/// Prepares an exporter and its queue.
///
/// # Errors
/// Connections cannot be prepared.
pub fn exporter(
    config: ExporterConfig,
    count: SpanCount,
) -> Result<(SpanQueue, SpanExporter), ExporterFault> {
    let tls = tls(config.collector.is_encrypted()).map_err(ExporterFault::Certificates)?;
    let mut client = Client::builder()
        .tls_backend_preconfigured(tls)
        .user_agent(concat!("jarvis/", env!("CARGO_PKG_VERSION")))
        .default_headers(config.headers.0)
        // Another address would get the headers.
        .redirect(Policy::none())
        .timeout(config.limits.attempt);
    if config.collector.is_local() {
        client = client.no_proxy();
    }
    let client = client.build().map_err(ExporterFault::Client)?;
    let (sender, spans) = mpsc::channel(config.limits.queue.max(1));
    let queue = SpanQueue {
        spans: sender,
        count: Arc::clone(&count),
    };
    let exporter = SpanExporter {
        spans,
        client,
        collector: config.collector,
        resource: Resource {
            service: config.service,
            version: config.version,
        },
        limits: config.limits,
        count,
        is_away: false,
    };
    Ok((queue, exporter))
}

impl SpanExporter {
    /// Sends spans until `stop`, and then what is queued, with one attempt for each batch.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        let mut stop = pin!(stop);
        let mut batch = Vec::new();
        loop {
            tokio::select! {
                () = &mut stop => break,
                count = self.spans.recv_many(&mut batch, self.limits.batch) => {
                    if count == 0 {
                        return;
                    }
                }
            }
            if batch.len() < self.limits.batch {
                tokio::select! {
                    () = &mut stop => break,
                    () = sleep(self.limits.linger) => self.fill(&mut batch),
                }
            }
            tokio::select! {
                () = &mut stop => break,
                () = self.deliver(&batch) => batch.clear(),
            }
        }
        // An attempt that was broken off is made again: the receiver knows a span by its id.
        self.limits.attempts = 1;
        loop {
            self.fill(&mut batch);
            if batch.is_empty() {
                return;
            }
            self.deliver(&batch).await;
            batch.clear();
            if self.is_away {
                // The server does not stop later for it.
                while self.spans.try_recv().is_ok() {
                    self.counted(SpanOutcome::Dropped, 1);
                }
                return;
            }
        }
    }

    fn fill(&mut self, batch: &mut Vec<FinishedSpan>) {
        while batch.len() < self.limits.batch
            && let Ok(span) = self.spans.try_recv()
        {
            batch.push(span);
        }
    }

    /// Sends a batch, or gives it up after some attempts.
    async fn deliver(&mut self, batch: &[FinishedSpan]) {
        let body = encode::request(&self.resource, batch);
        let all = batch.len() as u64;
        let mut pause = self.limits.pause;
        let mut attempt = 1;
        loop {
            let fault = match self.post(body.clone()).await {
                Ok(refused) => {
                    if std::mem::take(&mut self.is_away) {
                        tracing::info!("the receiver of traces takes them again");
                    }
                    let refused = refused.min(all);
                    self.counted(SpanOutcome::Sent, all - refused);
                    self.counted(SpanOutcome::Dropped, refused);
                    return;
                }
                Err(fault) => fault,
            };
            if !std::mem::replace(&mut self.is_away, true) {
                tracing::warn!(%fault, "the receiver of traces takes none, they are dropped");
            }
            if !fault.may_pass() || attempt >= self.limits.attempts {
                self.counted(SpanOutcome::Dropped, all);
                return;
            }
            sleep(pause).await;
            pause *= 2;
            attempt += 1;
        }
    }

    fn counted(&self, outcome: SpanOutcome, spans: u64) {
        if spans > 0 {
            (self.count)(outcome, spans);
        }
    }

    /// Makes one attempt. Returns the number of spans that the receiver has refused.
    async fn post(&self, body: String) -> Result<u64, AttemptFault> {
        let request = self
            .client
            .post(self.collector.url().clone())
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        let mut answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) if error.is_timeout() => return Err(AttemptFault::Timeout),
            Err(error) if error.is_connect() => return Err(AttemptFault::Connection),
            Err(_) => return Err(AttemptFault::Answer),
        };
        if !answer.status().is_success() {
            return Err(AttemptFault::Status(answer.status().as_u16()));
        }
        let mut text = Vec::new();
        // It has the spans: what it says then is read as far as it goes.
        while let Ok(Some(chunk)) = answer.chunk().await {
            if text.len() + chunk.len() > MAX_ANSWER {
                return Ok(0);
            }
            text.extend_from_slice(&chunk);
        }
        Ok(refused(&text))
    }
}

/// The number of refused spans in an answer, which is a text in JSON, or a number.
fn refused(answer: &[u8]) -> u64 {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    let refused = &answer["partialSuccess"]["rejectedSpans"];
    let text = refused.as_str().and_then(|text| text.parse().ok());
    text.or_else(|| refused.as_u64()).unwrap_or_default()
}

/// TLS with its own provider, trusting the system's certificates. Where it is not used, nobody is trusted.
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
