//! A browser tab: a websocket, an outbox that survives, the fold that a person sees.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use anyhow::{bail, ensure};
use protocol::{
    CallId, ClientFrame, Command, CommandId, ConversationId, ErrorBody, ErrorCode, Event,
    EventBody, PROTOCOL_VERSION, Reference, Seq, ServerFrame, Topic, Verdict,
};
use transcript::{BlockState, RowContent, ToolState, Transcript};

use crate::{
    browser::{Browser, Lost, Outcome, Socket},
    letter::{Letter, Outbox},
    scenario::{Attached, Card, Move, Person},
};

/// Pause before a command is repeated for which the disk had no room.
const PAUSE: Duration = Duration::from_millis(100);

/// A tab that follows one conversation, over as many connections as it takes.
pub(crate) struct Tab {
    pub(crate) conversation: ConversationId,
    pub(crate) transcript: Transcript,
    pub(crate) events: Vec<Event>,
    /// Messages that have no answer yet.
    messages: Outbox,
    /// The person's decisions on cards that have no answer yet.
    moves: Outbox,
    /// Cards that were dealt with, by call and digest, and true if they had expired.
    seen: HashSet<(CallId, String, bool)>,
    /// The file to upload before the first message, and its reference once it is there.
    attached: Option<(Attached, Option<Reference>)>,
    /// True if the conversation exists.
    known: bool,
    /// Time at which it had all events, on this connection.
    caught_up: Option<Instant>,
}

/// The end of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visit {
    /// Everything was done; the time at which the tab had caught up.
    Done(Instant),
    /// The connection broke.
    Lost,
}

impl Tab {
    /// A tab with messages to send.
    pub(crate) fn new(
        conversation: ConversationId,
        commands: Vec<Command>,
        attached: Option<Attached>,
    ) -> Self {
        Self {
            conversation,
            transcript: Transcript::default(),
            events: Vec::new(),
            messages: commands.into_iter().map(Letter::new).collect(),
            moves: Outbox::new(),
            seen: HashSet::new(),
            attached: attached.map(|attached| (attached, None)),
            known: false,
            caught_up: None,
        }
    }

    /// A tab that only reads, from the first event on.
    pub(crate) fn reader(&self) -> Self {
        Self {
            known: true,
            ..Self::new(self.conversation, Vec::new(), None)
        }
    }

    /// The conversation's own events: without a branch's copies.
    pub(crate) fn own(&self) -> &[Event] {
        let is_branch = |event: &Event| matches!(event.body, EventBody::Branched { .. });
        let from = self.events.iter().rposition(is_branch);
        self.events
            .get(from.unwrap_or_default()..)
            .unwrap_or_default()
    }

    /// Signs in, catches up, sends all commands and deals with cards, until this many messages were
    /// heard and nothing is left.
    pub(crate) async fn visit(
        &mut self,
        browser: &mut Browser,
        messages: usize,
        person: Person,
    ) -> anyhow::Result<Visit> {
        self.transcript.forget_live();
        self.caught_up = None;
        if self.attach(browser).await?.is_err() {
            return Ok(Visit::Lost);
        }
        let Ok(mut socket) = browser.socket().await? else {
            return Ok(Visit::Lost);
        };
        if self.greet(&mut socket).await.is_err() {
            return Ok(Visit::Lost);
        }
        loop {
            if let Some(caught_up) = self.caught_up
                && self.is_done(messages)
            {
                return Ok(Visit::Done(caught_up));
            }
            let Ok(frame) = socket.next().await? else {
                return Ok(Visit::Lost);
            };
            if self.take(&mut socket, frame, person).await?.is_err() {
                return Ok(Visit::Lost);
            }
        }
    }

    /// Uploads the file of the first message, until it is there.
    async fn attach(&mut self, browser: &mut Browser) -> Outcome<()> {
        if let Some((file, reference @ None)) = &mut self.attached {
            let Ok(sent) = browser.upload(file.name, file.content).await? else {
                return Ok(Err(Lost));
            };
            *reference = Some(sent.clone());
            if let Some(Letter {
                command: Command::Start { references, .. },
                ..
            }) = self.messages.front_mut()
            {
                references.push(sent);
            }
        }
        Ok(Ok(()))
    }

