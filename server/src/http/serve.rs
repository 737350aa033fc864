//! Serves connections, with time limits on slow clients.

use std::{
    convert::Infallible,
    io,
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::HttpBody,
    extract::{ConnectInfo, Request},
    http::{HeaderValue, StatusCode, header},
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
use tokio::{net::TcpListener, time::timeout};
use tokio_rustls::TlsAcceptor;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    connections::{AskingBody, BusyBody, Connections, Place},
    lingering::Lingering,
    stalled::Stalled,
    tls::handshake,
};
use crate::texts;

/// A client gets this long for the head of its first request: whoever connects should know what to
/// ask.
const FIRST_HEAD: Duration = Duration::from_secs(10);
/// A client gets this long for the head of a request, from the end of the one before.
const HEAD: Duration = Duration::from_secs(60);
/// A request gets this long to be read and answered. An open websocket is already answered.
const REQUEST: Duration = Duration::from_secs(60);
/// A client that accepts nothing of an answer for this long counts as gone. Longer than the same
/// limit of a websocket, which closes with a code.
const WRITE: Duration = Duration::from_secs(45);
/// A client whose request was refused before it was sent whole gets this long to stop sending and
/// read why.
const LINGER: Duration = Duration::from_secs(5);

/// The stop of a server, from its beginning to its end.
pub(crate) struct ServerStop {
    /// Cancelled when it begins: requests in progress are still answered.
    pub(crate) begun: CancellationToken,
    /// Cancelled when nothing but those requests is left to wait for.
    pub(crate) closing: CancellationToken,
    /// Answers whoever comes in between.
    pub(crate) router: Router,
}

/// Serves until `stopping`, then until the requests in progress are answered.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
    connections: Connections,
    stopping: CancellationToken,
) -> io::Result<()> {
    let stop = ServerStop {
        begun: stopping.clone(),
        closing: stopping,
        router: router.clone(),
    };
    serve_until(listener, tls, router, connections, stop).await
}

/// Serves until a stop, with an answer for whoever comes before it is at its end.
pub(crate) async fn serve_until(
    mut listener: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
    connections: Connections,
    stop: ServerStop,
) -> io::Result<()> {
    let (tasks, late) = (TaskTracker::new(), TaskTracker::new());
    let ended = CancellationToken::new();
    let mut drained = pin!(async {
        stop.begun.cancelled().await;
        stop.closing.cancelled().await;
        tasks.close();
        tasks.wait().await;
    });
    loop {
        let (stream, peer) = tokio::select! {
            () = drained.as_mut() => break,
            // It waits a little on its own if no file descriptor is free.
            accepted = Listener::accept(&mut listener) => accepted,
        };
        let Some(place) = connections.admit(peer.ip()) else {
            tracing::debug!(%peer, "a connection was refused: there are too many");
            continue;
        };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        // The stop does not wait for those that come after its beginning.
        let (tasks, router, until) = if stop.begun.is_cancelled() {
            (&late, stop.router.clone(), ended.clone())
        } else {
            (&tasks, router.clone(), stop.begun.clone())
        };
        let tls = tls.clone();
        tasks.spawn(async move {
            // A handshake runs beside all others, and takes the place of its connection.
            match tls {
                None => connection(stream, peer, place, router, until).await,
                Some(tls) => {
                    let shaken = handshake(tls, stream, peer, place.evicted(), &until);
                    if let Some(stream) = shaken.await {
                        connection(stream, peer, place, router, until).await;
                    }
                }
            }
        });
    }
    drop(listener);
    ended.cancel();
    late.close();
    late.wait().await;
    Ok(())
}

