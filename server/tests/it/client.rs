//! A browser: HTTP with the cookie of its session.

use protocol::{ConversationId, ErrorBody, ErrorCode, Timestamp};
use reqwest::{
    Method, RequestBuilder, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, COOKIE, ORIGIN, SET_COOKIE},
    redirect::Policy,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{harness::soon, socket::Socket};

/// A browser, signed in or not.
#[derive(Clone)]
pub(crate) struct Browser {
    http: reqwest::Client,
    /// Without a slash at the end.
    pub(crate) url: String,
    /// `name=value`.
    cookie: Option<String>,
    /// The token that a program sends in place of a cookie.
    token: Option<String>,
}

impl Browser {
    /// A browser without a session.
    pub(crate) fn new(url: &str) -> Self {
        // Plain HTTP only, but the library wants a provider; another test may have set it.
        rustls::crypto::ring::default_provider()
            .install_default()
            .ok();
        let http = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .build()
            .unwrap();
        Self {
            http,
            url: url.to_owned(),
            cookie: None,
            token: None,
        }
    }

    /// Uses a sign-in link as the button of its page does, and keeps the cookie.
    pub(crate) async fn sign_in(link: &str) -> Self {
        let (url, path) = link.split_at(link.find("/sign-in").unwrap());
        let browser = Self::new(url);
        browser.taking(&browser.post(path, &[]).await)
    }

    /// A browser with this secret in its cookie.
    pub(crate) fn with_secret(url: &str, secret: &str) -> Self {
        let port = url.rsplit(':').next().unwrap();
        Self {
            // Browsers share cookies between the ports of a host, so the name has the port.
            cookie: Some(format!("jarvis-{port}={secret}")),
            ..Self::new(url)
        }
    }

    /// A program with a token: no cookie, no origin.
    pub(crate) fn bearing(&self, token: &str) -> Self {
        Self {
            cookie: None,
            token: Some(format!("Bearer {token}")),
            ..self.clone()
        }
    }

    /// The same at another address, such as that of the next server.
    pub(crate) fn at(&self, url: &str) -> Self {
        Self {
            url: url.to_owned(),
            ..self.clone()
        }
    }

    /// The header of a program's token.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The cookie of the session.
    pub(crate) fn cookie(&self) -> Option<&str> {
        self.cookie.as_deref()
    }

    /// A request of one of our pages.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut request = self.http.request(method.clone(), self.url.clone() + path);
        if let Some(token) = &self.token {
            request = request.header("authorization", token);
        } else if method == Method::POST {
            request = request.header(ORIGIN, &self.url);
        }
        if let Some(cookie) = &self.cookie {
            request = request.header(COOKIE, cookie);
        }
        request
    }

    /// Opens a page.
    pub(crate) async fn get(&self, path: &str) -> Response {
        let request = self.request(Method::GET, path);
        send(request.header(ACCEPT, "text/html,*/*;q=0.8")).await
    }

    /// Calls a server function as a page does.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        function: &str,
        input: &Value,
    ) -> Result<T, ErrorBody> {
        let request = self
            .request(Method::POST, &format!("/api/{function}"))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .body(input.to_string());
        let response = send(request).await;
        if response.status().is_success() {
            Ok(response.json().await.unwrap())
        } else {
            Err(response.json().await.unwrap())
        }
    }

    /// Sends a form as a page does.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        send(self.request(Method::POST, path).form(fields)).await
    }

    /// The same browser with the cookie of an answer that signs in.
    pub(crate) fn taking(&self, answer: &Response) -> Self {
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
        Self {
            cookie: Some(cookie.split(';').next().unwrap().to_owned()),
            ..self.clone()
        }
    }

    /// Opens a websocket and reads its hello.
    pub(crate) async fn socket(&self) -> Socket {
        Socket::open(self).await
    }

    /// The request for a websocket, for tests that expect a refusal.
    pub(crate) fn upgrade(&self) -> RequestBuilder {
        self.request(Method::GET, "/ws")
            .header("connection", "Upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
    }
}

/// Sends a request.
pub(crate) async fn send(request: RequestBuilder) -> Response {
    soon("an answer", request.send()).await.unwrap()
}

/// The status and code of a refusal.
pub(crate) async fn refusal(request: RequestBuilder) -> (StatusCode, ErrorCode) {
    let response = send(request).await;
    let status = response.status();
    let text = response.text().await.unwrap();
    match serde_json::from_str::<ErrorBody>(&text) {
        Ok(error) => (status, error.code),
        Err(error) => panic!("{status} without a coded answer ({error}): {text}"),
    }
}

/// A new identifier for a conversation, as a browser makes it.
pub(crate) fn new_conversation() -> ConversationId {
    ConversationId::new(Timestamp(1_700_000_000_000), rand::random())
}
