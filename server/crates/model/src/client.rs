//! The client: one for the process.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use agent::ports::{Env, Model, ModelError, ModelEvent, ModelRequest};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use protocol::{Cost, Usage};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{RequestBuilder, Response, Url, redirect};

use crate::call::ModelCall;
use crate::catalogue::{Catalogue, ModelEntry};
use crate::env::SystemModelEnv;
use crate::failure::Failure;
use crate::key::ModelKey;
use crate::profile::Profile;
use crate::{AuthStyle, Error, ModelConfig, estimate, request, request::UsualThinking, tls};

/// The most bytes of an error's body that are read.
const MAX_ERROR_BYTES: usize = 64 << 10;
const ERROR_BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of a request that the API accepts.
const MAX_REQUEST_BYTES: usize = 32 << 20;
/// The least room for an answer with which a request is sent.
const LEAST_ANSWER: u64 = 256;

/// A client of the Messages API. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<ClientState>,
}

pub(crate) struct ClientState {
    http: reqwest::Client,
    base: Url,
    pub(crate) key: Option<ModelKey>,
    pub(crate) profile: &'static Profile,
    pub(crate) config: ModelConfig,
    pub(crate) first_byte_timeout: Duration,
    pub(crate) env: Arc<dyn Env>,
    catalogue: Catalogue,
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

impl Client {
    /// A client with the system's clock.
    pub fn new(config: ModelConfig, catalogue: Catalogue) -> Result<Self, Error> {
        Self::with_env(config, catalogue, Arc::new(SystemModelEnv))
    }

    /// A client with another clock and other chance.
    pub fn with_env(
        config: ModelConfig,
        catalogue: Catalogue,
        env: Arc<dyn Env>,
    ) -> Result<Self, Error> {
        let base = base_url(&config.base_url)?;
        let profile = config.profile.rules();
        let tls = tls::config(base.scheme() == "https").map_err(Error::Tls)?;
        let mut http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .default_headers(headers(&config, profile)?)
            .user_agent(concat!("jarvis/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(config.connect_timeout)
            .tcp_keepalive(Duration::from_secs(60))
            // Another address is another server: the key and the conversation stay here.
            .redirect(redirect::Policy::none());
        if is_loopback(&base) {
            http = http.no_proxy();
        } else if base.scheme() == "http" && config.key.is_some() {
            tracing::warn!("the model's key is sent unencrypted: the base URL is not https");
        }
        let first_byte_timeout = config
            .first_byte_timeout
            .unwrap_or(profile.first_byte_timeout);
        Ok(Self {
            inner: Arc::new(ClientState {
                http: http.build().map_err(Error::Http)?,
                base,
                key: config.key.clone(),
                profile,
                config,
                first_byte_timeout,
                env,
                catalogue,
                learned: RwLock::default(),
                windows: RwLock::default(),
                estimates: AtomicU64::default(),
            }),
        })
    }

    /// The entry of a model, from the catalogue or else from the vendor's list.
    pub fn model(&self, id: &str) -> Option<ModelEntry> {
        self.inner.entry(id)
    }

    /// True if figures of usage that the server leaves out are estimated.
    pub fn estimates_usage(&self) -> bool {
        self.inner.profile.estimates_usage
    }

    pub(crate) fn sends_cache_marks(&self) -> bool {
        self.inner.profile.cache_control
    }

    pub(crate) fn sends_unsigned_thinking(&self) -> bool {
        self.inner.profile.unsigned_thinking
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("config", &self.inner.config)
            .finish_non_exhaustive()
    }
}

impl Model for Client {
    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let inner = Arc::clone(&self.inner);
        if inner.profile.window.is_none() {
            return stream::unfold(inner.call(&request), ModelCall::next).boxed();
        }
        let call = async move {
            inner.learn_window(&request.model).await;
            inner.call(&request)
        };
        let calls = stream::once(call);
        calls
            .flat_map(|call| stream::unfold(call, ModelCall::next))
            .boxed()
    }

    fn cost(&self, model: &str, usage: &Usage) -> Option<Cost> {
        self.inner.entry(model)?.cost(usage)
    }
}

impl ClientState {
    /// The call of a request, or its failure if the model could not read the request whole.
    fn call(self: &Arc<Self>, request: &ModelRequest) -> ModelCall {
        let inner = Arc::clone(self);
        let mut entry = inner.entry(&request.model);
        let estimates = inner.profile.estimates_usage || inner.profile.window.is_some();
        let prompt = estimates.then(|| estimate::of_prompt(request));
        if let (Some(prompt), Some(entry)) = (prompt, entry.as_mut())
            && let Some(window) = entry.context_window
        {
            let least = LEAST_ANSWER.min(request.max_tokens.into());
            let room = window.saturating_sub(prompt);
            if room < least {
                return ModelCall::failed(inner, Failure::beyond_window(prompt, window));
            }
            let room = u32::try_from(room).unwrap_or(u32::MAX);
            entry.max_output = Some(entry.max_output.map_or(room, |most| most.min(room)));
        }
        let usual = UsualThinking {
            effort: inner.config.effort,
            tokens: inner.config.thinking_tokens,
        };
        let body = request::body(request, entry.as_ref(), usual, inner.profile);
        if body.len() > MAX_REQUEST_BYTES {
            return ModelCall::failed(inner, Failure::too_large(body.len()));
        }
        let prompt = prompt.filter(|_| inner.profile.estimates_usage);
        ModelCall::new(inner, body.into(), request.correlation.clone(), prompt)
    }

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

fn headers(config: &ModelConfig, profile: &Profile) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    headers.insert(
        "anthropic-version",
        HeaderValue::from_static(profile.version),
    );
    if let Some(key) = &config.key {
        match config.auth {
            AuthStyle::XApiKey => headers.insert("x-api-key", key.header("")?),
            AuthStyle::Bearer => headers.insert(AUTHORIZATION, key.header("Bearer ")?),
        };
    }
    Ok(headers)
}

/// The address that paths are appended to. Ends with a slash.
fn base_url(text: &str) -> Result<Url, Error> {
    let mut url = Url::parse(text.trim()).map_err(|_| Error::BaseUrl)?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(Error::BaseUrl);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::BaseUrlSecret);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(Error::BaseUrl);
    }
    let path = url.path().trim_end_matches('/');
    // Other vendors' base URLs end with it, and people copy them.
    let path = format!("{}/", path.strip_suffix("/v1").unwrap_or(path));
    url.set_path(&path);
    Ok(url)
}

