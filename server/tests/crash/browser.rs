//! A browser: a session, sockets, files.

use std::collections::VecDeque;

use anyhow::{Context, bail, ensure};
use futures::{SinkExt, StreamExt};
use protocol::{ClientFrame, Reference, ServerFrame};
use reqwest::{
    RequestBuilder, StatusCode,
    header::{ACCEPT, COOKIE, ORIGIN, SET_COOKIE},
    redirect::Policy,
};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Error, Message, client::IntoClientRequest},
};

use crate::letter::Letter;

/// The server is gone.
pub(crate) struct Lost;

/// The result of a request: the outer error is a failure of the test.
pub(crate) type Outcome<T> = anyhow::Result<Result<T, Lost>>;

/// A browser of one person.
pub(crate) struct Browser {
    http: reqwest::Client,
    /// The server's current address: a restart has another port.
    url: String,
    /// Sign-in links that were not used yet: paths, or a whole address.
    links: VecDeque<String>,
    /// The session with the server at this address.
    session: Option<Session>,
}

#[derive(Clone)]
struct Session {
    url: String,
    cookie: String,
}

impl Browser {
    /// One that can sign in with these links, each of them once.
    pub(crate) fn new(links: impl IntoIterator<Item = String>) -> anyhow::Result<Self> {
        Ok(Self {
            http: reqwest::Client::builder()
                .redirect(Policy::none())
                .no_proxy()
                .build()?,
            url: String::new(),
            links: links.into_iter().collect(),
            session: None,
        })
    }

    /// Goes to a server that has just started.
    pub(crate) fn go(&mut self, url: &str) {
        url.clone_into(&mut self.url);
    }

    /// Goes to a server that has just started, with the link that it printed. Returns the server's
    /// address.
    pub(crate) fn go_with(&mut self, link: &str) -> anyhow::Result<String> {
        let (url, _) = link.split_at(link.find("/sign-in").context("a sign-in link")?);
        self.go(url);
        self.links.clear();
        self.links.push_back(link.to_owned());
        Ok(url.to_owned())
    }

    /// Opens a websocket.
    pub(crate) async fn socket(&mut self) -> Outcome<Socket> {
        let Ok(cookie) = self.cookie().await? else {
            return Ok(Err(Lost));
        };
        let address = self.url.strip_prefix("http://").context("plain HTTP")?;
        let mut request = format!("ws://{address}/ws").into_client_request()?;
        request.headers_mut().insert("origin", self.url.parse()?);
        request.headers_mut().insert("cookie", cookie.parse()?);
        let Ok(stream) = TcpStream::connect(address).await else {
            return Ok(Err(Lost));
        };
        match client_async(request, stream).await {
            Ok((socket, _)) => Ok(Ok(Socket(socket))),
            Err(Error::Http(response)) => {
                bail!("the websocket was refused: {}", response.status())
            }
            Err(_) => Ok(Err(Lost)),
        }
    }

    /// Sends a file up.
    pub(crate) async fn upload(&mut self, name: &str, content: &[u8]) -> Outcome<Reference> {
        let to = format!("{}/files?name={name}", self.url);
        let request = self.http.post(to).body(content.to_vec());
        self.send(request).await.and_then(|answer| match answer {
            Ok(body) => Ok(Ok(serde_json::from_slice(&body)?)),
            Err(Lost) => Ok(Err(Lost)),
        })
    }

    /// Reads a file.
    pub(crate) async fn file(&mut self, id: &str) -> Outcome<Vec<u8>> {
        let request = self.http.get(format!("{}/files/{id}", self.url));
        self.send(request).await
    }

    async fn send(&mut self, request: RequestBuilder) -> Outcome<Vec<u8>> {
        let Ok(cookie) = self.cookie().await? else {
            return Ok(Err(Lost));
        };
        let request = request.header(COOKIE, cookie).header(ORIGIN, &self.url);
        let Ok(response) = request.send().await else {
            return Ok(Err(Lost));
        };
        let (path, status) = (response.url().path().to_owned(), response.status());
        let Ok(body) = response.bytes().await else {
            return Ok(Err(Lost));
        };
        let said = String::from_utf8_lossy(&body);
        ensure!(status.is_success(), "{path}: {status}, {said}");
        Ok(Ok(body.into()))
    }

    /// The cookie for the server that is there now; signs in if it has none for it yet.
    async fn cookie(&mut self) -> Outcome<String> {
        if let Some(session) = self.session.as_ref().filter(|it| it.url == self.url) {
            return Ok(Ok(session.cookie.clone()));
        }
        // After a crash it is not known whether a link was used up.
        let link = self.links.pop_front().context("no sign-in link is left")?;
        let link = if link.starts_with('/') {
            format!("{}{link}", self.url)
        } else {
            link
        };
        let Ok(cookie) = self.sign_in(&link).await? else {
            return Ok(Err(Lost));
        };
        self.session = Some(Session {
            url: self.url.clone(),
            cookie: cookie.clone(),
        });
        Ok(Ok(cookie))
    }

    /// Uses a link up, like the button of its page.
    async fn sign_in(&self, link: &str) -> Outcome<String> {
        let press = self.http.post(link).header(ORIGIN, &self.url);
        let Ok(response) = press.header(ACCEPT, "text/html").send().await else {
            return Ok(Err(Lost));
        };
        let status = response.status();
        ensure!(
            status == StatusCode::SEE_OTHER,
            "the link was answered with {status}"
        );
        let cookie = response.headers().get(SET_COOKIE).context("no cookie")?;
        let cookie = cookie.to_str()?.split(';').next().unwrap_or_default();
        Ok(Ok(cookie.to_owned()))
    }
}

/// A websocket.
pub(crate) struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// The next frame.
    pub(crate) async fn next(&mut self) -> Outcome<ServerFrame> {
        loop {
            return match self.0.next().await {
                Some(Ok(Message::Text(text))) => Ok(Ok(serde_json::from_str(text.as_str())?)),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => Ok(Err(Lost)),
                Some(Ok(other)) => bail!("a text frame, not {other:?}"),
            };
        }
    }

    pub(crate) async fn letter(&mut self, letter: &Letter) -> Result<(), Lost> {
        let (id, command) = (letter.id, letter.command.clone());
        self.send(&ClientFrame::Command { id, command }).await
    }

    pub(crate) async fn send(&mut self, frame: &ClientFrame) -> Result<(), Lost> {
        let text = serde_json::to_string(frame).map_err(|_| Lost)?;
        let sent = self.0.send(Message::Text(text.into())).await;
        sent.map_err(|_| Lost)
    }
}
