//! The page of figures for Prometheus, at the server's address or at one of its own.

use std::net::IpAddr;

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode, header, uri::Authority},
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::{Connections, Http, Limits, serve, trace};
use crate::{
    config::{Networks, Secret},
    metrics::Gauges,
};

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// Open files of the address of its own: a few programs ask from time to time.
const FILES: u64 = 64;

/// Serves the figures at an address of their own, until the server stops.
pub(crate) fn serve_metrics(http: &Http, listener: TcpListener, tls: Option<TlsAcceptor>) {
    let router = Router::new()
        .route("/metrics", get(alone))
        .layer(middleware::from_fn(serve::in_time))
        .layer(middleware::from_fn(trace::request))
        .with_state(http.clone());
    let connections = Connections::new(Limits::of(FILES), Networks::default());
    let serving = serve(listener, tls, router, connections, http.stopping.clone());
    http.sockets.spawn(async move {
        if let Err(error) = serving.await {
            tracing::error!(%error, "the address for metrics is no longer served");
        }
    });
}

/// Answers at the server's own address, which is open to everybody: with the token alone.
pub(super) async fn at_server(State(http): State<Http>, headers: HeaderMap) -> Response {
    match &http.metrics_access.token {
        Some(token) if http.metrics_access.listen.is_none() => {
            guarded(&http, &headers, token).await
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Answers at the address of its own.
async fn alone(State(http): State<Http>, headers: HeaderMap) -> Response {
    match &http.metrics_access.token {
        Some(token) => guarded(&http, &headers, token).await,
        None if names_this_machine(&headers) => page(&http).await,
        // A page of another site whose name leads here (DNS rebinding).
        None => StatusCode::FORBIDDEN.into_response(),
    }
}

async fn guarded(http: &Http, headers: &HeaderMap, token: &Secret) -> Response {
    if carries(headers, token) {
        page(http).await
    } else {
        let ask = [(header::WWW_AUTHENTICATE, "Bearer")];
        (StatusCode::UNAUTHORIZED, ask).into_response()
    }
}

/// True if a request has the token. Hashes are compared, so that the time says nothing about how much
/// of a guess was right.
fn carries(headers: &HeaderMap, token: &Secret) -> bool {
    let given = headers.get(header::AUTHORIZATION);
    let given = given.and_then(|given| given.to_str().ok()?.strip_prefix("Bearer "));
    given.is_some_and(|given| Sha256::digest(given) == Sha256::digest(token.reveal()))
}

/// True if a request names its host by number or as `localhost`.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
    host.is_some_and(|host| {
        let host = host.host().trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse::<IpAddr>().is_ok()
    })
}

async fn page(http: &Http) -> Response {
    let waiting = http.store.waiting_confirmations().await;
    let waiting = waiting.inspect_err(
        |error| tracing::warn!(%error, "the open confirmations could not be counted for metrics"),
    );
    let gauges = Gauges {
        waiting_confirmations: waiting.ok(),
        sockets: http.allowances.open_sockets(),
        kill_switch: http.engine.kill_switch().await.map(|switch| switch.on),
        systems: http.engine.systems(),
    };
    match http.metrics.page(&gauges) {
        Ok(page) => ([(header::CONTENT_TYPE, OPEN_METRICS)], page).into_response(),
        Err(error) => {
            tracing::error!(%error, "the metrics could not be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, header};

    use super::names_this_machine;

    #[test]
    fn a_name_that_anybody_can_point_here_is_refused() {
        for (host, expect) in [
            ("127.0.0.1:9340", true),
            ("[::1]:9340", true),
            ("localhost:9340", true),
            ("localhost", true),
            ("evil.example:9340", false),
            ("localhost.evil.example", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            assert_eq!(names_this_machine(&headers), expect, "{host}");
        }
        assert!(!names_this_machine(&HeaderMap::new()));
    }
}
