//! One websocket of a tab.

use std::{
    net::Shutdown,
    os::fd::AsFd,
    sync::{Arc, Mutex, Weak},
};

use futures::{SinkExt, StreamExt};
use protocol::{
    ClientFrame, Command, CommandId, ConversationId, ErrorBody, PROTOCOL_VERSION, Seq, ServerFrame,
    Timestamp, Topic,
};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use crate::{client::Browser, harness::soon, view::View};

/// The connections of this process's sockets, with the address of each one's server.
static CONNECTIONS: Mutex<Vec<(String, Weak<std::net::TcpStream>)>> = Mutex::new(Vec::new());

/// Tells a server on all connections to it that nothing more comes; what it sends can still be read.
pub(crate) fn hang_up(server: &str) {
    CONNECTIONS.lock().unwrap().retain(|(address, connection)| {
        let is_to_it = address == server;
        if is_to_it && let Some(connection) = connection.upgrade() {
            // It may have ended already.
            drop(connection.shutdown(Shutdown::Write));
        }
        !is_to_it
    });
}

/// A websocket that follows at most one conversation.
pub(crate) struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// The same connection, kept for [`hang_up`] as long as the socket is.
    _connection: Arc<std::net::TcpStream>,
    pub(crate) view: View,
    pings: u64,
}

impl Socket {
    pub(crate) async fn open(browser: &Browser) -> Self {
        Self::open_with(browser, &[]).await
    }

