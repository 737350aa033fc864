//! One socket from its hello to its close.

use std::time::Duration;

use agent::SharedFrame;
use axum::{
    body::Bytes,
    extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket},
};
use futures::{FutureExt, SinkExt, StreamExt};
use protocol::{
    ClientFrame, CloseCode, Command, ErrorBody, ErrorCode, PROTOCOL_VERSION, ServerFrame, TabId,
    Timestamp, Topic, UserId,
};
use sign_in::{Ended, SignedIn};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::{
    commands::{Commands, rejected},
    subscriptions::{Item, Key, Subscriptions},
};
use crate::{
    bucket::Bucket,
    feed::FeedReader,
    http::{Http, RequestId, SocketPlace, log_refusal},
    texts,
};

/// Interval between pings, at which the session is also looked up again.
const PING: Duration = Duration::from_secs(25);
/// A client without any frame for this long counts as gone.
const SILENCE: Duration = Duration::from_secs(60);
/// A client that accepts nothing for this long counts as gone.
const SEND: Duration = Duration::from_secs(30);
/// Time for a client to confirm a close.
const CLOSING: Duration = Duration::from_secs(1);
/// The most list entries sent to a page that was away; more of them come when it is reloaded.
const MAX_MISSED: usize = 200;
/// The most bytes of subscriptions that may wait before another one begins.
const WAITING: usize = 1024 * 1024;
/// The most outgoing frames before incoming ones get their turn.
const BATCH: usize = 256;

/// The reason why a socket ends.
enum End {
    /// The server closes it.
    Close(CloseCode),
    /// The client has closed it, or it broke.
    Gone,
}

/// Serves a socket to its end, and keeps its place until then.
pub(super) async fn run(
    socket: WebSocket,
    http: Http,
    signed_in: SignedIn,
    request: RequestId,
    _place: SocketPlace,
) {
    let person = signed_in.person();
    let auth = http.auth.clone();
    let whose = signed_in.clone();
    let mut signed_out = std::pin::pin!(auth.ended(&whose));
    let mut session = Session {
        commands: Commands::start(http.engine.clone(), person, http.telemetry.clone()),
        subscriptions: Subscriptions::default(),
        frames: Bucket::new(200.0, 50.0),
        socket,
        tab: None,
        http,
        signed_in,
        request,
    };
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ping.reset();
    let mut heard = Instant::now();
    let http = session.http.clone();
    let mut stopping = std::pin::pin!(http.stopping.cancelled());

    let mut end = session.hello().await.err();
    while end.is_none() {
        let result = tokio::select! {
            biased;
            () = &mut stopping => Err(End::Close(CloseCode::Restart)),
            ended = &mut signed_out => Err(End::Close(closing(ended))),
            answer = session.commands.answers.recv() => match answer {
                Some(frame) => session.send(frame).await,
                None => Err(End::Gone),
            },
            message = session.socket.next() => {
                heard = Instant::now();
                match message {
                    Some(Ok(message)) => session.receive(message).await,
                    Some(Err(_)) | None => Err(End::Gone),
                }
            }
            item = session.subscriptions.next() => match item {
                Some(item) => session.forward(item).await,
                None => Ok(()),
            },
            _ = ping.tick() => session.check(heard).await,
        };
        end = result.err();
    }
    if let Some(End::Close(code)) = end {
        session.close(code).await;
        // Reads what the client still sends: closing on unread data resets a connection, and the
        // client might never see the code.
        let answered = timeout(CLOSING, async {
            while let Some(Ok(_)) = session.socket.next().await {}
        });
        if answered.await.is_err() {
            tracing::debug!("a client did not answer the close frame in time");
        }
    }
}

/// Gives a client limited time to accept everything that goes out together: one check of the clock
/// per frame would be too expensive.
async fn in_time(sending: impl Future<Output = Result<(), End>>) -> Result<(), End> {
    match timeout(SEND, sending).await {
        Ok(result) => result,
        Err(_) => Err(End::Close(CloseCode::TooSlow)),
    }
}

