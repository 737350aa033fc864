//! HTTPS server: one TLS listener for each node, HTTP/1.1, with pveproxy's rules for bodies,
//! redirects and answers.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderValue, LOCATION, TRANSFER_ENCODING};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::control::{self, ControlState};
use crate::faults::{ConnectionFault, SshCut};
use crate::reply::{Fail, ReplyResult, respond};
use crate::{api, urlencoded};

const BASE: &str = "/api2/json";
const BODY_LIMIT: usize = 512 * 1024;
/// The first byte of a TLS handshake.
const HANDSHAKE: u8 = 0x16;

/// One node's endpoint.
pub(crate) struct SimEndpoint {
    pub node: &'static str,
    pub address: SocketAddr,
    pub acceptor: TlsAcceptor,
    /// TLS with the renewed certificate.
    pub renewed: TlsAcceptor,
    pub shared: Arc<ControlState>,
    /// Delay of a 401.
    pub auth_delay: Duration,
    /// True if control over HTTP is enabled.
    pub control: bool,
    pub stop: watch::Receiver<bool>,
}

/// Error that ends a connection without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection was dropped on purpose")]
struct Dropped;

impl SimEndpoint {
    /// Serves until told to stop.
    pub(crate) async fn run(self, listener: TcpListener) {
        let endpoint = Arc::new(self);
        let mut stop = endpoint.stop.clone();
        let mut refused = endpoint.shared.refused.subscribe();
        let mut renewed = endpoint.shared.renewed.subscribe();
        let mut connections = JoinSet::new();
        let mut listener = Some(listener);
        loop {
            if *refused.borrow_and_update() {
                listener = None;
                // While connections are refused, none stay open either.
                connections.shutdown().await;
            } else if listener.is_none() {
                listener = rebind(endpoint.address).await;
            }
            tokio::select! {
                _ = stop.changed() => break,
                _ = refused.changed() => {}
                // The server restarts, and with it all connections.
                _ = renewed.changed() => connections.shutdown().await,
                Some(_) = connections.join_next() => {}
                stream = accept(listener.as_ref()) => {
                    if let Ok(stream) = stream {
                        connections.spawn(Arc::clone(&endpoint).connection(stream));
                    }
                }
            }
        }
        drop(listener);
        while connections.join_next().await.is_some() {}
    }

    async fn connection(self: Arc<Self>, stream: TcpStream) {
        if !self.shared.world().online(self.node) {
            return;
        }
        let mut stop = self.stop.clone();
        let stream = tokio::select! {
            stream = self.secure(stream) => stream,
            // A client that is silent, or slow to shake hands, must not delay the shutdown.
            _ = stop.changed() => return,
        };
        let Some(stream) = stream else { return };
        let serve = service_fn(|request| self.answer(request));
        let done = http1::Builder::new().serve_connection(TokioIo::new(stream), serve);
        let mut done = std::pin::pin!(done);
        tokio::select! {
            end = done.as_mut() => log_end(end),
            _ = stop.changed() => {
                done.as_mut().graceful_shutdown();
                log_end(done.await);
            }
        }
    }

