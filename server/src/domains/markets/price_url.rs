//! Prices that another program on this machine serves over HTTP.
//!
//! A request is one of HTTP/1.0, so that the answer ends with the connection. Redirects are not
//! followed, and nothing leaves this machine.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::Path,
    time::Duration,
};

use async_trait::async_trait;
use axum::http::Uri;
use markets::PriceSource;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::Mutex,
    time::Instant,
};

use super::{MAX_PRICES, texts};

/// The largest head of an answer, in bytes.
const MAX_HEAD: u64 = 8 * 1024;
/// Time for which an answer is used again: charts, alerts and positions ask on their own.
const FRESH: Duration = Duration::from_millis(200);

/// An address on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalUrl {
    authority: String,
    addresses: Vec<SocketAddr>,
    target: String,
}

impl LocalUrl {
    /// Returns whether a path is meant as a URL.
    pub(super) fn is_meant(path: &Path) -> bool {
        path.to_str().is_some_and(|text| text.contains("://"))
    }

    /// Reads `http://127.0.0.1:7400/prices`. `None` if it is another scheme or machine.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let uri: Uri = path.to_str()?.parse().ok()?;
        let authority = uri.authority()?;
        if uri.scheme_str() != Some("http") || authority.as_str().contains('@') {
            return None;
        }
        let host = authority.host();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let hosts: Vec<IpAddr> = if host == "localhost" {
            vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]
        } else {
            vec![bare.parse().ok()?]
        };
        if !hosts.iter().all(IpAddr::is_loopback) {
            return None;
        }
        let port = authority.port_u16().unwrap_or(80);
        let addresses = hosts.into_iter().map(|host| SocketAddr::new(host, port));
        let target = uri.path_and_query().map_or("/", |target| target.as_str());
        Some(Self {
            authority: authority.as_str().to_owned(),
            addresses: addresses.collect(),
            target: target.to_owned(),
        })
    }

    async fn get(&self) -> Result<String, String> {
        let failed = |error: std::io::Error| texts::program_of_prices(&error);
        let mut stream = TcpStream::connect(&self.addresses[..])
            .await
            .map_err(failed)?;
        let Self {
            authority, target, ..
        } = self;
        let request = format!("GET {target} HTTP/1.0\r\nhost: {authority}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.map_err(failed)?;
        let mut answer = Vec::new();
        let most = MAX_HEAD + MAX_PRICES;
        let mut limited = stream.take(most + 1);
        limited.read_to_end(&mut answer).await.map_err(failed)?;
        if answer.len() as u64 > most {
            return Err(texts::program_of_prices_says_more(most));
        }
        body(&answer).map_err(str::to_owned)
    }
}

/// The text of a whole answer.
fn body(answer: &[u8]) -> Result<String, &'static str> {
    let answer = std::str::from_utf8(answer).map_err(|_| texts::ANSWER_IS_NO_TEXT)?;
    let (head, body) = answer
        .split_once("\r\n\r\n")
        .ok_or(texts::ANSWER_IS_NOT_HTTP)?;
    let mut lines = head.split("\r\n");
    let mut status = lines.next().unwrap_or_default().split(' ');
    if !status.next().unwrap_or_default().starts_with("HTTP/1.") {
        return Err(texts::ANSWER_IS_NOT_HTTP);
    }
    if status.next() != Some("200") {
        return Err(texts::ANSWER_IS_NOT_200);
    }
    for line in lines {
        let (name, value) = line.split_once(':').ok_or(texts::ANSWER_IS_NOT_HTTP)?;
        let value = value.trim();
        if name.eq_ignore_ascii_case("transfer-encoding") {
            return Err(texts::ANSWER_IN_CHUNKS);
        }
        if name.eq_ignore_ascii_case("content-length") && value != body.len().to_string() {
            return Err(texts::ANSWER_HAS_ANOTHER_LENGTH);
        }
    }
    Ok(body.to_owned())
}

/// The newest answer, with the time at which it was complete.
type LastAnswer = Option<(Instant, Result<String, String>)>;

/// The prices at an address.
pub(super) struct ServedPrices {
    url: LocalUrl,
    last: Mutex<LastAnswer>,
}

impl ServedPrices {
    pub(super) fn new(url: LocalUrl) -> Self {
        Self {
            url,
            last: Mutex::default(),
        }
    }
}

#[async_trait]
impl PriceSource for ServedPrices {
    async fn read(&self) -> Result<String, String> {
        let mut last = self.last.lock().await;
        if let Some((at, answer)) = &*last
            && at.elapsed() < FRESH
        {
            return answer.clone();
        }
        let answer = self.url.get().await;
        *last = Some((Instant::now(), answer.clone()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    fn url(text: &str) -> Option<LocalUrl> {
        LocalUrl::of(Path::new(text))
    }

    #[test]
    fn only_this_machine_is_asked() {
        for text in [
            "http://127.0.0.1:7400/prices",
            "http://localhost:7400/prices?of=all",
            "http://[::1]:7400",
        ] {
            assert!(url(text).is_some(), "{text}");
        }
        for text in [
            "https://127.0.0.1:7400/prices",
            "http://192.0.2.7/prices",
            "http://127.0.0.1.example.org/prices",
            "http://localhost.example.org/prices",
            "http://localhost@example.org/prices",
            "http://127.0.0.1/a b",
            "http://",
        ] {
            assert!(LocalUrl::is_meant(Path::new(text)), "{text}");
            assert_eq!(url(text), None, "{text}");
        }
    }

    #[tokio::test]
    async fn a_hostile_answer_is_a_reason() {
        let huge = format!("HTTP/1.0 200 OK\r\n\r\n{}", "x".repeat(80_000));
        for (answer, expect) in [
            ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", Ok("{}")),
            ("HTTP/1.1 200 OK\r\n\r\n{}", Ok("{}")),
            ("", Err("no answer of HTTP")),
            ("{}", Err("no answer of HTTP")),
            ("HTTP/1.0 302 Found\r\nlocation: /\r\n\r\n", Err("not 200")),
            (
                "HTTP/1.0 200 OK\r\ncontent-length: 9\r\n\r\n{",
                Err("length"),
            ),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n",
                Err("chunks"),
            ),
            (&huge, Err("bytes")),
        ] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let answering = async {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = [0; 16];
                stream.read_exact(&mut request).await.unwrap();
                assert_eq!(&request[..12], b"GET /prices ");
                // The client may have gone after its limit.
                drop(stream.write_all(answer.as_bytes()).await);
                drop(stream.shutdown().await);
                let mut rest = Vec::new();
                drop(stream.read_to_end(&mut rest).await);
            };
            let url = url(&format!("http://{address}/prices")).unwrap();
            let source = ServedPrices::new(url);
            let ((), said) = tokio::join!(answering, source.read());
            match (said, expect) {
                (Ok(said), Ok(expect)) => assert_eq!(said, expect),
                (Err(said), Err(expect)) => assert!(said.contains(expect), "{said}"),
                (said, expect) => panic!("{said:?} is not {expect:?}"),
            }
        }
    }
}
