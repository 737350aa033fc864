//! A company with a stopped clock, and a client.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value, json};
use simerp::{ManualSimErpClock, SimErp, SimErpControl, SimErpOptions, SimErpProfile, SimErpUser};

/// Saturday, 21 November 2026, 15:30:04 UTC.
const START: u64 = 1_795_275_004;

pub(crate) const PROFILES: [SimErpProfile; 4] = [
    SimErpProfile::V15,
    SimErpProfile::V15Traceback,
    SimErpProfile::V16,
    SimErpProfile::V16Verbs,
];

/// Where both versions of the API have their documents.
pub(crate) const DOCUMENTS: [&str; 2] = ["/api/resource", "/api/v2/document"];

pub(crate) struct Company {
    pub(crate) erp: SimErp,
    pub(crate) clock: ManualSimErpClock,
    client: Client,
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Reply {
    /// The kind of an error, in either envelope.
    pub(crate) fn kind(&self) -> &str {
        let kind = self.body["exc_type"].as_str();
        let kind = kind.or_else(|| self.body["errors"][0]["type"].as_str());
        kind.unwrap_or_default()
    }

    /// True if the error tells where in the code it came from, in either envelope.
    pub(crate) fn is_traced(&self) -> bool {
        self.body["exc"].is_string() || self.body["errors"][0]["exception"].is_string()
    }

    pub(crate) fn data(&self) -> &Value {
        assert_eq!(self.status, 200, "{self:?}");
        let body = &self.body;
        if body["data"].is_null() {
            &body["message"]
        } else {
            &body["data"]
        }
    }

    pub(crate) fn rows(&self) -> &[Value] {
        self.data().as_array().expect("a list")
    }

    /// The messages, decoded twice.
    pub(crate) fn messages(&self) -> Vec<String> {
        let text = self.body["_server_messages"].as_str().unwrap_or("[]");
        let list: Vec<String> = serde_json::from_str(text).expect("a list of texts");
        let read = |it: &String| -> Value { serde_json::from_str(it).expect("JSON") };
        let texts = list
            .iter()
            .map(|it| read(it)["message"].as_str().map(str::to_owned));
        texts.map(|it| it.expect("a message")).collect()
    }
}

impl Company {
    pub(crate) async fn new() -> Self {
        Self::with(SimErpProfile::V16).await
    }

    pub(crate) async fn with(profile: SimErpProfile) -> Self {
        let clock = ManualSimErpClock::at(START);
        let options = SimErpOptions {
            clock: Arc::new(clock.clone()),
            profile,
            ..SimErpOptions::default()
        };
        let erp = SimErp::start(options).await.expect("the company starts");
        // Plain HTTP only, but the library wants a provider; another test may have set it.
        rustls::crypto::ring::default_provider()
            .install_default()
            .ok();
        let client = Client::builder().no_proxy().build().expect("a client");
        Self { erp, clock, client }
    }

    pub(crate) fn control(&self) -> SimErpControl {
        self.erp.control()
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    pub(crate) async fn send(
        &self,
        user: Option<SimErpUser>,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Reply, reqwest::Error> {
        let token = user.map(|user| format!("token {}", self.erp.token(user)));
        self.send_as(token.as_deref(), method, path, body).await
    }

    pub(crate) async fn send_as(
        &self,
        authorization: Option<&str>,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Reply, reqwest::Error> {
        let mut request = self
            .client
            .request(method, format!("{}{path}", self.erp.url()));
        request = request.header("Accept", "application/json");
        if let Some(authorization) = authorization {
            request = request.header("Authorization", authorization);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await?;
        let status = response.status().as_u16();
        let text = response.text().await?;
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Ok(Reply { status, body })
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.get_as(SimErpUser::Agent, path).await
    }

    pub(crate) async fn get_as(&self, user: SimErpUser, path: &str) -> Reply {
        let reply = self.send(Some(user), Method::GET, path, None).await;
        reply.expect("an answer")
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.post_as(SimErpUser::Agent, path, body).await
    }

    pub(crate) async fn post_as(&self, user: SimErpUser, path: &str, body: Value) -> Reply {
        let reply = self.send(Some(user), Method::POST, path, Some(&body)).await;
        reply.expect("an answer")
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Reply {
        let reply = self
            .send(Some(SimErpUser::Agent), Method::PUT, path, Some(&body))
            .await;
        reply.expect("an answer")
    }

    /// Submits a document as it is read.
    pub(crate) async fn submit(&self, kind: &str, name: &str) -> Reply {
        let doc = self.get(&format!("/api/resource/{kind}/{name}")).await;
        let body = json!({ "doc": doc.data() });
        self.post("/api/method/frappe.client.submit", body).await
    }

    /// The name of the first document that fits the filters.
    pub(crate) async fn first(&self, kind: &str, filters: Value) -> String {
        let filters = filters.to_string();
        let reply = self
            .get(&format!("/api/resource/{kind}?filters={filters}&limit=1"))
            .await;
        let row = reply.rows().first().expect("a document that fits");
        row["name"].as_str().expect("a name").to_owned()
    }
}
