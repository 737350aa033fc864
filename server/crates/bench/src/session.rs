//! One conversation in one tab.

use anyhow::{Context, Result, bail, ensure};
use memchr::memmem;
use protocol::{
    ClientFrame, Command, CommandId, ConversationId, Event, Mode, Seq, ServerFrame, Timestamp,
    Topic,
};

use crate::{
    browser::Browser,
    clock,
    meter::{Shared, Turn},
    socket::Socket,
};

/// A conversation on a socket of its own.
pub(crate) struct Session {
    pub(crate) socket: Socket,
    pub(crate) conversation: ConversationId,
    meter: Shared,
}

/// What a frame says that is no text.
enum Said {
    Nothing,
    /// The newest command was carried out.
    Accepted,
    Subscribed,
    /// The turn ended well.
    Ended,
    Failed(String),
}

impl Session {
    /// Opens a socket for a new conversation.
    pub(crate) async fn open(browser: &Browser, meter: Shared) -> Result<Self> {
        Ok(Self {
            socket: browser.socket("/ws").await?,
            conversation: ConversationId::new(Timestamp(1_700_000_000_000), rand::random()),
            meter,
        })
    }

    /// From now on what is seen counts there.
    pub(crate) fn count_in(&mut self, meter: Shared) {
        self.meter = meter;
    }

    /// Begins the conversation and waits for the answer's end. Tokens that came before the
    /// subscription are in the text with which it begins.
    pub(crate) async fn start(&mut self, text: &str) -> Result<Turn> {
        let command = Command::Start {
            conversation: self.conversation,
            mode: Mode::Default,
            text: text.to_owned(),
            from: None,
        };
        let mut turn = Turn {
            sent: clock::now(),
            ..Turn::default()
        };
        self.command(command).await?;
        self.until(&mut turn, |said| matches!(said, Said::Accepted))
            .await?;
        self.subscribe(Seq(0)).await?;
        self.until(&mut turn, |said| matches!(said, Said::Ended))
            .await?;
        Ok(turn)
    }

    /// Sends a message and waits for the answer's end.
    pub(crate) async fn turn(&mut self, text: &str) -> Result<Turn> {
        let command = Command::Send {
            conversation: self.conversation,
            text: text.to_owned(),
            withdraw: false,
        };
        let before = self.socket.received;
        let mut turn = Turn {
            sent: clock::now(),
            ..Turn::default()
        };
        self.command(command).await?;
        self.until(&mut turn, |said| matches!(said, Said::Ended))
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

    /// Reads until something is said.
    async fn until(&mut self, turn: &mut Turn, wanted: fn(&Said) -> bool) -> Result<()> {
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
                    let said = hear(frame);
                    done |= wanted(&said);
                    if let Said::Failed(why) = said {
                        failed = Some(why);
                    }
                })
                .await?;
        }
        failed.map_or(Ok(()), |why| bail!("{why}"))
    }

    /// Reads until an event comes for which `find` gives something, with the instant at which it
    /// was here. Texts count as ever.
    pub(crate) async fn event<T>(
        &mut self,
        turn: &mut Turn,
        mut find: impl FnMut(&Event) -> Option<T>,
    ) -> Result<(u64, T)> {
        let mut found = None;
        let mut failed = None;
        while found.is_none() && failed.is_none() {
            let meter = &self.meter;
            self.socket
                .read(|now, frame| {
                    if is_text(frame) {
                        meter.borrow_mut().text(now, frame, turn);
                    } else {
                        match serde_json::from_slice(frame) {
                            Ok(ServerFrame::Events { events, .. }) if found.is_none() => {
                                found = events.iter().find_map(&mut find).map(|it| (now, it));
                            }
                            Ok(_) => {
                                if let Said::Failed(why) = hear(frame) {
                                    failed = Some(why);
                                }
                            }
                            Err(error) => failed = Some(error.to_string()),
                        }
                    }
                })
                .await?;
        }
        if let Some(why) = failed {
            bail!("{why}");
        }
        found.context("nothing was found")
    }
}

/// Whether a frame brings streamed text.
fn is_text(frame: &[u8]) -> bool {
    frame.starts_with(br#"{"type":"delta""#) || frame.starts_with(br#"{"type":"block""#)
}

/// What a frame says, without reading more of it than needed.
fn hear(frame: &[u8]) -> Said {
    let is = |kind: &str| frame[9..].starts_with(kind.as_bytes());
    let has = |text: &str| memmem::find(frame, text.as_bytes()).is_some();
    if !frame.starts_with(br#"{"type":""#) {
        return Said::Failed("a frame without its type".to_owned());
    }
    if is("events\"") {
        if !has(r#""type":"turn_finished""#) {
            Said::Nothing
        } else if has(r#""outcome":{"type":"answered"}"#) {
            Said::Ended
        } else {
            Said::Failed(String::from_utf8_lossy(frame).into_owned())
        }
    } else if is("accepted\"") {
        Said::Accepted
    } else if is("subscribed\"") {
        Said::Subscribed
    } else if is("rejected\"") || is("unsubscribed\"") || is("error\"") || is("waiting\"") {
        Said::Failed(String::from_utf8_lossy(frame).into_owned())
    } else {
        Said::Nothing
    }
}

/// Checks that a turn brought exactly what the model sent.
pub(crate) fn whole(turn: Turn, tokens: u64) -> Result<()> {
    ensure!(
        turn.tokens == tokens,
        "{} tokens came of {tokens}",
        turn.tokens
    );
    Ok(())
}
