//! A browser tab: a websocket, an outbox that survives, the fold that a person sees.

use std::{collections::HashSet, time::Instant};

use anyhow::{Context, bail, ensure};
use futures::{SinkExt, StreamExt};
use protocol::{
    CallId, ClientFrame, Command, CommandId, Confirmation, ConversationId, Decision, Event,
    EventBody, PROTOCOL_VERSION, Seq, ServerFrame, Timestamp, Topic,
};
use reqwest::{
    StatusCode,
    header::{ACCEPT, SET_COOKIE},
    redirect::Policy,
};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};
use transcript::{BlockState, RowContent, ToolState, Transcript};

/// What a person decides when asked about a call.
pub(crate) type Decide = fn(&Confirmation) -> Decision;

/// A tab that follows one conversation, over as many connections as it takes.
pub(crate) struct Tab {
    pub(crate) conversation: ConversationId,
    pub(crate) transcript: Transcript,
    pub(crate) events: Vec<Event>,
    /// Commands that have no answer yet. One of these is on its way at a time.
    outbox: Vec<(CommandId, Command)>,
    /// Decisions that have no answer yet.
    decisions: Vec<(CommandId, Command)>,
    /// Cards that were answered, by call and digest.
    pub(crate) answered: HashSet<(CallId, String)>,
    /// Cookie and address of the server at which it is signed in.
    session: Option<(String, String)>,
    /// Whether the conversation exists.
    known: bool,
    /// Whether it has all events, on this connection.
    caught_up: Option<Instant>,
}

/// How a visit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visit {
    /// Everything was done; when the tab had caught up.
    Done(Instant),
    /// The connection broke.
    Lost,
}

/// The connection broke.
struct Lost;

impl Tab {
    /// A tab with something to say.
    pub(crate) fn new(conversation: ConversationId, commands: Vec<Command>) -> Self {
        Self {
            conversation,
            transcript: Transcript::default(),
            events: Vec::new(),
            outbox: commands
                .into_iter()
                .map(|command| (new_command(), command))
                .collect(),
            decisions: Vec::new(),
            answered: HashSet::new(),
            session: None,
            known: false,
            caught_up: None,
        }
    }

    /// A tab of the same browser that only reads, from the first event on.
    pub(crate) fn reader(&self) -> Self {
        Self {
            known: true,
            session: self.session.clone(),
            ..Self::new(self.conversation, Vec::new())
        }
    }

    /// Signs in, catches up, says what has to be said and answers cards, until this many turns have
    /// ended and nothing is left.
    pub(crate) async fn visit(
        &mut self,
        link: &str,
        turns: usize,
        decide: Decide,
    ) -> anyhow::Result<Visit> {
        self.transcript.forget_live();
        self.caught_up = None;
        let Some(mut socket) = connect(link, &mut self.session).await? else {
            return Ok(Visit::Lost);
        };
        if self.greet(&mut socket).await.is_err() {
            return Ok(Visit::Lost);
        }
        loop {
            if let Some(caught_up) = self.caught_up
                && self.is_done(turns)
            {
                return Ok(Visit::Done(caught_up));
            }
            let frame = match socket.next().await {
                Some(Ok(Message::Text(text))) => serde_json::from_str(text.as_str())?,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(Visit::Lost),
                Some(Ok(other)) => bail!("a text frame, not {other:?}"),
            };
            if self.take(&mut socket, frame, decide).await?.is_err() {
                return Ok(Visit::Lost);
            }
        }
    }

    fn is_done(&self, turns: usize) -> bool {
        let ended = |event: &&Event| matches!(event.body, EventBody::TurnFinished { .. });
        self.outbox.is_empty()
            && self.decisions.is_empty()
            && self.transcript.turn().is_none()
            && self.transcript.queue().is_empty()
            && self.events.iter().filter(ended).count() >= turns
    }

    /// What is said on every connection: where it left off, and what has no answer.
    async fn greet(&self, socket: &mut Socket) -> Result<(), Lost> {
        if self.known {
            self.subscribe(socket).await?;
        }
        if let Some((id, command)) = self.outbox.first() {
            send_command(socket, *id, command).await?;
        }
        for (id, command) in &self.decisions {
            send_command(socket, *id, command).await?;
        }
        Ok(())
    }

