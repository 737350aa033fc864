//! The connection to one server: made, kept, made again.

use std::{
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use agent::ports::Progress;
use async_trait::async_trait;
use mcp_client::{Presence, ReadRequest, ServedTool, ServerFault, ServerResult, ToolServer};
use rmcp::{
    Peer, RoleClient, ServiceError,
    model::{
        self, CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientRequest,
        RequestId,
    },
    service::{PeerRequestOptions, RunningService},
    transport::async_rw::AsyncRwTransport,
};
use serde_json::{Value, json};
use tokio::{
    runtime::Handle,
    sync::{Notify, watch},
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    backoff::Backoff,
    child::ServerChild,
    child_room::ChildRoom,
    content,
    events::{ProgressReports, ServerEvents},
    fault::ConnectFault,
    handshake::serve,
    last_words::last_words,
    listing::list,
    reading,
    settings::{ServerSettings, ServerTransport},
    sign_in::SignInState,
    signed_client::sign_in_fault,
    stderr::StderrLog,
};

/// Pause after a change of the list: a flood of changes is read once.
const SETTLE: Duration = Duration::from_secs(2);
/// Pause between two looks at the list. It finds a server that is gone, and changes of those that do not tell
/// of them.
const REFRESH: Duration = Duration::from_secs(60);
/// After this long, a connection that ends is made again without a wait.
const STABLE: Duration = Duration::from_secs(60);

/// Looks for the end of a program that answered wrongly or not at all, and the pause before each.
const END_LOOKS: u32 = 20;
const END_PAUSE: Duration = Duration::from_millis(50);

/// The state of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectionState {
    Starting,
    Connected,
    Down(ConnectFault),
}

/// The connection to a server. Clones are the same connection.
#[derive(Clone)]
pub struct McpConnection(Arc<SharedConnection>);

struct SharedConnection {
    settings: ServerSettings,
    room: ChildRoom,
    log: StderrLog,
    now: Mutex<ConnectionNow>,
    presence: watch::Sender<Presence>,
}

struct ConnectionNow {
    state: ConnectionState,
    live: Option<LivePeer>,
}

/// The other side of a connection that stands.
#[derive(Clone)]
struct LivePeer {
    peer: Peer<RoleClient>,
    reports: Arc<ProgressReports>,
}

/// A new connection. Dropped, it ends, and so does its child.
struct NewConnection {
    service: RunningService<RoleClient, ServerEvents>,
    child: Option<ServerChild>,
    reports: Arc<ProgressReports>,
    changed: Arc<Notify>,
    tools: Vec<ServedTool>,
}

impl McpConnection {
    /// A connection that nobody has made yet. Its program has the default bounds to itself.
    pub fn new(settings: ServerSettings) -> Self {
        Self::within(settings, &ChildRoom::default())
    }

    /// The same, with a room that other programs share.
    pub fn within(settings: ServerSettings, room: &ChildRoom) -> Self {
        Self(Arc::new(SharedConnection {
            settings,
            room: room.clone(),
            log: StderrLog::default(),
            now: Mutex::new(ConnectionNow {
                state: ConnectionState::Starting,
                live: None,
            }),
            presence: watch::Sender::new(Presence::Unknown),
        }))
    }

    /// Its state now.
    pub fn state(&self) -> ConnectionState {
        self.0.now(|now| now.state.clone())
    }

    /// Its presence, as it changes. One that was ended here is not away.
    pub fn presence(&self) -> watch::Receiver<Presence> {
        self.0.presence.subscribe()
    }

    /// The state of its sign-in, if it has one.
    pub fn sign_in(&self) -> Option<SignInState> {
        let sign_in = self.0.settings.transport.sign_in();
        sign_in.map(|sign_in| sign_in.state())
    }

    /// The newest lines of the program's standard error.
    pub fn log(&self) -> Vec<String> {
        self.0.log.lines()
    }

    /// Connects once, reads the list and ends the connection.
    ///
    /// # Errors
    /// It cannot be connected, or its list cannot be read.
    pub async fn listed_once(&self) -> Result<Vec<ServedTool>, ConnectFault> {
        let session = self.0.connect().await?;
        Ok(session.tools)
    }