/// Returns the code that tells the page what to do. With a lower role it reconnects at once, and
/// subscribes to what that role allows.
fn closing(ended: Ended) -> CloseCode {
    match ended {
        Ended::SignedOut => CloseCode::SignedOut,
        Ended::Demoted => CloseCode::Restart,
    }
}

struct Session {
    http: Http,
    signed_in: SignedIn,
    /// The request that opened the socket.
    request: RequestId,
    commands: Commands,
    subscriptions: Subscriptions,
    /// Rate limit of the client's frames.
    frames: Bucket,
    socket: WebSocket,
    /// The tab, once it has shown a stage.
    tab: Option<TabId>,
}

impl Session {
    async fn hello(&mut self) -> Result<(), End> {
        let hello = ServerFrame::Hello {
            protocol: PROTOCOL_VERSION,
            build: self.http.build.clone(),
            now: self.http.now(),
        };
        self.send(SharedFrame::new(&hello)).await
    }

    async fn receive(&mut self, message: Message) -> Result<(), End> {
        let text = match message {
            Message::Text(text) => text,
            Message::Close(_) => return Err(End::Gone),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Binary(_) => return self.malformed(texts::http::NO_BINARY_FRAMES).await,
        };
        if self.frames.take(1.0).is_err() {
            return Err(End::Close(CloseCode::RateLimited));
        }
        match serde_json::from_str(text.as_str()) {
            Ok(ClientFrame::Subscribe { topic }) => self.subscribe(topic).await,
            Ok(ClientFrame::Unsubscribe { topic }) => {
                match topic {
                    Topic::Conversation { conversation, .. } => {
                        self.subscriptions.remove(&Key::Conversation(conversation));
                    }
                    Topic::Conversations { .. } => self.subscriptions.remove(&Key::Conversations),
                    Topic::Board { board } => self.subscriptions.remove(&Key::Board(board)),
                    Topic::Feed { .. } => self.subscriptions.remove(&Key::Feed),
                    Topic::Stage { toolset, .. } => {
                        self.tab = None;
                        self.subscriptions.remove(&Key::Stage(toolset));
                    }
                    Topic::Unknown => {}
                }
                Ok(())
            }
            Ok(ClientFrame::Command { id, command }) => {
                let user = self.signed_in.user.id;
                if let Err(error) = charge(&self.http, user, &command).await {
                    return self.send(SharedFrame::new(&rejected(id, error))).await;
                }
                if let Some(tab) = self.tab {
                    self.http.engine.came_from(user, &command, tab);
                }
                self.commands.take(id, command);
                Ok(())
            }
            Ok(ClientFrame::Ping { n }) => {
                self.send(SharedFrame::new(&ServerFrame::Pong { n })).await
            }
            Ok(ClientFrame::Unknown) => self.malformed(texts::http::UNKNOWN_FRAME).await,
            Err(error) => {
                self.malformed(&texts::http::frame_cannot_be_read(&error))
                    .await
            }
        }
    }