    async fn subscribe(&self, socket: &mut Socket) -> Result<(), Lost> {
        let topic = Topic::Conversation {
            conversation: self.conversation,
            after: self.transcript.head(),
        };
        send(socket, &ClientFrame::Subscribe { topic }).await
    }

    async fn take(
        &mut self,
        socket: &mut Socket,
        frame: ServerFrame,
        decide: Decide,
    ) -> anyhow::Result<Result<(), Lost>> {
        let fold = &mut self.transcript;
        match frame {
            ServerFrame::Hello { protocol, .. } => ensure!(protocol == PROTOCOL_VERSION),
            ServerFrame::Events { events, .. } => {
                for event in events {
                    let fresh = event.seq > fold.head();
                    let applied = fold.apply(&event);
                    applied.map_err(|_| anyhow::anyhow!("a gap before event {}", event.seq))?;
                    if fresh {
                        self.events.push(event);
                    }
                }
                return Ok(self.answer_cards(socket, decide).await);
            }
            ServerFrame::Block {
                block,
                message,
                index,
                kind,
                text,
                ..
            } => {
                fold.apply_block(block, message, index, &kind, &text);
            }
            ServerFrame::Delta {
                block,
                offset,
                text,
            } => {
                let applied = fold.apply_delta(block, offset, &text);
                applied.map_err(|_| anyhow::anyhow!("a gap in a streamed text"))?;
            }
            ServerFrame::Progress { call, message, .. } => {
                fold.apply_progress(call, &message);
            }
            ServerFrame::Waiting {
                turn, error, until, ..
            } => {
                fold.apply_waiting(turn, error, until);
            }
            ServerFrame::Subscribed { head, .. } => {
                ensure!(head == fold.head(), "subscribed, with events missing");
                self.caught_up = Some(Instant::now());
                return Ok(self.answer_cards(socket, decide).await);
            }
            ServerFrame::Accepted { id } => return Ok(self.accepted(socket, id).await),
            ServerFrame::Rejected { id, error } => bail!("{} was refused: {error}", self.what(id)),
            ServerFrame::Unsubscribed { error, .. } | ServerFrame::Error { error } => {
                bail!("the server said: {error}")
            }
            _ => {}
        }
        Ok(Ok(()))
    }

    fn what(&self, id: CommandId) -> String {
        let all = self.outbox.iter().chain(&self.decisions);
        let found = all.into_iter().find(|(of, _)| *of == id);
        format!("{:?}", found.map(|(_, command)| command))
    }

    async fn accepted(&mut self, socket: &mut Socket, id: CommandId) -> Result<(), Lost> {
        self.decisions.retain(|(of, _)| *of != id);
        if self.outbox.first().is_none_or(|(of, _)| *of != id) {
            return Ok(());
        }
        let (_, command) = self.outbox.remove(0);
        if let Command::Start { .. } = command
            && !self.known
        {
            self.known = true;
            self.subscribe(socket).await?;
        }
        match self.outbox.first() {
            Some((id, command)) => send_command(socket, *id, command).await,
            None => Ok(()),
        }
    }

    /// Decides on every card that waits and was not answered as it is shown now.
    async fn answer_cards(&mut self, socket: &mut Socket, decide: Decide) -> Result<(), Lost> {
        let mut cards = Vec::new();
        for row in self.transcript.rows() {
            if let RowContent::Tool(tool) = &row.content
                && tool.state == ToolState::Waiting
                && let (Some(call), Some(asked)) = (tool.call, &tool.asked)
                && asked.decided.is_none()
            {
                let digest = asked.confirmation.digest.clone();
                let decision = decide(&asked.confirmation);
                cards.push((call, digest, decision));
            }
        }
        for (call, digest, decision) in cards {
            if !self.answered.insert((call, digest.clone())) {
                continue;
            }
            let id = new_command();
            let command = Command::Decide {
                conversation: self.conversation,
                call,
                digest,
                decision,
            };
            // In the outbox first: what was sent may have arrived.
            self.decisions.push((id, command.clone()));
            send_command(socket, id, &command).await?;
        }
        Ok(())
    }
}