    /// Completes the TLS handshake. Plain HTTP is answered here, with a redirect.
    async fn secure(&self, stream: TcpStream) -> Option<TlsStream<TcpStream>> {
        let mut first = [0];
        let count = stream.peek(&mut first).await.ok()?;
        if count == 1 && first != [HANDSHAKE] {
            let serve =
                service_fn(|request| async move { Ok::<_, Infallible>(redirect(&request)) });
            let mut http = http1::Builder::new();
            log_end(
                http.keep_alive(false)
                    .serve_connection(TokioIo::new(stream), serve)
                    .await,
            );
            return None;
        }
        let acceptor = if *self.shared.renewed.borrow() {
            &self.renewed
        } else {
            &self.acceptor
        };
        match acceptor.accept(stream).await {
            Ok(stream) => Some(stream),
            Err(error) => {
                tracing::debug!(%error, "TLS handshake failed");
                None
            }
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Dropped> {
        let (delay, fault) = {
            let mut world = self.shared.world();
            if !world.online(self.node) {
                return Err(Dropped);
            }
            world.faults.requests = world.faults.requests.wrapping_add(1);
            let fault = match world.faults.connection {
                ConnectionFault::Flaky(nth) if world.faults.requests.is_multiple_of(nth) => {
                    ConnectionFault::DropRequest
                }
                fault => fault,
            };
            // Signing in changes nothing.
            let writes = *request.method() != Method::GET
                && !request.uri().path().ends_with("/access/ticket");
            let fault = match writes.then(|| world.faults.cut.take()).flatten() {
                Some(SshCut::Request) => ConnectionFault::DropRequest,
                Some(SshCut::Answer) => ConnectionFault::DropResponse,
                None => fault,
            };
            (world.faults.delay, fault)
        };
        if fault == ConnectionFault::DropRequest {
            return Err(Dropped);
        }
        pause(delay).await;
        let method = request.method().to_string();
        let path = shown(&request);
        let outcome = self.outcome(request).await;
        let status = outcome.as_ref().map_or_else(|fail| fail.status, |_| 200);
        tracing::debug!(node = self.node, %method, path, status, "answered");
        self.shared.record(control::ControlRequest {
            method,
            path,
            status,
        });
        if status == 401 {
            pause(self.auth_delay).await;
        }
        match fault {
            ConnectionFault::DropResponse => Err(Dropped),
            _ => Ok(respond(outcome)),
        }
    }

    async fn outcome(&self, request: Request<Incoming>) -> ReplyResult {
        let (parts, body) = request.into_parts();
        let method = parts.method.as_str();
        let raw = parts.uri.path();
        if self.control && raw == control::PATH && parts.method == Method::POST {
            let body = Limited::new(body, BODY_LIMIT).collect().await;
            let body = body.map_err(|_| Fail::new(400, "too many orders"))?;
            return control::obey(&self.shared, &body.to_bytes());
        }
        let not_implemented = || Fail::new(501, format!("Method '{method} {raw}' not implemented"));
        let below = raw.strip_prefix(BASE).filter(|rest| rest.starts_with('/'));
        let segments: Vec<String> = below
            .ok_or_else(not_implemented)?
            .split('/')
            .filter(|segment| !segment.is_empty())
            .map(urlencoded::decode)
            .collect();
        let mut given = urlencoded::pairs(parts.uri.query().unwrap_or_default());
        let has_body = parts
            .headers
            .get(CONTENT_LENGTH)
            .is_some_and(|length| length != "0");
        let takes_body = [Method::POST, Method::PUT].contains(&parts.method);
        if parts.headers.contains_key(TRANSFER_ENCODING) {
            return Err(Fail::new(501, "chunked transfer encoding not supported"));
        }
        if has_body && !takes_body {
            return Err(Fail::new(
                501,
                format!("Unexpected content for method '{method}'"),
            ));
        }
        if takes_body {
            let bytes = Limited::new(body, BODY_LIMIT)
                .collect()
                .await
                .map_err(|_| Fail::new(501, "for data too large"))?
                .to_bytes();
            given.extend(form(parts.headers.get(CONTENT_TYPE), &bytes)?);
        }

        let found = api::find(method, &segments);
        let mut world = self.shared.world();
        let now = world.now as i64;
        let open = found.as_ref().is_some_and(|(route, _)| route.open());
        let token = parts.headers.contains_key(hyper::header::AUTHORIZATION);
        if open && token {
            let text = format!(
                "URI '/{}' not available with API token, need proper ticket.",
                segments.join("/")
            );
            return Err(Fail::new(403, text));
        }
        let caller = if open {
            crate::access::SimCaller::nobody()
        } else {
            let writes = parts.method != Method::GET;
            world.access.authenticate(&parts.headers, writes, now)?
        };
        let (route, path) = found.ok_or_else(not_implemented)?;
        route.serve(&mut world, caller, self.node, path, given)
    }
}

/// The fields of a body: a form, or a flat JSON object.
fn form(kind: Option<&HeaderValue>, bytes: &[u8]) -> Result<Vec<(String, String)>, Fail> {
    let text = String::from_utf8_lossy(bytes);
    let json = kind
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| {
            kind.split(';')
                .next()
                .is_some_and(|kind| kind.trim() == "application/json")
        });
    if !json {
        return Ok(urlencoded::pairs(&text));
    }
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    match serde_json::from_str(&text) {
        Ok(Value::Object(members)) => Ok(members
            .into_iter()
            .map(|(name, value)| match value {
                Value::String(text) => (name, text),
                Value::Bool(on) => (name, u8::from(on).to_string()),
                other => (name, other.to_string()),
            })
            .collect()),
        _ => Err(Fail::new(400, "malformed JSON string")),
    }
}

fn shown(request: &Request<Incoming>) -> String {
    let path = urlencoded::decode(request.uri().path().trim_start_matches(BASE));
    match request.uri().query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    }
}

/// Redirects plain HTTP to HTTPS; a write keeps its method.
fn redirect(request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    let target = format!("https://{}{}", host.unwrap_or("localhost"), request.uri());
    let mut response = Response::new(Full::default());
    *response.status_mut() = if reads {
        StatusCode::MOVED_PERMANENTLY
    } else {
        StatusCode::PERMANENT_REDIRECT
    };
    if let Ok(target) = HeaderValue::from_str(&target) {
        response.headers_mut().insert(LOCATION, target);
    }
    response
}

async fn pause(delay: Duration) {
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
}

async fn accept(listener: Option<&TcpListener>) -> io::Result<TcpStream> {
    match listener {
        Some(listener) => listener.accept().await.map(|(stream, _)| stream),
        None => std::future::pending().await,
    }
}

/// Listens on the same address again; `None` if its port has been taken meanwhile.
async fn rebind(address: SocketAddr) -> Option<TcpListener> {
    match TcpListener::bind(address).await {
        Ok(listener) => Some(listener),
        Err(error) => {
            tracing::warn!(%address, %error, "cannot listen again");
            None
        }
    }
}

fn log_end(end: Result<(), hyper::Error>) {
    if let Err(error) = end {
        tracing::debug!(%error, "connection ended");
    }
}
