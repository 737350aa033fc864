//! A browser's requests: signs in with a link, keeps the cookie, opens websockets.

use anyhow::{Context, Result, ensure};
use memchr::memmem;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::socket::Socket;

/// The address of a server, and the session there.
#[derive(Clone, Debug)]
pub(crate) struct Browser {
    /// `host:port`.
    pub(crate) address: String,
    /// `name=value`, or empty.
    cookie: String,
}

/// The head of an answer, and the part of its body that was read.
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    head: String,
    /// The beginning of the body.
    pub(crate) rest: Vec<u8>,
}

impl Browser {
    /// A browser without a session.
    pub(crate) fn new(url: &str) -> Result<Self> {
        let address = url.strip_prefix("http://").context("plain HTTP")?;
        Ok(Self {
            address: address.trim_end_matches('/').to_owned(),
            cookie: String::new(),
        })
    }

    /// Uses a one-time link up.
    pub(crate) async fn sign_in(link: &str) -> Result<Self> {
        let (url, path) = link.split_at(link.find("/sign-in").context("a sign-in link")?);
        let mut browser = Self::new(url)?;
        let headers = "accept: text/html\r\ncontent-length: 0\r\n";
        let (answer, _) = browser.ask("POST", path, headers, "").await?;
        ensure!(
            answer.status == 303,
            "the link was answered with {}",
            answer.status
        );
        let cookie = answer.header("set-cookie").context("no cookie")?;
        browser.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(browser)
    }

    /// Asks for a page; the connection is given up after its head.
    pub(crate) async fn get(&self, path: &str) -> Result<u16> {
        Ok(self.request(path, "accept: text/html\r\n").await?.0.status)
    }

    /// Loads a page to its end; gives status and length.
    pub(crate) async fn page(&self, path: &str) -> Result<(u16, usize)> {
        let headers = "accept: text/html\r\nconnection: close\r\n";
        let (answer, mut stream) = self.request(path, headers).await?;
        let mut body = answer.rest;
        stream.read_to_end(&mut body).await?;
        Ok((answer.status, body.len()))
    }

    /// Opens a websocket.
    pub(crate) async fn socket(&self, path: &str) -> Result<Socket> {
        let upgrade = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                       sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let (answer, stream) = self.request(path, upgrade).await?;
        ensure!(
            answer.status == 101,
            "the websocket was refused: {}",
            answer.status
        );
        Ok(Socket::new(stream, answer.rest))
    }

    /// Opens a stream of server-sent events.
    pub(crate) async fn follow(&self, path: &str) -> Result<(HttpAnswer, TcpStream)> {
        self.request(path, "accept: text/event-stream\r\n").await
    }

    /// The headers of a request of this session over another connection.
    pub(crate) fn signed(&self) -> String {
        let Self { address, cookie } = self;
        format!("origin: http://{address}\r\ncookie: {cookie}\r\n")
    }

    /// Makes an API token in the settings.
    pub(crate) async fn token(&self) -> Result<String> {
        let form = "do=add&name=bench&role=operator&days=1&scope=all";
        let headers = format!(
            "accept: text/html\r\nconnection: close\r\ncontent-length: {}\r\n\
             content-type: application/x-www-form-urlencoded\r\n",
            form.len()
        );
        let path = "/settings/tokens";
        let (answer, mut stream) = self.ask("POST", path, &headers, form).await?;
        let mut page = answer.rest;
        stream.read_to_end(&mut page).await?;
        let page = String::from_utf8_lossy(&page);
        let (_, rest) = page.split_once("plain-secret\">").context("no token")?;
        let (token, _) = rest.split_once('<').context("no end of the token")?;
        Ok(token.to_owned())
    }

    /// Sends JSON as a program with a token.
    pub(crate) async fn post(
        &self,
        stream: &mut TcpStream,
        path: &str,
        token: &str,
        body: &str,
    ) -> Result<HttpAnswer> {
        let headers = format!(
            "authorization: Bearer {token}\r\ncontent-length: {}\r\n\
             content-type: application/json\r\naccept: text/event-stream\r\n",
            body.len()
        );
        self.send(stream, "POST", path, &headers, body).await
    }

    /// Reads the page of metrics to its end, as Prometheus does.
    pub(crate) async fn scrape(&self, token: &str) -> Result<()> {
        let headers = format!(
            "authorization: Bearer {token}\r\nconnection: close\r\n\
             accept: application/openmetrics-text;version=1.0.0\r\n"
        );
        let (answer, mut stream) = self.request("/metrics", &headers).await?;
        ensure!(
            answer.status == 200,
            "the metrics were refused: {}",
            answer.status
        );
        let mut page = answer.rest;
        stream.read_to_end(&mut page).await?;
        ensure!(page.ends_with(b"# EOF\n"), "the metrics were cut off");
        Ok(())
    }

    async fn request(&self, path: &str, headers: &str) -> Result<(HttpAnswer, TcpStream)> {
        self.ask("GET", path, headers, "").await
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<(HttpAnswer, TcpStream)> {
        let mut stream = self.connect().await?;
        let answer = self.send(&mut stream, method, path, headers, body).await?;
        Ok((answer, stream))
    }

    pub(crate) async fn connect(&self) -> Result<TcpStream> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// Sends a request over an open connection, and reads the headers of its answer.
    async fn send(
        &self,
        stream: &mut TcpStream,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<HttpAnswer> {
        let Self { address, cookie } = self;
        let cookie = match cookie.as_str() {
            "" => String::new(),
            cookie => format!("cookie: {cookie}\r\n"),
        };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n{cookie}{headers}\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut read = Vec::with_capacity(4 * 1024);
        let end = loop {
            if let Some(end) = memmem::find(&read, b"\r\n\r\n") {
                break end + 4;
            }
            let more = stream.read_buf(&mut read).await?;
            ensure!(more > 0, "the server closed the connection");
        };
        let rest = read.split_off(end);
        let head = String::from_utf8_lossy(&read).into_owned();
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        Ok(HttpAnswer {
            status: status.context("no status")?,
            head,
            rest,
        })
    }
}

impl HttpAnswer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}
