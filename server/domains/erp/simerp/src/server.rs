//! HTTP/1.1 server of the site. hyper rather than a router, for connections that end without an answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{
    ACCEPT, AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, DATE,
    HeaderValue,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode_str;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::form::{BodyForm, gzip};
use crate::refusal::SimRefusal;
use crate::site::{Cut, ErpOutcome, RequestLine, SignInHeaders, SimSite, version_of};
use crate::wire;

/// The largest body.
const BODY_LIMIT: usize = 25 * 1024 * 1024;
/// Bytes of a chunk: few enough to part a character from itself.
const CHUNK: usize = 61;

type Body = http_body_util::combinators::BoxBody<Bytes, DroppedAnswer>;

/// Error that ends a connection without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection was dropped on purpose")]
pub(crate) struct DroppedAnswer;

/// The site, shared by connections, control and tests.
#[derive(Clone)]
pub(crate) struct SharedSite(Arc<Mutex<SimSite>>);

impl SharedSite {
    pub(crate) fn new(site: SimSite) -> Self {
        Self(Arc::new(Mutex::new(site)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, SimSite> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves until told to stop.
pub(crate) async fn run(listener: TcpListener, site: SharedSite, mut stop: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = stop.changed() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    site.lock().connections += 1;
                    connections.spawn(connection(stream, site.clone(), stop.clone()));
                }
            }
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

async fn connection(stream: TcpStream, site: SharedSite, mut stop: watch::Receiver<bool>) {
    let serve = service_fn(|request| answer(site.clone(), request));
    let done = http1::Builder::new().serve_connection(TokioIo::new(stream), serve);
    let mut done = std::pin::pin!(done);
    let ended = tokio::select! {
        ended = done.as_mut() => ended,
        _ = stop.changed() => {
            done.as_mut().graceful_shutdown();
            done.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "connection ended early");
    }
}

async fn answer(
    site: SharedSite,
    request: Request<Incoming>,
) -> Result<Response<Body>, DroppedAnswer> {
    let (parts, body) = request.into_parts();
    let header = |name: &hyper::header::HeaderName| {
        let value = parts.headers.get(name).and_then(|it| it.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let credentials = SignInHeaders {
        authorization: header(&AUTHORIZATION),
        cookie: header(&COOKIE),
        csrf: header(&hyper::header::HeaderName::from_static(
            "x-frappe-csrf-token",
        )),
    };
    let body = Limited::new(body, BODY_LIMIT).collect().await;
    let path = parts.uri.path();
    let shown = percent_decode_str(path).decode_utf8_lossy().into_owned();
    let outcome = match body {
        Ok(body) => {
            let request = wire::read(
                parts.method.as_str(),
                path,
                parts.uri.query().unwrap_or_default(),
                &header(&CONTENT_TYPE),
                &body.to_bytes(),
                &header(&ACCEPT),
            );
            let line = RequestLine {
                method: parts.method.as_str(),
                path: &shown,
            };
            site.lock().answer(request, line, &credentials)
        }
        Err(_) => {
            let refusal = SimRefusal::new(413, "RequestEntityTooLarge", "Request is too large");
            let profile = site.lock().books.profile;
            ErpOutcome {
                answer: wire::failure(version_of(path), &refusal, profile, false),
                headers: Vec::new(),
                cut: None,
                form: BodyForm::Plain,
                delay: std::time::Duration::ZERO,
            }
        }
    };
    let date = {
        let site = site.lock();
        let now = jiff::Timestamp::from_second(site.books.now.unix()).unwrap_or_default();
        now.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
    };
    tracing::debug!(method = %parts.method, path = shown, status = outcome.answer.status, "answered");
    if !outcome.delay.is_zero() {
        tokio::time::sleep(outcome.delay).await;
    }
    if outcome.cut == Some(Cut::Whole) {
        return Err(DroppedAnswer);
    }
    Ok(respond(outcome, &date))
}

fn respond(outcome: ErpOutcome, date: &str) -> Response<Body> {
    let form = outcome.form;
    let mut text = Bytes::from(outcome.answer.body);
    if form == BodyForm::Gzip {
        text = Bytes::from(gzip(&text));
    }
    let length = text.len();
    let body: Body = if outcome.cut == Some(Cut::Middle) {
        let half = text.slice(..length / 2);
        let frames = [Ok(Frame::data(half)), Err(DroppedAnswer)];
        BodyExt::boxed(StreamBody::new(futures::stream::iter(frames)))
    } else if form == BodyForm::Chunked {
        let chunks = text.chunks(CHUNK);
        let frames: Vec<Result<_, DroppedAnswer>> = chunks
            .map(|chunk| Ok(Frame::data(text.slice_ref(chunk))))
            .collect();
        BodyExt::boxed(StreamBody::new(futures::stream::iter(frames)))
    } else {
        BodyExt::boxed(Full::new(text).map_err(|never| match never {}))
    };
    let mut response = Response::new(body);
    let status = StatusCode::from_u16(outcome.answer.status);
    *response.status_mut() = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    let kind = if outcome.answer.html {
        "text/html; charset=utf-8"
    } else {
        "application/json"
    };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if form != BodyForm::Chunked {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    if form == BodyForm::Gzip {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Ok(value) = HeaderValue::from_str(date) {
        headers.insert(DATE, value);
    }
    for (name, value) in outcome.headers {
        if let Ok(value) = HeaderValue::from_str(&value)
            && let Ok(name) = hyper::header::HeaderName::from_bytes(name.as_bytes())
        {
            headers.append(name, value);
        }
    }
    response
}