/// A proxy cannot reach this machine's own servers.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls() {
        let check = |text: &str, expect: Option<&str>| {
            let url = base_url(text).ok().map(String::from);
            assert_eq!(url.as_deref(), expect, "{text}");
        };
        let vendor = Some("https://api.anthropic.com/");
        check("https://api.anthropic.com", vendor);
        check(" https://api.anthropic.com/v1/ ", vendor);
        check("http://127.0.0.1:11434", Some("http://127.0.0.1:11434/"));
        check(
            "https://gate.example/llm/v1",
            Some("https://gate.example/llm/"),
        );
        check("https://user:secret@gate.example", None);
        check("https://gate.example/?key=secret", None);
        check("ftp://gate.example", None);
        check("api.anthropic.com", None);
        check("", None);
    }

    #[test]
    fn the_key_shows_itself_nowhere() {
        let config = ModelConfig {
            base_url: "http://127.0.0.1:9".to_owned(),
            key: Some(ModelKey::new(" sk-secret\n").unwrap()),
            ..ModelConfig::default()
        };
        let client = Client::new(config, Catalogue::default()).unwrap();
        assert!(!format!("{client:?} {:?}", client.inner.http).contains("sk-secret"));
        for bad in ["", " ", "two words", "kéy", "line\nbreak"] {
            let error = ModelKey::new(bad).unwrap_err().to_string();
            assert_eq!(
                error,
                "the model's key must be visible ASCII without spaces"
            );
        }
    }

    #[test]
    fn tls_needs_no_default_provider() {
        assert!(tls::config(false).is_ok());
        if let Err(error) = tls::config(true) {
            let error = error.to_string();
            assert!(error.contains("No CA certificates"), "{error}");
        }
    }
}
