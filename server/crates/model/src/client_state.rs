//! State that the calls of a client share: the connection, the key, and what is known of models.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use agent::ports::Env;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{RequestBuilder, Response, Url};

use crate::ModelConfig;
use crate::catalogue::{Catalogue, ModelEntry};
use crate::failure::Failure;
use crate::key::ModelKey;
use crate::profile::Profile;

/// The most bytes of an error's body that are read.
const MAX_ERROR_BYTES: usize = 64 << 10;
const ERROR_BODY_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct ClientState {
    pub(crate) http: reqwest::Client,
    pub(crate) base: Url,
    pub(crate) key: Option<ModelKey>,
    pub(crate) profile: &'static Profile,
    pub(crate) config: ModelConfig,
    pub(crate) first_byte_timeout: Duration,
    pub(crate) env: Arc<dyn Env>,
    pub(crate) catalogue: Catalogue,
    /// Models that only the vendor's list knows.
    pub(crate) learned: RwLock<BTreeMap<String, ModelEntry>>,
    /// The context lengths that a local server states.
    pub(crate) windows: RwLock<BTreeMap<String, LearnedWindow>>,
    /// Answers whose usage was estimated.
    pub(crate) estimates: AtomicU64,
}

/// A server's statement of a model's context length, and the time for which it is used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LearnedWindow {
    pub(crate) tokens: Option<u64>,
    pub(crate) at: Instant,
    pub(crate) lasts: Duration,
}

impl ClientState {
    pub(crate) fn entry(&self, id: &str) -> Option<ModelEntry> {
        let known = self.catalogue.get(id).cloned();
        let known = known.or_else(|| {
            let learned = self.learned.read().unwrap_or_else(PoisonError::into_inner);
            learned.get(id).cloned()
        });
        let windows = self.windows.read().unwrap_or_else(PoisonError::into_inner);
        let Some(window) = windows.get(id).and_then(|stated| stated.tokens) else {
            return known;
        };
        // The server may run a model with less than it can, or than somebody configured.
        let mut entry = known.unwrap_or_default();
        entry.context_window = Some(entry.context_window.map_or(window, |most| most.min(window)));
        Some(entry)
    }

    pub(crate) fn is_in_catalogue(&self, id: &str) -> bool {
        self.catalogue.get(id).is_some()
    }

    pub(crate) fn messages(&self, body: bytes::Bytes) -> RequestBuilder {
        self.http
            .post(self.address("v1/messages"))
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(body)
    }

    pub(crate) fn models(&self, after: Option<&str>) -> RequestBuilder {
        let request = self
            .http
            .get(self.address("v1/models"))
            .query(&[("limit", "1000")]);
        match after {
            Some(after) => request.query(&[("after_id", after)]),
            None => request,
        }
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.http.get(self.address(path))
    }

    pub(crate) fn post_json(&self, path: &str, body: &serde_json::Value) -> RequestBuilder {
        self.http.post(self.address(path)).json(body)
    }

    fn address(&self, path: &str) -> Url {
        let mut address = self.base.clone();
        address.set_path(&format!("{}{path}", self.base.path()));
        address
    }

    /// One attempt: a response with a good status, or the failure.
    pub(crate) async fn attempt(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let limit = self.first_byte_timeout;
        let response = match tokio::time::timeout(limit, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(Failure::transport(&error)),
            Err(_) => return Err(Failure::silence(limit)),
        };
        if response.status().is_success() {
            return Ok(response);
        }
        let (status, headers) = (response.status(), response.headers().clone());
        let body = read_some(response, MAX_ERROR_BYTES).await;
        Err(Failure::response(
            status,
            &headers,
            &body,
            self.key.as_ref(),
        ))
    }

    /// A response that should have been an event stream.
    pub(crate) async fn not_a_stream(&self, response: Response) -> Failure {
        let (status, headers) = (response.status(), response.headers().clone());
        let body = read_some(response, MAX_ERROR_BYTES).await;
        Failure::not_a_stream(status, &headers, &body, self.key.as_ref())
    }
}

/// The part of a body that comes in time and fits: an error's body only adds words to its status.
pub(crate) async fn read_some(mut response: Response, limit: usize) -> String {
    let mut body = Vec::new();
    let read = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() >= limit {
                break;
            }
        }
    };
    if tokio::time::timeout(ERROR_BODY_TIMEOUT, read)
        .await
        .is_err()
    {
        tracing::debug!("the body of a response did not end in time");
    }
    body.truncate(limit);
    String::from_utf8_lossy(&body).into_owned()
}