    /// Keeps the connection until `closing`, and tells every list of tools that was read.
    pub async fn run(
        &self,
        listed: impl Fn(Vec<ServedTool>) + Send + Sync,
        closing: CancellationToken,
    ) {
        let mut backoff = Backoff::default();
        loop {
            let began = Instant::now();
            let fault = tokio::select! {
                () = closing.cancelled() => break,
                fault = self.0.session(&listed) => fault,
            };
            if began.elapsed() >= STABLE {
                backoff = Backoff::default();
            }
            let wait = backoff.lengthen();
            let server = &self.0.settings.name;
            // The same fault again says nothing new, and the server could repeat it at will.
            if self.0.take_down(fault.clone()) {
                tracing::warn!(server, code = fault.code(), fault = %fault, retry_s = wait.as_secs(), "MCP server not connected");
            }
            self.0.presence.send_replace(Presence::Away);
            tokio::select! {
                () = closing.cancelled() => break,
                () = sleep(wait) => {}
            }
        }
        self.0.take_down(ConnectFault::Ended);
    }
}

impl SharedConnection {
    fn now<T>(&self, work: impl FnOnce(&mut ConnectionNow) -> T) -> T {
        work(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the connection down. Returns true if the fault is another one than before.
    fn take_down(&self, fault: ConnectFault) -> bool {
        let down = ConnectionState::Down(fault);
        self.now(|now| {
            now.live = None;
            let is_new = now.state != down;
            now.state = down;
            is_new
        })
    }

    /// Makes the connection and keeps it until it ends.
    async fn session(&self, listed: &(impl Fn(Vec<ServedTool>) + Send + Sync)) -> ConnectFault {
        let session = match self.connect().await {
            Ok(session) => session,
            Err(fault) => return fault,
        };
        let peer = session.service.peer().clone();
        // Before anybody can call: a definition that has changed meanwhile is not called.
        listed(session.tools);
        self.now(|now| {
            now.state = ConnectionState::Connected;
            now.live = Some(LivePeer {
                peer: peer.clone(),
                reports: session.reports,
            });
        });
        self.presence.send_replace(Presence::Connected);
        tracing::info!(server = self.settings.name, "MCP server connected");
        let _child = session.child;
        let mut ended = pin!(session.service.waiting());
        loop {
            tokio::select! {
                _ = &mut ended => return ConnectFault::Ended,
                () = session.changed.notified() => sleep(SETTLE).await,
                () = sleep(REFRESH) => {}
            }
            match list(&peer).await {
                Ok(tools) => listed(tools),
                Err(fault) => return self.explained(fault),
            }
        }
    }

    async fn connect(&self) -> Result<NewConnection, ConnectFault> {
        let limit = self.settings.start_timeout;
        let connected = timeout(limit, self.connect_unbounded()).await;
        let connected = connected.map_err(|_elapsed| self.timed_out(limit))?;
        connected.map_err(|fault| self.explained(fault))
    }

    fn timed_out(&self, limit: Duration) -> ConnectFault {
        let seconds = limit.as_secs();
        match &self.settings.transport {
            ServerTransport::Command(command) if command.sandbox && !command.network => {
                ConnectFault::TimedOutOffline(seconds)
            }
            _ => ConnectFault::TimedOut(seconds),
        }
    }

    /// The fault of the sign-in, if that is the cause, and else this one.
    fn explained(&self, fault: ConnectFault) -> ConnectFault {
        let sign_in = self.settings.transport.sign_in();
        let cause = sign_in.and_then(|sign_in| sign_in.fault());
        cause.map_or(fault, ConnectFault::SignIn)
    }

    async fn connect_unbounded(&self) -> Result<NewConnection, ConnectFault> {
        let reports = Arc::new(ProgressReports::default());
        let changed = Arc::new(Notify::new());
        let events = ServerEvents {
            reports: Arc::clone(&reports),
            changed: Arc::clone(&changed),
        };
        let bytes = self.settings.message_bytes;
        let (service, child) = match &self.settings.transport {
            ServerTransport::Command(command) => {
                let started = ServerChild::start(command, &self.room, &self.log)?;
                let pipes = AsyncRwTransport::new_client(started.stdout, started.stdin);
                let pipes = pipes.with_max_line_length(bytes);
                match serve(events, pipes).await {
                    Ok(service) => (service, Some(started.child)),
                    Err(fault) => {
                        return Err(self.early_end(&started.child).await.unwrap_or(fault));
                    }
                }
            }
            ServerTransport::Http(http) => {
                let given_up = CancellationToken::new();
                let start = given_up.clone().drop_guard();
                let service = serve(events, http.transport(bytes, given_up)).await?;
                start.disarm();
                (service, None)
            }
        };
        let tools = list(service.peer()).await?;
        Ok(NewConnection {
            service,
            child,
            reports,
            changed,
            tools,
        })
    }

    /// The fault of a program that has ended instead of answering: its last words say more than the closed
    /// connection does. None if it goes on.
    async fn early_end(&self, child: &ServerChild) -> Option<ConnectFault> {
        // Its streams are closed before it has ended, and another task reads what it wrote last.
        for _ in 0..END_LOOKS {
            sleep(END_PAUSE).await;
            if child.has_ended() {
                sleep(END_PAUSE).await;
                let lines = self.log.lines_of_the_newest();
                return Some(ConnectFault::ended_early(last_words(&lines)));
            }
        }
        None
    }
}

/// Tells the server that nobody waits for a call, if it is dropped before its answer.
struct CancelOnDrop {
    peer: Peer<RoleClient>,
    request: Option<RequestId>,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let (Some(request), Ok(runtime)) = (self.request.take(), Handle::try_current()) else {
            return;
        };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let cancelled = CancelledNotificationParam::new(Some(request), None);
            // A server that is gone needs to hear nothing.
            let _gone = timeout(SETTLE, peer.notify_cancelled(cancelled)).await;
        });
    }
}

