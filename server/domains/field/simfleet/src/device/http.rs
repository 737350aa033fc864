//! Requests of a device over real HTTP, with repeats.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FleetDeviceOptions, FleetError};
use crate::protocol::{ApiRefusal, BASE, CLAIM_HEADER, MAX_ANSWER, SCHEME, TIME_HEADER};

/// Longest time for one request beyond the wait of a claim.
const PATIENCE: Duration = Duration::from_secs(15);

/// Client with the server's address.
#[derive(Debug)]
pub(super) struct DeviceHttp {
    client: reqwest::Client,
    base: String,
    tries: u32,
    pause: Duration,
    patience: Duration,
}

/// One request, which can be sent again as it is.
#[derive(Clone, Debug)]
pub(super) struct WireRequest {
    method: Method,
    path: String,
    body: Vec<u8>,
    media_type: &'static str,
    session: Option<String>,
    claim: Option<String>,
}

/// An answer, whatever its status.
#[derive(Debug)]
pub(super) struct WireAnswer {
    pub(super) status: u16,
    body: Vec<u8>,
    /// The server's time.
    pub(super) time_ms: Option<u64>,
}

impl WireRequest {
    pub(super) fn get(path: String) -> Self {
        Self::with_body(Method::GET, path, Vec::new(), "application/json")
    }

    pub(super) fn post(path: impl Into<String>, body: &impl Serialize) -> Self {
        Self::with_json(Method::POST, path.into(), body)
    }

    pub(super) fn put(path: impl Into<String>, body: &impl Serialize) -> Self {
        Self::with_json(Method::PUT, path.into(), body)
    }

    /// Bytes of a log or section.
    pub(super) fn chunk(path: String, bytes: &[u8]) -> Self {
        Self::with_body(
            Method::PUT,
            path,
            bytes.to_vec(),
            "application/octet-stream",
        )
    }

    fn with_json(method: Method, path: String, body: &impl Serialize) -> Self {
        // Our messages have no maps whose keys are no texts, so all of them can be written.
        let body = serde_json::to_vec(body).unwrap_or_default();
        Self::with_body(method, path, body, "application/json")
    }

    fn with_body(method: Method, path: String, body: Vec<u8>, media_type: &'static str) -> Self {
        Self {
            method,
            path,
            body,
            media_type,
            session: None,
            claim: None,
        }
    }

    pub(super) fn with_session(mut self, token: Option<&String>) -> Self {
        self.session = token.cloned();
        self
    }

    pub(super) fn with_claim(mut self, claim: &str) -> Self {
        self.claim = Some(claim.to_owned());
        self
    }

    pub(super) fn is_chunk(&self) -> bool {
        self.media_type == "application/octet-stream"
    }

    pub(super) fn has_body(&self) -> bool {
        !self.body.is_empty()
    }
}

impl WireAnswer {
    /// Reads what came with 200.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, FleetError> {
        if self.status != 200 {
            return Err(self.refused());
        }
        serde_json::from_slice(&self.body).map_err(|error| FleetError::Answer(error.to_string()))
    }

    /// The bytes of a document that came with 200.
    pub(super) fn document(&self) -> Result<&[u8], FleetError> {
        if self.status == 200 {
            Ok(&self.body)
        } else {
            Err(self.refused())
        }
    }

    /// The refusal; one in another form has no code.
    pub(super) fn refusal(&self) -> ApiRefusal {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub(super) fn refused(&self) -> FleetError {
        FleetError::Refused {
            status: self.status,
            code: self.refusal().code,
        }
    }

    fn is_passing(&self) -> bool {
        self.status == 429 || self.status >= 500
    }
}

impl DeviceHttp {
    pub(super) fn new(options: &FleetDeviceOptions) -> Result<Self, FleetError> {
        let client = |error: &dyn std::error::Error| FleetError::Client(error.to_string());
        // The simulation stays on this machine and speaks plain HTTP: it trusts no certificate.
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| client(&error))?
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth();
        let built = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!(
                "jarvis-simfleet/",
                env!("CARGO_PKG_VERSION"),
                " (simulated)"
            ))
            .build()
            .map_err(|error| client(&error))?;
        Ok(Self {
            client: built,
            base: format!("{}{BASE}/", options.server.trim_end_matches('/')),
            tries: options.tries.max(1),
            pause: options.pause,
            patience: PATIENCE + Duration::from_secs(options.wait_s.into()),
        })
    }

    /// Sends a request until it is answered with something else than "later".
    pub(super) async fn send(&self, request: &WireRequest) -> Result<WireAnswer, FleetError> {
        let mut pause = self.pause;
        for _ in 1..self.tries {
            match self.send_once(request).await {
                Ok(answer) if !answer.is_passing() => return Ok(answer),
                Ok(_) | Err(_) => tokio::time::sleep(pause).await,
            }
            pause = pause.saturating_mul(2);
        }
        let answer = self.send_once(request).await?;
        if answer.is_passing() {
            Err(answer.refused())
        } else {
            Ok(answer)
        }
    }

    async fn send_once(&self, request: &WireRequest) -> Result<WireAnswer, FleetError> {
        let no_answer = |error: reqwest::Error| FleetError::NoAnswer(error.to_string());
        let url = format!("{}{}", self.base, request.path);
        let mut builder = self
            .client
            .request(request.method.clone(), url)
            .timeout(self.patience)
            .header(CONTENT_TYPE, request.media_type)
            .body(request.body.clone());
        if let Some(token) = &request.session {
            builder = builder.header(AUTHORIZATION, format!("{SCHEME} {token}"));
        }
        if let Some(claim) = &request.claim {
            builder = builder.header(CLAIM_HEADER, claim);
        }
        let mut response = builder.send().await.map_err(no_answer)?;
        let time = response
            .headers()
            .get(TIME_HEADER)
            .and_then(|it| it.to_str().ok());
        let time_ms = time.and_then(|it| it.parse().ok());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(no_answer)? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_ANSWER {
                return Err(FleetError::Answer("too large".to_owned()));
            }
        }
        Ok(WireAnswer {
            status: response.status().as_u16(),
            body,
            time_ms,
        })
    }
}
