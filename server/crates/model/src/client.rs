//! The client: one for the process.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use agent::ports::{Env, Model, ModelError, ModelEvent, ModelRequest};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use protocol::{Cost, Usage};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Url, redirect};

use crate::call::ModelCall;
use crate::catalogue::{Catalogue, ModelEntry};
use crate::client_state::ClientState;
use crate::env::SystemModelEnv;
use crate::failure::Failure;
use crate::profile::Profile;
use crate::{AuthStyle, Error, ModelConfig, estimate, request, request::UsualThinking, tls};

/// The most bytes of a request that the API accepts.
const MAX_REQUEST_BYTES: usize = 32 << 20;
/// The least room for an answer with which a request is sent.
const LEAST_ANSWER: u64 = 256;

/// A client of the Messages API. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<ClientState>,
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
            return stream::unfold(call(inner, &request), ModelCall::next).boxed();
        }
        let asked = async move {
            inner.learn_window(&request.model).await;
            call(inner, &request)
        };
        let calls = stream::once(asked);
        calls
            .flat_map(|call| stream::unfold(call, ModelCall::next))
            .boxed()
    }

    fn cost(&self, model: &str, usage: &Usage) -> Option<Cost> {
        self.inner.entry(model)?.cost(usage)
    }
}

/// The call of a request, or its failure if the model could not read the request whole.
fn call(inner: Arc<ClientState>, request: &ModelRequest) -> ModelCall {
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
    use crate::ModelKey;

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