#[async_trait]
impl ToolServer for McpConnection {
    async fn call(
        &self,
        tool: &str,
        arguments: Value,
        progress: &Progress,
    ) -> Result<ServerResult, ServerFault> {
        let live = self.0.now(|now| now.live.clone());
        let (Some(live), Value::Object(arguments)) = (live, arguments) else {
            return Err(ServerFault::NotSent);
        };
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        // The engine bounds the time and drops this.
        let options = PeerRequestOptions::no_options();
        let sent = live.peer.send_request_with_option(request, options).await;
        let sent = sent.map_err(|_closed| ServerFault::NotSent)?;
        let _reported = live
            .reports
            .of_call(sent.progress_token.clone(), progress.clone());
        let mut cancel = CancelOnDrop {
            peer: live.peer.clone(),
            request: Some(sent.id.clone()),
        };
        let answer = sent.await_response().await;
        cancel.request = None;
        match answer {
            Ok(model::ServerResult::CallToolResult(answer)) => {
                let blocks = serde_json::to_value(answer.content);
                let blocks = blocks.map_err(|_| ServerFault::Lost)?;
                Ok(ServerResult {
                    is_error: answer.is_error == Some(true),
                    content: content::of_answer(answer.structured_content, blocks),
                })
            }
            Err(ServiceError::McpError(error)) => Ok(ServerResult {
                is_error: true,
                content: json!(error.message),
            }),
            // Also a question to the person, which nobody is asked, and a task that goes on elsewhere.
            Ok(_) => Err(ServerFault::Lost),
            // The server has refused it, or never got it.
            Err(error) => match sign_in_fault(&error) {
                Some(fault) => Ok(ServerResult {
                    is_error: true,
                    content: json!(fault.to_string()),
                }),
                None => Err(ServerFault::Lost),
            },
        }
    }

    async fn read(&self, request: ReadRequest) -> Result<ServerResult, ServerFault> {
        let live = self.0.now(|now| now.live.clone());
        let live = live.ok_or(ServerFault::NotSent)?;
        reading::read(&live.peer, request).await
    }
}