    /// The same with more headers, such as those of a reverse proxy.
    pub(crate) async fn open_with(browser: &Browser, lines: &[(&'static str, &str)]) -> Self {
        let address = browser.url.strip_prefix("http://").unwrap();
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        let headers = request.headers_mut();
        match browser.token() {
            Some(token) => headers.insert("authorization", token.parse().unwrap()),
            None => headers.insert("origin", browser.url.parse().unwrap()),
        };
        if let Some(cookie) = browser.cookie() {
            headers.insert("cookie", cookie.parse().unwrap());
        }
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        let tcp = TcpStream::connect(address).await.unwrap();
        let server = tcp.peer_addr().unwrap().to_string();
        let connection = tcp.as_fd().try_clone_to_owned().unwrap();
        let connection = Arc::new(std::net::TcpStream::from(connection));
        let known = (server, Arc::downgrade(&connection));
        CONNECTIONS.lock().unwrap().push(known);
        let (stream, _) = soon("an upgrade", client_async(request, tcp))
            .await
            .unwrap();
        let mut socket = Self {
            stream,
            _connection: connection,
            view: View::default(),
            pings: 0,
        };
        match socket.next().await {
            ServerFrame::Hello { protocol, .. } => assert_eq!(protocol, PROTOCOL_VERSION),
            other => panic!("hello comes first, not {other:?}"),
        }
        socket
    }

    /// The next frame, taken into the view.
    pub(crate) async fn next(&mut self) -> ServerFrame {
        loop {
            let message = soon("a frame", self.stream.next()).await;
            match message.expect("the socket is open").unwrap() {
                Message::Text(text) => {
                    let frame = serde_json::from_str(text.as_str()).unwrap();
                    self.view.apply(&frame);
                    return frame;
                }
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("a text frame, not {other:?}"),
            }
        }
    }

    /// The first frame that is as wanted.
    pub(crate) async fn until<T>(&mut self, mut want: impl FnMut(ServerFrame) -> Option<T>) -> T {
        loop {
            if let Some(found) = want(self.next().await) {
                return found;
            }
        }
    }

    /// Reads until the view is as wanted.
    pub(crate) async fn see(&mut self, want: impl Fn(&View) -> bool) {
        while !want(&self.view) {
            self.next().await;
        }
    }

    /// Reads to the end; returns the code of the close frame.
    pub(crate) async fn closed(&mut self) -> Option<u16> {
        loop {
            match soon("the close", self.stream.next()).await {
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    }

    pub(crate) async fn send(&mut self, frame: &ClientFrame) {
        self.text(serde_json::to_string(frame).unwrap()).await;
    }

    pub(crate) async fn text(&mut self, text: impl Into<String>) {
        self.raw(Message::Text(text.into().into())).await;
    }

    pub(crate) async fn raw(&mut self, message: Message) {
        self.try_raw(message).await.unwrap();
    }

    /// Sends a message that may not be read any longer.
    pub(crate) async fn try_raw(
        &mut self,
        message: Message,
    ) -> Result<(), tokio_tungstenite::tungstenite::Error> {
        soon("a send", self.stream.send(message)).await
    }

    /// Buffers a frame that the next flush sends.
    pub(crate) async fn feed(&mut self, frame: &ClientFrame) -> bool {
        let text = serde_json::to_string(frame).unwrap();
        self.stream.feed(Message::Text(text.into())).await.is_ok()
    }

    /// Sends a command under a new id; returns its answer.
    pub(crate) async fn command(&mut self, command: Command) -> Result<(), ErrorBody> {
        self.command_as(new_command(), command).await
    }

    /// Sends a command; returns its answer.
    pub(crate) async fn command_as(
        &mut self,
        id: CommandId,
        command: Command,
    ) -> Result<(), ErrorBody> {
        self.send(&ClientFrame::Command { id, command }).await;
        self.answer(id).await
    }

    /// The answer to a command.
    pub(crate) async fn answer(&mut self, id: CommandId) -> Result<(), ErrorBody> {
        self.until(|frame| match frame {
            ServerFrame::Accepted { id: of } if of == id => Some(Ok(())),
            ServerFrame::Rejected { id: of, error } if of == id => Some(Err(error)),
            _ => None,
        })
        .await
    }

    /// Follows a conversation from an event on; returns when it has everything that it missed.
    pub(crate) async fn subscribe(
        &mut self,
        conversation: ConversationId,
        after: Seq,
    ) -> Result<Seq, ErrorBody> {
        self.view.head = after;
        let topic = Topic::Conversation {
            conversation,
            after,
        };
        self.send(&ClientFrame::Subscribe { topic }).await;
        self.until(|frame| match frame {
            ServerFrame::Subscribed {
                conversation: of,
                head,
            } if of == conversation => Some(Ok(head)),
            ServerFrame::Unsubscribed {
                conversation: of,
                error,
            } if of == conversation => Some(Err(error)),
            _ => None,
        })
        .await
    }

    /// Stops following a conversation; returns the newest event that came before.
    pub(crate) async fn unsubscribed(&mut self, conversation: ConversationId) -> Seq {
        let topic = Topic::Conversation {
            conversation,
            after: Seq(0),
        };
        self.send(&ClientFrame::Unsubscribe { topic }).await;
        self.alive().await;
        self.view.head
    }

    /// Follows the list of conversations.
    pub(crate) async fn subscribe_list(&mut self) {
        let topic = Topic::Conversations {
            since: protocol::Timestamp(i64::MAX),
        };
        self.send(&ClientFrame::Subscribe { topic }).await;
        self.alive().await;
    }

    /// Checks that the socket still answers.
    pub(crate) async fn alive(&mut self) {
        self.pings += 1;
        let n = self.pings;
        self.send(&ClientFrame::Ping { n }).await;
        self.until(|frame| (frame == ServerFrame::Pong { n }).then_some(()))
            .await;
    }

    /// Starts a conversation and follows it.
    pub(crate) async fn start(&mut self, conversation: ConversationId, text: &str) {
        self.command(start(conversation, text)).await.unwrap();
        self.subscribe(conversation, Seq(0)).await.unwrap();
    }
}

/// The command that starts a conversation.
pub(crate) fn start(conversation: ConversationId, text: &str) -> Command {
    Command::start(conversation, text)
}

/// A new identifier for a command, as a browser makes it.
pub(crate) fn new_command() -> CommandId {
    CommandId::new(Timestamp(1_700_000_000_000), rand::random())
}