    async fn subscribe(&mut self, topic: Topic) -> Result<(), End> {
        // The missed events of one conversation may be many. The next is read once the client has
        // accepted the waiting ones, so that a socket that requests and does not read takes little
        // memory.
        while self.subscriptions.waiting() > WAITING
            && let Some(item) = self.subscriptions.next().now_or_never().flatten()
        {
            self.forward(item).await?;
        }
        match topic {
            Topic::Conversation {
                conversation,
                after,
            } => {
                let engine = &self.http.engine;
                let person = self.signed_in.person();
                let error = match Box::pin(engine.subscribe(person, conversation, after)).await {
                    Ok(subscription) => {
                        let key = Key::Conversation(conversation);
                        if self.subscriptions.insert(key, subscription) {
                            return Ok(());
                        }
                        too_many()
                    }
                    Err(error) => error,
                };
                let error = self.refused(error);
                self.send(SharedFrame::new(&ServerFrame::Unsubscribed {
                    conversation,
                    error,
                }))
                .await
            }
            Topic::Conversations { since } => {
                let subscription = self.http.engine.subscribe_list(self.signed_in.person());
                self.subscriptions.insert(Key::Conversations, subscription);
                self.catch_up(since).await
            }
            Topic::Board { board } => {
                let scope = self.signed_in.scope();
                let error = match self.http.engine.subscribe_board(&scope, &board) {
                    Ok(subscription) => {
                        let key = Key::Board(board.clone());
                        if self.subscriptions.insert(key, subscription) {
                            return Ok(());
                        }
                        too_many()
                    }
                    Err(error) => error,
                };
                let error = self.refused(error);
                self.send(SharedFrame::new(&ServerFrame::BoardRefused {
                    board,
                    error,
                }))
                .await
            }
            Topic::Feed { .. } if self.signed_in.user.toolsets.is_some() => {
                self.malformed(texts::http::NEEDS_ALL_TOOLSETS).await
            }
            Topic::Feed { after } => {
                let reader = FeedReader {
                    user: self.signed_in.user.id,
                    role: self.signed_in.user.role.min(self.signed_in.limit),
                };
                let subscription = self.http.feed.subscribe(reader, after);
                if self.subscriptions.insert(Key::Feed, subscription) {
                    Ok(())
                } else {
                    self.malformed(texts::http::TOO_MANY_SUBSCRIPTIONS).await
                }
            }
            Topic::Stage {
                toolset,
                tab,
                conversation,
                visible,
            } => {
                let engine = &self.http.engine;
                let person = self.signed_in.person();
                let name = toolset.clone();
                match engine.subscribe_stage(&person, name, tab, conversation, visible) {
                    Ok(subscription) => {
                        self.tab = Some(tab);
                        if self.subscriptions.insert(Key::Stage(toolset), subscription) {
                            Ok(())
                        } else {
                            self.malformed(texts::http::TOO_MANY_SUBSCRIPTIONS).await
                        }
                    }
                    Err(error) => {
                        let error = self.refused(error);
                        self.send(SharedFrame::new(&ServerFrame::Error { error }))
                            .await
                    }
                }
            }
            Topic::Unknown => self.malformed(texts::http::UNKNOWN_TOPIC).await,
        }
    }

    /// Sends the list entries that changed since a time, the state of the kill switch, and the
    /// number of notices.
    async fn catch_up(&mut self, since: Timestamp) -> Result<(), End> {
        let user = &self.signed_in.user;
        let store = &self.http.store;
        let changed = store.conversations_since(user.id, since, MAX_MISSED).await;
        let changed = match (changed, &user.toolsets) {
            (Ok(changed), Some(toolsets)) => store.within(changed, toolsets).await,
            (changed, _) => changed,
        };
        let mut frames: Vec<_> = match changed {
            Ok(changed) => {
                let lines = changed.into_iter().rev();
                lines
                    .map(|summary| ServerFrame::Conversation { summary })
                    .collect()
            }
            Err(error) => {
                tracing::error!(%error, "the list of conversations cannot be read");
                Vec::new()
            }
        };
        if let Some(state) = self.http.engine.kill_switch().await {
            frames.push(ServerFrame::KillSwitch { state });
        }
        frames.push(ServerFrame::Notices {
            count: self.http.engine.notice_count(),
            raised: None,
        });
        if let Some(error) = self.http.engine.storage_outage() {
            frames.push(ServerFrame::Storage { error: Some(error) });
        }
        match self.http.engine.second_calls(self.signed_in.person()).await {
            Ok(calls) => frames.push(ServerFrame::Seconds { calls }),
            Err(error) => tracing::error!(?error, "what waits for a second person is unknown"),
        }
        in_time(async {
            for frame in frames {
                self.feed(SharedFrame::new(&frame)).await?;
            }
            self.flush().await
        })
        .await
    }