async fn connection<S>(
    stream: S,
    peer: SocketAddr,
    place: Place,
    router: Router,
    stopping: CancellationToken,
) where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let evicted = place.evicted();
    let asked = CancellationToken::new();
    let first = asked.clone();
    let unread = Arc::new(AtomicBool::new(false));
    let left_unread = unread.clone();
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        first.cancel();
        let busy = place.busy();
        request.extensions_mut().insert(ConnectInfo(peer));
        let asking = busy.asking();
        if request.body().is_end_stream() {
            asking.is_taken();
        }
        request.extensions_mut().insert(asking.clone());
        let request = request.map(|body| AskingBody::new(body, asking));
        let read = request.body().read();
        let answer = router.call(request);
        let unread = left_unread.clone();
        async move {
            let mut answer: Response = answer.await?;
            // The connection ends with an answer to a request that was not read. A client that is not
            // told sends its next request into nothing.
            if !read.load(Ordering::Relaxed) {
                let close = HeaderValue::from_static("close");
                answer.headers_mut().insert(header::CONNECTION, close);
                unread.store(true, Ordering::Relaxed);
            }
            Ok::<_, Infallible>(answer.map(|body| BusyBody::new(body, busy)))
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let stream = Lingering::new(Stalled::new(stream, WRITE), unread, LINGER);
    let stream = TokioIo::new(stream);
    let mut connection = pin!(http.serve_connection(stream, service).with_upgrades());
    let silent = async {
        if timeout(FIRST_HEAD, asked.cancelled()).await.is_ok() {
            std::future::pending::<()>().await;
        }
    };
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        () = evicted.cancelled() => {
            tracing::debug!(%peer, "an idle connection made way for another");
            return;
        }
        () = silent => {
            tracing::debug!(%peer, "a client asked for nothing");
            return;
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "a connection broke");
    }
}

