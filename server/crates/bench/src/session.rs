//! One conversation in one tab.

use anyhow::{Result, bail, ensure};
use memchr::memmem;
use protocol::{
    ClientFrame, Command, CommandId, ConversationId, Event, EventBody, Seq, ServerFrame, Timestamp,
    Topic,
};

use crate::{
    browser::Browser,
    clock,
    meter::{MeteredTurn, SharedMeter},
    socket::Socket,
};

/// A conversation on a socket of its own.
pub(crate) struct BenchSession {
    pub(crate) socket: Socket,
    pub(crate) conversation: ConversationId,
    pub(crate) meter: SharedMeter,
}

/// The meaning of a frame without text.
enum SaidText {
    Nothing,
    /// The newest command was carried out.
    Accepted,
    Subscribed,
    /// The turn ended well.
    Ended,
    Failed(String),
}

impl BenchSession {
    /// Opens a socket for a new conversation.
    pub(crate) async fn open(browser: &Browser, meter: SharedMeter) -> Result<Self> {
        Ok(Self {
            socket: browser.socket("/ws").await?,
            conversation: ConversationId::new(Timestamp(1_700_000_000_000), rand::random()),
            meter,
        })
    }

    /// The same conversation on a new socket; nothing is subscribed yet.
    pub(crate) async fn reopen(&mut self, browser: &Browser) -> Result<()> {
        self.socket = browser.socket("/ws").await?;
        Ok(())
    }

    /// Begins the conversation and waits for the answer's end. Tokens that came before the
    /// subscription are in the text with which it begins.
    pub(crate) async fn start(&mut self, text: &str) -> Result<MeteredTurn> {
        let command = Command::start(self.conversation, text);
        let mut turn = MeteredTurn {
            sent: clock::now(),
            ..MeteredTurn::default()
        };
        self.command(command).await?;
        self.until(&mut turn, |said| matches!(said, SaidText::Accepted))
            .await?;
        self.subscribe(Seq(0)).await?;
        self.until(&mut turn, |said| matches!(said, SaidText::Ended))
            .await?;
        Ok(turn)
    }

    /// Sends a message.
    pub(crate) async fn ask(&mut self, text: &str) -> Result<MeteredTurn> {
        let command = Command::Send {
            conversation: self.conversation,
            text: text.to_owned(),
            withdraw: false,
            references: Vec::new(),
        };
        let turn = MeteredTurn {
            sent: clock::now(),
            ..MeteredTurn::default()
        };
        self.command(command).await?;
        Ok(turn)
    }

    /// Sends a message and waits for the answer's end.
    pub(crate) async fn turn(&mut self, text: &str) -> Result<MeteredTurn> {
        let before = self.socket.received;
        let mut turn = self.ask(text).await?;
        self.until(&mut turn, |said| matches!(said, SaidText::Ended))
            .await?;
        let mut meter = self.meter.borrow_mut();
        meter.turns += 1;
        meter.bytes += self.socket.received - before;
        Ok(turn)
    }

    pub(crate) async fn command(&mut self, command: Command) -> Result<()> {
        let id = CommandId::new(Timestamp(1_700_000_000_000), rand::random());
        self.send(&ClientFrame::Command { id, command }).await
    }

    pub(crate) async fn subscribe(&mut self, after: Seq) -> Result<()> {
        let topic = Topic::Conversation {
            conversation: self.conversation,
            after,
        };
        self.send(&ClientFrame::Subscribe { topic }).await
    }

    async fn send(&mut self, frame: &ClientFrame) -> Result<()> {
        let text = serde_json::to_vec(frame)?;
        self.socket.send(&text).await
    }

    /// Reads until a wanted frame.
    async fn until(&mut self, turn: &mut MeteredTurn, wanted: fn(&SaidText) -> bool) -> Result<()> {
        let mut done = false;
        let mut failed = None;
        while !done && failed.is_none() {
            let meter = &self.meter;
            self.socket
                .read(|now, frame| {
                    if is_text(frame) {
                        meter.borrow_mut().text(now, frame, turn);
                        return;
                    }
                    if turn.event_at == 0 && has_events(frame) {
                        turn.event_at = now;
                    }
                    let said = hear(frame);
                    done |= wanted(&said);
                    if let SaidText::Failed(why) = said {
                        failed = Some(why);
                    }
                })
                .await?;
        }
        failed.map_or(Ok(()), |why| bail!("{why}"))
    }