type Socket = WebSocketStream<TcpStream>;

/// Signs in, if this server has not seen the browser, and opens a websocket; none if the server is
/// gone.
async fn connect(
    link: &str,
    session: &mut Option<(String, String)>,
) -> anyhow::Result<Option<Socket>> {
    let (url, _) = link.split_at(link.find("/sign-in").context("a sign-in link")?);
    let cookie = match session {
        Some((cookie, at)) if at == url => cookie.clone(),
        _ => {
            let Some(cookie) = sign_in(link).await? else {
                return Ok(None);
            };
            *session = Some((cookie.clone(), url.to_owned()));
            cookie
        }
    };
    let address = url.strip_prefix("http://").context("plain HTTP")?;
    let mut request = format!("ws://{address}/ws").into_client_request()?;
    request.headers_mut().insert("origin", url.parse()?);
    request.headers_mut().insert("cookie", cookie.parse()?);
    let Ok(stream) = TcpStream::connect(address).await else {
        return Ok(None);
    };
    match client_async(request, stream).await {
        Ok((socket, _)) => Ok(Some(socket)),
        Err(tokio_tungstenite::tungstenite::Error::Http(response)) => {
            bail!("the websocket was refused: {}", response.status())
        }
        Err(_) => Ok(None),
    }
}

/// Uses a link up; gives the cookie, or none if the server is gone.
async fn sign_in(link: &str) -> anyhow::Result<Option<String>> {
    let browser = reqwest::Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .build()?;
    let Ok(response) = browser.get(link).header(ACCEPT, "text/html").send().await else {
        return Ok(None);
    };
    ensure!(
        response.status() == StatusCode::SEE_OTHER,
        "the link was answered with {}",
        response.status()
    );
    let cookie = response.headers().get(SET_COOKIE).context("no cookie")?;
    let cookie = cookie.to_str()?.split(';').next().unwrap_or_default();
    Ok(Some(cookie.to_owned()))
}

async fn send_command(socket: &mut Socket, id: CommandId, command: &Command) -> Result<(), Lost> {
    let command = command.clone();
    send(socket, &ClientFrame::Command { id, command }).await
}

async fn send(socket: &mut Socket, frame: &ClientFrame) -> Result<(), Lost> {
    let text = serde_json::to_string(frame).map_err(|_| Lost)?;
    socket
        .send(Message::Text(text.into()))
        .await
        .map_err(|_| Lost)
}

fn new_command() -> CommandId {
    CommandId::new(Timestamp(1_700_000_000_000), rand::random())
}

/// A card must not come where none is expected.
pub(crate) fn deny(_: &Confirmation) -> Decision {
    Decision::Deny { comment: None }
}

/// Whether two tabs show the same.
pub(crate) fn same(one: &Tab, other: &Tab) -> anyhow::Result<()> {
    ensure!(one.events == other.events, "two tabs have other events");
    let (left, right) = (&one.transcript, &other.transcript);
    // What was streamed and cut off stays where it was seen, marked as such; nobody else has it.
    let mut told = Vec::new();
    for row in left.rows() {
        match (&row.at, &row.content) {
            (Some(_), _) => told.push(row),
            (None, RowContent::Text { state, .. } | RowContent::Thinking { state, .. }) => {
                ensure!(*state == BlockState::Interrupted, "{:?} is open", row.key);
            }
            (None, RowContent::Tool(tool)) => {
                ensure!(tool.state == ToolState::Abandoned, "{:?} is open", row.key);
            }
            (None, _) => bail!("{:?} is not in the journal", row.key),
        }
    }
    for (left, right) in told.iter().zip(right.rows()) {
        ensure!(*left == right, "two tabs show {left:?} and {right:?}");
    }
    ensure!(
        told.len() == right.rows().len()
            && left.turn() == right.turn()
            && left.queue() == right.queue()
            && left.usage() == right.usage()
            && left.title() == right.title(),
        "two tabs show other things"
    );
    ensure!(left.head() > Seq(0), "nothing is shown");
    Ok(())
}