    /// Sends the output of a subscription, with everything that waits behind it, in one go.
    async fn forward(&mut self, item: Item) -> Result<(), End> {
        in_time(async {
            let mut item = Some(item);
            let mut sent = 0;
            while let Some(next) = item {
                match next {
                    Item::Frame(frame) => self.feed(frame).await?,
                    Item::TooSlow => return Err(End::Close(CloseCode::TooSlow)),
                }
                sent += 1;
                item = match sent {
                    BATCH.. => None,
                    _ => self.subscriptions.next().now_or_never().flatten(),
                };
            }
            self.flush().await
        })
        .await
    }

    async fn check(&mut self, heard: Instant) -> Result<(), End> {
        if heard.elapsed() > SILENCE {
            return Err(End::Close(CloseCode::Silent));
        }
        if let Err(ended) = self.http.auth.check(&self.signed_in).await {
            return Err(End::Close(closing(ended)));
        }
        in_time(async {
            self.write(Message::Ping(Bytes::new())).await?;
            self.flush().await
        })
        .await
    }

    async fn malformed(&mut self, message: &str) -> Result<(), End> {
        let error = self.refused(ErrorBody::new(ErrorCode::Malformed, message));
        self.send(SharedFrame::new(&ServerFrame::Error { error }))
            .await
    }

    /// The error of a frame that is no command and so has no id of its own: it has that of the request
    /// that opened the socket, by which the log has it.
    fn refused(&self, error: ErrorBody) -> ErrorBody {
        let id = self.request.0.as_str();
        log_refusal("frame", id, error.code);
        error.of_request(id)
    }

    async fn send(&mut self, frame: SharedFrame) -> Result<(), End> {
        in_time(async {
            self.feed(frame).await?;
            self.flush().await
        })
        .await
    }

    async fn feed(&mut self, frame: SharedFrame) -> Result<(), End> {
        match Utf8Bytes::try_from(frame.into_bytes()) {
            Ok(text) => self.write(Message::Text(text)).await,
            Err(error) => {
                tracing::error!(%error, "a frame is not UTF-8");
                Ok(())
            }
        }
    }

    async fn write(&mut self, message: Message) -> Result<(), End> {
        self.socket.feed(message).await.map_err(|_| End::Gone)
    }

    async fn flush(&mut self) -> Result<(), End> {
        self.socket.flush().await.map_err(|_| End::Gone)
    }

    async fn close(&mut self, code: CloseCode) {
        let reason = match code {
            CloseCode::Restart => texts::http::SERVER_IS_RESTARTING,
            CloseCode::SignedOut => texts::http::SESSION_HAS_ENDED,
            CloseCode::TooSlow => texts::http::READS_TOO_SLOWLY,
            CloseCode::RateLimited => texts::http::TOO_MANY_FRAMES,
            CloseCode::Silent => texts::http::NO_SIGN_OF_LIFE,
        };
        let frame = CloseFrame {
            code: code.number(),
            reason: Utf8Bytes::from_static(reason),
        };
        let closed = timeout(CLOSING, self.socket.send(Message::Close(Some(frame))));
        if !matches!(closed.await, Ok(Ok(()))) {
            tracing::debug!(reason, "a socket was gone before it could be closed");
        }
    }
}

/// Charges the user's quotas for a command, before anything is written.
async fn charge(http: &Http, user: UserId, command: &Command) -> Result<(), ErrorBody> {
    http.allowances.command(user, command)?;
    if let Command::Branch { from, message, .. } = command {
        // A branch copies all that stands above its message, whatever its own size is.
        let copied = http.store.copied_by_branch(user, *from, *message).await;
        let copied = copied.map_err(|error| {
            tracing::error!(%error, "the size of a branch cannot be read");
            ErrorBody::new(
                ErrorCode::StorageFailed,
                texts::http::CONVERSATION_COULD_NOT_BE_READ,
            )
            .with_help(texts::http::TRY_AGAIN_LATER)
        })?;
        let copied = usize::try_from(copied).unwrap_or(usize::MAX);
        http.allowances.keep(user, copied)?;
    }
    Ok(())
}

fn too_many() -> ErrorBody {
    let message = texts::http::PAGE_FOLLOWS_TOO_MUCH;
    ErrorBody::new(ErrorCode::RateLimited, message)
}