    /// Reads all events to the turn's end. Commands that `answer` returns are sent. Texts count as
    /// usual.
    pub(crate) async fn follow(
        &mut self,
        turn: &mut MeteredTurn,
        mut answer: impl FnMut(u64, &Event) -> Option<Command>,
    ) -> Result<()> {
        let mut done = false;
        while !done {
            let meter = &self.meter;
            let mut commands = Vec::new();
            let mut result = Ok(());
            self.socket
                .read(|now, frame| {
                    if is_text(frame) {
                        meter.borrow_mut().text(now, frame, turn);
                        return;
                    }
                    match events(frame) {
                        Ok(events) => {
                            commands.extend(events.iter().filter_map(|event| answer(now, event)));
                            let ended = |event: &Event| {
                                matches!(event.body, EventBody::TurnFinished { .. })
                            };
                            done |= events.iter().any(ended);
                        }
                        Err(error) => result = Err(error),
                    }
                })
                .await?;
            result?;
            for command in commands {
                self.command(command).await?;
            }
        }
        Ok(())
    }

    /// Reads until this many tokens of a turn have come.
    pub(crate) async fn some(&mut self, turn: &mut MeteredTurn, tokens: u64) -> Result<()> {
        while turn.tokens < tokens {
            let meter = &self.meter;
            self.socket
                .read(|now, frame| {
                    if is_text(frame) {
                        meter.borrow_mut().text(now, frame, turn);
                    }
                })
                .await?;
        }
        Ok(())
    }

    /// Subscribes to the conversation and waits until everything that was missed has come.
    pub(crate) async fn join(&mut self, after: Seq) -> Result<()> {
        self.subscribe(after).await?;
        self.until(&mut MeteredTurn::default(), |said| {
            matches!(said, SaidText::Subscribed)
        })
        .await
    }
}

/// The events in a frame; a frame with a refusal is an error.
fn events(frame: &[u8]) -> Result<Vec<Event>> {
    match serde_json::from_slice(frame)? {
        ServerFrame::Events { events, .. } => Ok(events),
        ServerFrame::Rejected { error, .. }
        | ServerFrame::Unsubscribed { error, .. }
        | ServerFrame::Error { error } => bail!("{error}"),
        _ => Ok(Vec::new()),
    }
}

/// True if a frame has streamed text.
fn is_text(frame: &[u8]) -> bool {
    frame.starts_with(br#"{"type":"delta""#) || frame.starts_with(br#"{"type":"block""#)
}

/// True if a frame has events of the journal.
fn has_events(frame: &[u8]) -> bool {
    frame.starts_with(br#"{"type":"events""#)
}

/// The meaning of a frame, reading no more of it than needed.
fn hear(frame: &[u8]) -> SaidText {
    let is = |kind: &str| frame[9..].starts_with(kind.as_bytes());
    let has = |text: &str| memmem::find(frame, text.as_bytes()).is_some();
    if !frame.starts_with(br#"{"type":""#) {
        return SaidText::Failed("a frame without its type".to_owned());
    }
    if is("events\"") {
        if !has(r#""type":"turn_finished""#) {
            SaidText::Nothing
        } else if has(r#""outcome":{"type":"answered"}"#) {
            SaidText::Ended
        } else {
            SaidText::Failed(String::from_utf8_lossy(frame).into_owned())
        }
    } else if is("accepted\"") {
        SaidText::Accepted
    } else if is("subscribed\"") {
        SaidText::Subscribed
    } else if is("rejected\"") || is("unsubscribed\"") || is("error\"") || is("waiting\"") {
        SaidText::Failed(String::from_utf8_lossy(frame).into_owned())
    } else {
        SaidText::Nothing
    }
}

/// Checks that a turn brought exactly what the model sent.
pub(crate) fn whole(turn: MeteredTurn, tokens: u64) -> Result<()> {
    ensure!(
        turn.tokens == tokens,
        "{} of {tokens} tokens arrived",
        turn.tokens
    );
    Ok(())
}