/// Gives up a request that is not read and answered in time.
pub(super) async fn in_time(request: Request, next: Next) -> Response {
    match timeout(REQUEST, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let error = ErrorBody::new(ErrorCode::Malformed, texts::http::REQUEST_TOOK_TOO_LONG);
            (StatusCode::REQUEST_TIMEOUT, axum::Json(error)).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::{
        body::Bytes,
        middleware,
        routing::{get, post},
    };
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpSocket, TcpStream},
        time::Instant,
    };

    use super::{super::connections::Limits, *};
    use crate::config::Networks;

    fn connections(requests: usize, address: usize) -> Connections {
        let limits = Limits {
            requests,
            address,
            sockets: 0,
        };
        Connections::new(limits, Networks::default())
    }

    fn roomy() -> Connections {
        connections(99, 99)
    }

    /// Returns the answer to a client that sends this and then nothing more.
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
        let serving = tokio::spawn(serve(listener, None, router, roomy(), stopping.clone()));
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        drop(stream);
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

    #[tokio::test]
    async fn a_client_is_told_that_the_connection_ends_with_a_body_that_nobody_read() {
        let head = "HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabc";
        for (path, closes) in [("/nowhere", true), ("/", false)] {
            let sent =
                format!("POST {path} {head}GET /nowhere HTTP/1.1\r\nconnection: close\r\n\r\n");
            let answers = answer(&sent).await;
            let (first, _) = answers.split_once("\r\n\r\n").unwrap();
            assert_eq!(first.contains("connection: close"), closes, "{answers}");
        }
    }

    /// More than all buffers on the way hold, so it is still sending when it is refused.
    #[tokio::test]
    async fn a_client_that_is_refused_while_it_sends_is_told_why() {
        const SIZE: usize = 16 << 20;
        let head = format!("POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: {SIZE}\r\n\r\n");
        let answer = answer(&(head + &"x".repeat(SIZE))).await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_let_go() {
        const SIZE: usize = 64 << 20;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let file = || async { Bytes::from(vec![0; SIZE]) };
        let router = Router::new().route("/", get(file));
        let stopping = CancellationToken::new();
        let serving = tokio::spawn(serve(listener, None, router, roomy(), stopping.clone()));
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            .await
            .unwrap();
        let mut begun = [0; 12];
        stream.read_exact(&mut begun).await.unwrap();
        assert_eq!(&begun, b"HTTP/1.1 200");
        // More than any buffer on the way holds is left when it takes up reading again.
        tokio::time::sleep(WRITE * 2).await;
        let mut rest = Vec::new();
        let end = stream.read_to_end(&mut rest).await;
        assert!(rest.len() < SIZE, "{end:?}: {}", rest.len());
        stopping.cancel();
        serving.await.unwrap().unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_stop_does_not_wait_for_idle_connections() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stopping = CancellationToken::new();
        let serving = tokio::spawn(serve(
            listener,
            None,
            Router::new(),
            roomy(),
            stopping.clone(),
        ));
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

    #[tokio::test]
    async fn who_comes_during_a_stop_is_answered_until_it_is_at_its_end() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let says = |word: &'static str| Router::new().route("/", get(move || async move { word }));
        let (begun, closing) = (CancellationToken::new(), CancellationToken::new());
        let stop = ServerStop {
            begun: begun.clone(),
            closing: closing.clone(),
            router: says("It stops."),
        };
        let serving = serve_until(listener, None, says("It serves."), roomy(), stop);
        let serving = tokio::spawn(serving);
        for word in ["It serves.", "It stops."] {
            let mut asking = TcpStream::connect(address).await.unwrap();
            let asked = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
            asking.write_all(asked).await.unwrap();
            let mut answer = String::new();
            asking.read_to_string(&mut answer).await.unwrap();
            assert!(answer.ends_with(word), "{answer}");
            begun.cancel();
        }
        closing.cancel();
        serving.await.unwrap().unwrap();
        assert!(TcpStream::connect(address).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn who_says_nothing_at_first_is_let_go_soon() {
        let begun = Instant::now();
        assert_eq!(answer("").await, "");
        assert_eq!(begun.elapsed().as_secs(), FIRST_HEAD.as_secs());
    }

    /// Returns what a client with an address of its own sees of a request that it does not finish.
    async fn unfinished(from: [u8; 4], to: SocketAddr) -> (TcpStream, [u8; 12]) {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((from, 0))).unwrap();
        let mut stream = socket.connect(to).await.unwrap();
        // The server says so when it waits for the body.
        let head = b"POST /sign-in HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\
                     expect: 100-continue\r\nconnection: close\r\n\r\n";
        stream.write_all(head).await.unwrap();
        let mut begun = [0; 12];
        stream.read_exact(&mut begun).await.unwrap();
        (stream, begun)
    }

    /// Requests of strangers that never end do not block a health check from another address.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn unfinished_requests_keep_nobody_out() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stopping = CancellationToken::new();
        let router = Router::new()
            .route("/healthz", get(|| async { "ok" }))
            .route("/sign-in", post(|_: Bytes| async { "in" }));
        let limited = connections(8, 4);
        let serving = serve(listener, None, router, limited, stopping.clone());
        let serving = tokio::spawn(serving);
        let mut slow = Vec::new();
        for n in 0..40 {
            let (stream, begun) = unfinished([127, 0, 0, 2 + n / 4], address).await;
            assert_eq!(&begun, b"HTTP/1.1 100", "{n}");
            slow.push(stream);
            if n % 10 != 9 {
                continue;
            }
            let mut asking = TcpStream::connect(address).await.unwrap();
            let asked = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
            asking.write_all(asked).await.unwrap();
            let mut answer = String::new();
            asking.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 200"), "{n}: {answer}");
        }
        // The newest is still served when it goes on.
        let mut newest = slow.pop().unwrap();
        newest.write_all(b"123456789").await.unwrap();
        let mut answer = String::new();
        newest.read_to_string(&mut answer).await.unwrap();
        assert!(answer.contains("HTTP/1.1 200"), "{answer}");
        drop((slow, newest));
        stopping.cancel();
        serving.await.unwrap().unwrap();
    }

    /// Idle connections of strangers, many more than allowed, do not block a health check.
    #[tokio::test]
    async fn idle_connections_keep_nobody_out() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stopping = CancellationToken::new();
        let router = Router::new().route("/healthz", axum::routing::get(|| async { "ok" }));
        let limited = connections(8, 4);
        let serving = serve(listener, None, router, limited, stopping.clone());
        let serving = tokio::spawn(serving);
        let mut idle = Vec::new();
        for n in 0..40 {
            idle.push(TcpStream::connect(address).await.unwrap());
            if n % 10 != 9 {
                continue;
            }
            let mut asking = TcpStream::connect(address).await.unwrap();
            let asked = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
            asking.write_all(asked).await.unwrap();
            let mut answer = String::new();
            asking.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 200"), "{n}: {answer}");
        }
        stopping.cancel();
        drop(idle);
        serving.await.unwrap().unwrap();
    }
}
