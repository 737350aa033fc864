//! A browser tab: a websocket, an outbox that survives, the fold that a person sees.

use std::{
    collections::{HashSet, VecDeque},
    time::Instant,
};

use anyhow::{Context, bail, ensure};
use futures::{SinkExt, StreamExt};
use protocol::{
    CallId, ClientFrame, Command, CommandId, ConversationId, ErrorBody, ErrorCode, Event,
    EventBody, PROTOCOL_VERSION, Seq, ServerFrame, Timestamp, Topic, Verdict,
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

use crate::scenario::{Card, Move, Person};

/// A tab that follows one conversation, over as many connections as it takes.
pub(crate) struct Tab {
    pub(crate) conversation: ConversationId,
    pub(crate) transcript: Transcript,
    pub(crate) events: Vec<Event>,
    /// Messages that have no answer yet.
    messages: Outbox,
    /// What the person does about cards, and has no answer yet.
    moves: Outbox,
    /// Cards that were dealt with, by call, digest, and whether they had lapsed.
    seen: HashSet<(CallId, String, bool)>,
    /// Cookie and address of the server at which it is signed in.
    session: Option<(String, String)>,
    /// Whether the conversation exists.
    known: bool,
    /// Whether it has all events, on this connection.
    caught_up: Option<Instant>,
}

/// Commands that have no answer yet. One is on its way at a time.
type Outbox = VecDeque<Letter>;

/// A command, sent again on every connection until it has an answer.
struct Letter {
    id: CommandId,
    command: Command,
    /// That it is refused with this code is its answer.
    refusal: Option<ErrorCode>,
}

impl Letter {
    fn new(command: Command) -> Self {
        Self {
            id: CommandId::new(Timestamp(1_700_000_000_000), rand::random()),
            command,
            refusal: None,
        }
    }

    /// Whether this is what was to come of it.
    fn check(&self, refused: Option<&ErrorBody>) -> anyhow::Result<()> {
        match refused {
            None => ensure!(self.refusal.is_none(), "{:?} was carried out", self.command),
            Some(error) => ensure!(
                self.refusal == Some(error.code),
                "{:?} was refused: {error}",
                self.command
            ),
        }
        Ok(())
    }
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
            messages: commands.into_iter().map(Letter::new).collect(),
            moves: Outbox::new(),
            seen: HashSet::new(),
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

    /// Signs in, catches up, says what has to be said and deals with cards, until this many turns
    /// have ended and nothing is left.
    pub(crate) async fn visit(
        &mut self,
        link: &str,
        turns: usize,
        person: Person,
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
            if self.take(&mut socket, frame, person).await?.is_err() {
                return Ok(Visit::Lost);
            }
        }
    }

    fn is_done(&self, turns: usize) -> bool {
        let ended = |event: &&Event| matches!(event.body, EventBody::TurnFinished { .. });
        self.messages.is_empty()
            && self.moves.is_empty()
            && self.transcript.turn().is_none()
            && self.transcript.queue().is_empty()
            && self.events.iter().filter(ended).count() >= turns
    }

    /// What is said on every connection: where it left off, and what has no answer.
    async fn greet(&self, socket: &mut Socket) -> Result<(), Lost> {
        if self.known {
            self.subscribe(socket).await?;
        }
        for outbox in [&self.messages, &self.moves] {
            if let Some(letter) = outbox.front() {
                send_letter(socket, letter).await?;
            }
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
        person: Person,
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
                return Ok(self.look_at_cards(socket, person).await);
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
                return Ok(self.look_at_cards(socket, person).await);
            }
            ServerFrame::Accepted { id } => return self.answered(socket, id, None).await,
            ServerFrame::Rejected { id, error } => {
                return self.answered(socket, id, Some(&error)).await;
            }
            ServerFrame::Unsubscribed { error, .. } | ServerFrame::Error { error } => {
                bail!("the server said: {error}")
            }
            _ => {}
        }
        Ok(Ok(()))
    }

    /// A command has its answer: the next one goes out.
    async fn answered(
        &mut self,
        socket: &mut Socket,
        id: CommandId,
        refused: Option<&ErrorBody>,
    ) -> anyhow::Result<Result<(), Lost>> {
        let is_next = |outbox: &Outbox| outbox.front().is_some_and(|letter| letter.id == id);
        let outbox = match (is_next(&self.messages), is_next(&self.moves)) {
            (true, _) => &mut self.messages,
            (_, true) => &mut self.moves,
            // The second answer to what was sent on two connections.
            _ => return Ok(Ok(())),
        };
        if let Some(letter) = outbox.pop_front() {
            letter.check(refused)?;
            if let Some(next) = outbox.front()
                && send_letter(socket, next).await.is_err()
            {
                return Ok(Err(Lost));
            }
            if let Command::Start { .. } | Command::Act { .. } = letter.command {
                self.known = true;
                return Ok(self.subscribe(socket).await);
            }
        }
        Ok(Ok(()))
    }

    /// Deals with every card that waits as it is shown now, and with every one that has lapsed.
    async fn look_at_cards(&mut self, socket: &mut Socket, person: Person) -> Result<(), Lost> {
        let mut moves = Vec::new();
        if self.caught_up.is_none() {
            return Ok(());
        }
        for row in self.transcript.rows() {
            let RowContent::Tool(tool) = &row.content else {
                continue;
            };
            let (Some(call), Some(asked)) = (tool.call, &tool.asked) else {
                continue;
            };
            let lapsed = match &asked.decided {
                None if tool.state == ToolState::Waiting => false,
                Some(decided) if decided.verdict == Verdict::Expired => true,
                _ => continue,
            };
            let digest = &asked.confirmation.digest;
            if self.seen.insert((call, digest.clone(), lapsed)) {
                let asks = &asked.confirmation;
                for the_move in person(&Card { asks, lapsed }) {
                    moves.push(self.letter(call, digest, the_move));
                }
            }
        }
        if moves.is_empty() {
            return Ok(());
        }
        let idle = self.moves.is_empty();
        // In the outbox first: what was sent may have arrived.
        self.moves.extend(moves);
        match self.moves.front() {
            Some(letter) if idle => send_letter(socket, letter).await,
            _ => Ok(()),
        }
    }

    fn letter(&self, call: CallId, digest: &str, the_move: Move) -> Letter {
        let conversation = self.conversation;
        let digest = digest.to_owned();
        let decide = |decision| Command::Decide {
            conversation,
            call,
            digest: digest.clone(),
            decision,
        };
        match the_move {
            Move::Decide(decision) => Letter::new(decide(decision)),
            Move::InVain(decision, code) => Letter {
                refusal: Some(code),
                ..Letter::new(decide(decision))
            },
            Move::Edit(input) => Letter::new(Command::Edit {
                conversation,
                call,
                digest,
                input,
            }),
            Move::Switch(on) => Letter::new(Command::KillSwitch { on }),
        }
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

async fn send_letter(socket: &mut Socket, letter: &Letter) -> Result<(), Lost> {
    let (id, command) = (letter.id, letter.command.clone());
    send(socket, &ClientFrame::Command { id, command }).await
}

async fn send(socket: &mut Socket, frame: &ClientFrame) -> Result<(), Lost> {
    let text = serde_json::to_string(frame).map_err(|_| Lost)?;
    socket
        .send(Message::Text(text.into()))
        .await
        .map_err(|_| Lost)
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
