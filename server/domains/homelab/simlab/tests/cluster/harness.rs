//! A cluster with a stopped clock, and a client that trusts its CA.

use std::sync::Arc;
use std::time::Duration;

use hyper::ext::ReasonPhrase;
use reqwest::{Client, Method};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use simlab::{Control, ManualSimClock, Simlab, SimlabOptions};

/// Saturday, 21 November 2026, 15:30:04 UTC.
pub(crate) const START: u64 = 1_795_275_004;

pub(crate) struct Lab {
    pub(crate) cluster: Simlab,
    pub(crate) clock: ManualSimClock,
    pub(crate) client: Client,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The reason phrase, if it differs from the status's default.
    pub(crate) phrase: String,
    pub(crate) body: Value,
    pub(crate) closes: bool,
}

impl Answer {
    pub(crate) fn data(&self) -> &Value {
        assert_eq!(self.status, 200, "{self:?}");
        &self.body["data"]
    }

    pub(crate) fn rows(&self) -> &[Value] {
        self.data().as_array().expect("a list")
    }

    /// The row in which a member has a value.
    pub(crate) fn row(&self, member: &str, value: impl Into<Value>) -> &Value {
        let value = value.into();
        self.rows()
            .iter()
            .find(|row| row[member] == value)
            .expect("the row is there")
    }
}

impl Lab {
    pub(crate) async fn new() -> Self {
        Self::with(1, Duration::ZERO).await
    }

    pub(crate) async fn with(seed: u64, auth_delay: Duration) -> Self {
        let clock = ManualSimClock::at(START);
        let options = SimlabOptions {
            seed,
            auth_delay,
            clock: Arc::new(clock.clone()),
            ..SimlabOptions::default()
        };
        let cluster = simlab::start(options).await.expect("the cluster starts");
        let tls = client_config(&cluster);
        let client = Client::builder()
            .tls_backend_preconfigured(tls)
            .no_proxy()
            .build()
            .expect("the client is built");
        Self {
            cluster,
            clock,
            client,
        }
    }

    pub(crate) fn control(&self) -> Control {
        self.cluster.control()
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// A GET with the administrator's token.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.get_as(&self.cluster.admin_token(), path).await
    }

    pub(crate) async fn get_as(&self, token: &str, path: &str) -> Answer {
        self.send(Method::GET, Some(token), path, &[])
            .await
            .expect("an answer")
    }

    pub(crate) async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        let token = self.cluster.admin_token();
        self.send(Method::POST, Some(&token), path, form)
            .await
            .expect("an answer")
    }

    /// Posts a form and returns the UPID of the task.
    pub(crate) async fn begin(&self, path: &str, form: &[(&str, &str)]) -> String {
        let answer = self.post(path, form).await;
        answer.data().as_str().expect("a UPID").to_owned()
    }

    /// The state of a task.
    pub(crate) async fn task(&self, upid: &str) -> Value {
        let node = upid.split(':').nth(1).expect("a node");
        self.get(&format!("/nodes/{node}/tasks/{upid}/status"))
            .await
            .data()
            .clone()
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        token: Option<&str>,
        path: &str,
        form: &[(&str, &str)],
    ) -> Result<Answer, reqwest::Error> {
        let url = format!("{}/api2/json{path}", self.cluster.base_url());
        let mut request = self.client.request(method.clone(), url);
        if let Some(token) = token {
            request = request.header("Authorization", format!("PVEAPIToken={token}"));
        }
        if method == Method::POST {
            request = request.form(form);
        }
        answer(request.send().await?).await
    }
}

pub(crate) async fn answer(response: reqwest::Response) -> Result<Answer, reqwest::Error> {
    let status = response.status().as_u16();
    let phrase = response.extensions().get::<ReasonPhrase>();
    let phrase = phrase.map(|phrase| String::from_utf8_lossy(phrase.as_bytes()).into_owned());
    let closes = response
        .headers()
        .get("connection")
        .is_some_and(|value| value == "close");
    let text = response.text().await?;
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Ok(Answer {
        status,
        phrase: phrase.unwrap_or_default(),
        body,
        closes,
    })
}

/// Trusts only the cluster's CA.
pub(crate) fn client_config(cluster: &Simlab) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    let ca = CertificateDer::from_pem_slice(cluster.ca_pem().as_bytes()).expect("a certificate");
    roots.add(ca).expect("a certificate authority");
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring knows TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth()
}
