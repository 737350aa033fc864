//! Requests over HTTPS: no redirects, bounded answers, the server's time out of each.

use std::{path::Path, time::Duration};

use reqwest::{
    Certificate, Client, Method, Url,
    header::{AUTHORIZATION, CONTENT_TYPE},
    redirect::Policy,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::error::RunnerError;

/// Path below the server's address.
const BASE: &str = "api/v1/device/";
/// Bytes of an answer at most.
const MOST_ANSWER: usize = 512 * 1024;
/// Longest time for a request.
const PATIENCE: Duration = Duration::from_secs(15);

/// A client with the server's address.
#[derive(Debug, Clone)]
pub struct ApiClient {
    client: Client,
    base: Url,
}

/// One request, which can be sent again as it is.
#[derive(Debug, Clone)]
pub struct ApiRequest {
    method: Method,
    path: String,
    body: Vec<u8>,
    kind: &'static str,
    claim: Option<String>,
    patience: Duration,
}

/// An answer, whatever its status.
#[derive(Debug)]
pub struct LinkAnswer {
    pub status: u16,
    body: Vec<u8>,
    /// The server's time in milliseconds.
    pub time_ms: Option<u64>,
}

/// The one shape of a refusal.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ApiProblem {
    #[serde(default)]
    pub(super) code: String,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) right: Option<OffsetMember>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct OffsetMember {
    pub(super) offset: u64,
}

impl ApiRequest {
    pub fn get(path: impl Into<String>) -> Self {
        Self::with(Method::GET, path.into(), Vec::new(), "application/json")
    }

    pub fn post(path: impl Into<String>, body: &Value) -> Self {
        Self::with(
            Method::POST,
            path.into(),
            body.to_string().into_bytes(),
            "application/json",
        )
    }

    pub fn put(path: impl Into<String>, body: &Value) -> Self {
        Self::with(
            Method::PUT,
            path.into(),
            body.to_string().into_bytes(),
            "application/json",
        )
    }

    /// Bytes of a log or section.
    pub fn chunk(path: String, bytes: &[u8]) -> Self {
        Self::with(
            Method::PUT,
            path,
            bytes.to_vec(),
            "application/octet-stream",
        )
    }

    fn with(method: Method, path: String, body: Vec<u8>, kind: &'static str) -> Self {
        Self {
            method,
            path,
            body,
            kind,
            claim: None,
            patience: PATIENCE,
        }
    }

    pub(super) fn with_claim(mut self, claim: &str) -> Self {
        self.claim = Some(claim.to_owned());
        self
    }

    /// Waits so much longer: the server holds a claim until there is work.
    pub(super) fn waiting(mut self, seconds: u32) -> Self {
        self.patience += Duration::from_secs(seconds.into());
        self
    }
}

impl LinkAnswer {
    /// Reads what came with 200.
    ///
    /// # Errors
    /// If the server refused, or the answer has another form.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, RunnerError> {
        if self.status != 200 {
            return Err(self.refused());
        }
        serde_json::from_slice(&self.body).map_err(|_| RunnerError::Answer("JSON"))
    }

    /// The bytes of a document that came with 200.
    ///
    /// # Errors
    /// If the server refused.
    pub fn document(&self) -> Result<&[u8], RunnerError> {
        match self.status {
            200 => Ok(&self.body),
            _ => Err(self.refused()),
        }
    }

    pub(super) fn problem(&self) -> ApiProblem {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub(crate) fn refused(&self) -> RunnerError {
        let problem = self.problem();
        RunnerError::Server {
            status: self.status,
            server_code: problem
                .code
                .chars()
                .filter(char::is_ascii_graphic)
                .take(64)
                .collect(),
            message: problem.message.chars().take(300).collect(),
        }
    }
}

impl ApiClient {
    /// # Errors
    /// If the address is not https, but for this machine itself, or the CA file is none.
    pub fn new(url: &str, ca_file: Option<&Path>) -> Result<Self, RunnerError> {
        let mut base = Url::parse(url).map_err(|_| RunnerError::Address)?;
        let local = matches!(base.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
        let plain = base.username().is_empty() && base.password().is_none();
        if !plain || !(base.scheme() == "https" || base.scheme() == "http" && local) {
            return Err(RunnerError::Address);
        }
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        base.set_query(None);
        // The one provider of this program; a second call changes nothing.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .redirect(Policy::none())
            .user_agent(concat!("jarvis-runner/", env!("CARGO_PKG_VERSION")));
        if let Some(path) = ca_file {
            let bytes = crate::files::read(path).map_err(RunnerError::file(path))?;
            let bad = |reason: String| RunnerError::Config {
                path: path.to_owned(),
                reason,
            };
            let bytes = bytes.ok_or_else(|| bad(std::io::ErrorKind::NotFound.to_string()))?;
            let found = Certificate::from_pem_bundle(&bytes);
            builder = builder.tls_certs_merge(found.map_err(|error| bad(error.to_string()))?);
        }
        let client = builder.build();
        Ok(Self {
            client: client.map_err(|error| RunnerError::NoAnswer(told(&error)))?,
            base: base.join(BASE).map_err(|_| RunnerError::Address)?,
        })
    }

    /// Sends a request once.
    ///
    /// # Errors
    /// If there is no answer, or one without an end.
    pub async fn send(
        &self,
        request: &ApiRequest,
        token: Option<&str>,
    ) -> Result<LinkAnswer, RunnerError> {
        let none = |error: reqwest::Error| RunnerError::NoAnswer(told(&error));
        let url = self
            .base
            .join(&request.path)
            .map_err(|_| RunnerError::Address)?;
        let mut builder = self
            .client
            .request(request.method.clone(), url)
            .timeout(request.patience)
            .header(CONTENT_TYPE, request.kind)
            .body(request.body.clone());
        if let Some(token) = token {
            builder = builder.header(AUTHORIZATION, format!("Device {token}"));
        }
        if let Some(claim) = &request.claim {
            builder = builder.header("jarvis-claim", claim);
        }
        let mut response = builder.send().await.map_err(none)?;
        let time = response.headers().get("jarvis-time");
        let time_ms = time
            .and_then(|it| it.to_str().ok())
            .and_then(|it| it.parse().ok());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(none)? {
            body.extend_from_slice(&chunk);
            if body.len() > MOST_ANSWER {
                return Err(RunnerError::Answer("size"));
            }
        }
        Ok(LinkAnswer {
            status: response.status().as_u16(),
            body,
            time_ms,
        })
    }
}

/// The reason behind reqwest's sentence, which does not name it.
fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    text
}