    /// The file of the first message, and its reference.
    pub(crate) fn attached(&self) -> Option<(&Attached, &Reference)> {
        let (file, reference) = self.attached.as_ref()?;
        Some((file, reference.as_ref()?))
    }

    fn is_done(&self, messages: usize) -> bool {
        let heard = |event: &&Event| said(&event.body).is_some();
        self.messages.is_empty()
            && self.moves.is_empty()
            && self.transcript.turn().is_none()
            && self.transcript.queue().is_empty()
            && self.own().iter().filter(heard).count() >= messages
    }

    /// The frames on every connection: the subscription from where it left off, and the commands
    /// without an answer.
    async fn greet(&self, socket: &mut Socket) -> Result<(), Lost> {
        if self.known {
            self.subscribe(socket).await?;
        }
        for outbox in [&self.messages, &self.moves] {
            if let Some(letter) = outbox.front() {
                socket.letter(letter).await?;
            }
        }
        Ok(())
    }

    async fn subscribe(&self, socket: &mut Socket) -> Result<(), Lost> {
        let topic = Topic::Conversation {
            conversation: self.conversation,
            after: self.transcript.head(),
        };
        socket.send(&ClientFrame::Subscribe { topic }).await
    }

    async fn take(
        &mut self,
        socket: &mut Socket,
        frame: ServerFrame,
        person: Person,
    ) -> Outcome<()> {
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

    /// A command has its answer: the next one is sent.
    async fn answered(
        &mut self,
        socket: &mut Socket,
        id: CommandId,
        refused: Option<&ErrorBody>,
    ) -> Outcome<()> {
        let is_next = |outbox: &Outbox| outbox.front().is_some_and(|letter| letter.id == id);
        let outbox = match (is_next(&self.messages), is_next(&self.moves)) {
            (true, _) => &mut self.messages,
            (_, true) => &mut self.moves,
            // The second answer to a command that was sent on two connections.
            _ => return Ok(Ok(())),
        };
        if refused.is_some_and(|error| error.code == ErrorCode::StorageFailed) {
            // It had no effect: it is repeated until there is room.
            tokio::time::sleep(PAUSE).await;
            return Ok(match outbox.front() {
                Some(letter) => socket.letter(letter).await,
                None => Ok(()),
            });
        }
        if let Some(letter) = outbox.pop_front() {
            letter.check(refused)?;
            if let Some(next) = outbox.front()
                && socket.letter(next).await.is_err()
            {
                return Ok(Err(Lost));
            }
            if let Command::Start { .. } | Command::Act { .. } | Command::Branch { .. } =
                letter.command
            {
                self.known = true;
                return Ok(self.subscribe(socket).await);
            }
        }
        Ok(Ok(()))
    }

    /// Deals with every card that waits as it is shown now, and with every one that has expired.
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
        // In the outbox first: a sent command may have arrived.
        self.moves.extend(moves);
        match self.moves.front() {
            Some(letter) if idle => socket.letter(letter).await,
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
            Move::InVain(decision, codes) => Letter::in_vain(decide(decision), codes),
            Move::Perhaps(decision) => {
                Letter::perhaps(decide(decision), &[ErrorCode::AlreadyDecided])
            }
            Move::Edit(input) => Letter::new(Command::Edit {
                conversation,
                call,
                digest,
                input,
            }),
            Move::Steer(text) => Letter::new(Command::Steer {
                conversation,
                text: text.to_owned(),
                references: Vec::new(),
            }),
            Move::Switch(on) => Letter::new(Command::KillSwitch { on }),
        }
    }
}

/// The message that the assistant gets with an event, if any. A person's own call has none.
pub(crate) fn said(body: &EventBody) -> Option<&str> {
    match body {
        EventBody::TurnStarted { text, .. } | EventBody::MessageRead { text, .. } => Some(text),
        EventBody::ActionStarted { .. } => Some(""),
        _ => None,
    }
}

/// Checks that two tabs show the same.
pub(crate) fn same(one: &Tab, other: &Tab) -> anyhow::Result<()> {
    ensure!(one.events == other.events, "two tabs have other events");
    let (left, right) = (&one.transcript, &other.transcript);
    // Streamed text that was cut off stays where it was seen, marked as such; nobody else has it.
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
