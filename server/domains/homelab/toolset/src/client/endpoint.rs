//! Endpoint: one node's API with its connection pool, TLS trust and single requests.

use std::time::Duration;

use reqwest::{
    Method, RequestBuilder, Url,
    header::{HeaderMap, HeaderValue},
};
use serde_json::Value;

use super::{response, tls};
use crate::{
    Config, HomelabError, config,
    error::{ProxmoxError, WriteError},
    texts,
};

/// Far above any list of a homelab, and harmless for memory.
const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct EndpointState {
    /// `host:port`, for messages.
    name: String,
    base: Url,
    http: reqwest::Client,
    /// Client that opens a connection for each request: with a pooled connection that has died
    /// meanwhile, it would be unknown whether a write had arrived.
    writes: reqwest::Client,
    timeout: Duration,
}

impl EndpointState {
    pub(super) fn new(
        endpoint: &config::EndpointConfig,
        config: &Config,
    ) -> Result<Self, HomelabError> {
        let base = endpoint.base()?;
        let pins = endpoint.pins()?;
        let tls = tls::trust(pins, config.ca_file.as_deref())?;
        let builder = || {
            reqwest::Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .https_only(true)
                // Proxmox VE supports nothing newer and answers 506 to it.
                .http1_only()
                .redirect(reqwest::redirect::Policy::none())
                // The cluster is on the operator's own network, not behind a proxy for the web.
                .no_proxy()
                .connect_timeout(Duration::from_millis(config.connect_timeout_ms))
        };
        Ok(Self {
            name: format!(
                "{}:{}",
                base.host_str().unwrap_or_default(),
                base.port_or_known_default().unwrap_or_default()
            ),
            base,
            http: builder().build()?,
            writes: builder()
                .pool_max_idle_per_host(0)
                .retry(reqwest::retry::never())
                .build()?,
            timeout: Duration::from_millis(config.request_timeout_ms),
        })
    }

    /// Reads a path below `/api2/json`.
    pub(super) async fn get(
        &self,
        path: &[&str],
        query: &[(&str, String)],
        headers: HeaderMap<HeaderValue>,
    ) -> Result<Value, ProxmoxError> {
        let mut url = self.url(path)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let request = self.http.request(Method::GET, url).headers(headers);
        self.read(request).await
    }

    /// Posts a form that changes nothing.
    pub(super) async fn post(
        &self,
        path: &[&str],
        form: &[(&str, &str)],
    ) -> Result<Value, ProxmoxError> {
        let url = self.url(path)?;
        self.read(self.http.request(Method::POST, url).form(form))
            .await
    }

    /// Posts a form that changes something.
    pub(super) async fn write(
        &self,
        path: &[&str],
        form: &[(&str, &str)],
        headers: HeaderMap<HeaderValue>,
    ) -> Result<Value, WriteError> {
        let url = self.url(path).map_err(WriteError::Refused)?;
        let request = self.writes.request(Method::POST, url);
        self.send(request.headers(headers).form(form), self.timeout * 3)
            .await
    }

    async fn read(&self, request: RequestBuilder) -> Result<Value, ProxmoxError> {
        self.send(request, self.timeout)
            .await
            .map_err(WriteError::into_inner)
    }

    /// Builds the URL with every segment percent-encoded, so that no name can escape its segment.
    fn url(&self, path: &[&str]) -> Result<Url, ProxmoxError> {
        if path.iter().any(|part| matches!(*part, "." | ".." | "")) {
            return Err(self.protocol(texts::client::INVALID_PATH_SEGMENT));
        }
        let mut url = self.base.clone();
        match url.path_segments_mut() {
            Ok(mut segments) => {
                segments.clear().extend(["api2", "json"]).extend(path);
            }
            Err(()) => return Err(self.protocol(texts::client::ADDRESS_HAS_NO_PATH)),
        }
        Ok(url)
    }

    async fn send(&self, request: RequestBuilder, timeout: Duration) -> Result<Value, WriteError> {
        let mut response = request.timeout(timeout).send().await.map_err(|error| {
            let unsent = error.is_connect() || error.is_builder() || tls::refusal(&error).is_some();
            let error = self.failure(&error, timeout);
            if unsent {
                WriteError::Refused(error)
            } else {
                WriteError::Lost(error)
            }
        })?;
        let status = response.status().as_u16();
        let reason = response
            .extensions()
            .get::<hyper::ext::ReasonPhrase>()
            .cloned();
        let mut body = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| WriteError::by_status(status, self.failure(&error, timeout)))?
        {
            if body.len() + chunk.len() > MAX_BODY_BYTES {
                let error = self.protocol(&texts::client::more_than_bytes(MAX_BODY_BYTES));
                return Err(WriteError::by_status(status, error));
            }
            body.extend_from_slice(&chunk);
        }
        response::read(&response::ApiAnswer {
            endpoint: &self.name,
            status,
            reason: reason.as_ref().map(hyper::ext::ReasonPhrase::as_bytes),
            body: &body,
        })
        .map_err(|error| WriteError::by_status(status, error))
    }

    fn failure(&self, error: &reqwest::Error, timeout: Duration) -> ProxmoxError {
        tracing::debug!(endpoint = self.name, ?error, "request failed");
        if let Some(message) = tls::refusal(error) {
            tracing::warn!(endpoint = self.name, %message, "certificate refused, nothing was sent");
            return ProxmoxError::Untrusted {
                endpoint: self.name.clone(),
                message,
            };
        }
        if error.is_timeout() && !error.is_connect() {
            return ProxmoxError::Timeout {
                endpoint: self.name.clone(),
                after: timeout,
            };
        }
        ProxmoxError::Unreachable {
            endpoint: self.name.clone(),
            message: cause(error).to_owned(),
        }
    }

    fn protocol(&self, message: &str) -> ProxmoxError {
        ProxmoxError::Protocol {
            endpoint: self.name.clone(),
            message: message.to_owned(),
        }
    }
}

/// The cause of a failed connection in our words; the libraries' messages name their internals.
fn cause(error: &reqwest::Error) -> &'static str {
    if pinned_trust::is_of_tls(error) {
        return texts::client::TLS_WITH_IT_IS_NOT_POSSIBLE;
    }
    if let Some(cause) = agent::cause::of_connection(error) {
        return cause;
    }
    if error.is_timeout() {
        texts::client::CONNECTION_TIMED_OUT
    } else if error.is_connect() {
        texts::client::CONNECTION_FAILED
    } else {
        texts::client::CONNECTION_WAS_CLOSED_BEFORE_END
    }
}
