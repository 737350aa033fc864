//! Serves connections, and waits for no client that does not go on.

use std::{io, net::SocketAddr, pin::pin, time::Duration};

use axum::{
    Router,
    extract::{ConnectInfo, Request},
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse, Response},
    serve::Listener,
};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use protocol::{ErrorBody, ErrorCode};
use tokio::time::timeout;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// A client gets this long for the head of a request, from the end of the one before.
const HEAD: Duration = Duration::from_secs(60);
/// A request gets this long to be read and answered. An open websocket is answered already.
const REQUEST: Duration = Duration::from_secs(60);

/// Serves until `stopping`, then until the requests that are under way are answered.
pub(crate) async fn serve(
    mut listener: impl Listener<Addr = SocketAddr>,
    router: Router,
    stopping: CancellationToken,
) -> io::Result<()> {
    let connections = TaskTracker::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stopping.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let (router, stopping) = (router.clone(), stopping.clone());
        connections.spawn(connection(TokioIo::new(stream), peer, router, stopping));
    }
    drop(listener);
    connections.close();
    connections.wait().await;
    Ok(())
}

async fn connection<S>(
    stream: TokioIo<S>,
    peer: SocketAddr,
    router: Router,
    stopping: CancellationToken,
) where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let mut connection = pin!(http.serve_connection(stream, service).with_upgrades());
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "a connection broke");
    }
}

/// Gives up on a request that is not read and answered in time.
pub(super) async fn in_time(request: Request, next: Next) -> Response {
    match timeout(REQUEST, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let error = ErrorBody::new(ErrorCode::Malformed, "The request took too long.");
            (StatusCode::REQUEST_TIMEOUT, axum::Json(error)).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::{body::Bytes, middleware, routing::post};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
    };

    use super::*;

    /// What a client gets that sends this and then nothing more.
    async fn answer(sent: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let read = |peer: ConnectInfo<SocketAddr>, body: Bytes| async move {
            format!("{} {}", peer.0.ip(), body.len())
        };
        let router = Router::new()
            .route("/", post(read))
            .layer(middleware::from_fn(in_time));
        let stopping = CancellationToken::new();
        let serving = tokio::spawn(serve(listener, router, stopping.clone()));
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        stopping.cancel();
        serving.await.unwrap().unwrap();
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn clients_that_do_not_go_on_are_let_go() {
        for (sent, status, end) in [
            ("", "", ""),
            ("POST / HTTP/1.1\r\nhost: x\r\n", "", ""),
            (
                "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc",
                "HTTP/1.1 408",
                "took too long.\"}",
            ),
            (
                "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabc",
                "HTTP/1.1 200",
                "127.0.0.1 3",
            ),
        ] {
            let answer = answer(sent).await;
            let fits = answer.starts_with(status) && answer.ends_with(end);
            assert!(
                fits && (status.is_empty() == answer.is_empty()),
                "{sent:?}: {answer}"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_stop_does_not_wait_for_idle_connections() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stopping = CancellationToken::new();
        let serving = tokio::spawn(serve(listener, Router::new(), stopping.clone()));
        let mut idle = TcpStream::connect(address).await.unwrap();
        idle.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            .await
            .unwrap();
        let mut begun = [0; 12];
        idle.read_exact(&mut begun).await.unwrap();
        assert_eq!(&begun, b"HTTP/1.1 404");
        stopping.cancel();
        serving.await.unwrap().unwrap();
    }
}
