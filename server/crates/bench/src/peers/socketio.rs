//! A tab on the reference server: the part of Socket.IO that it needs.

use anyhow::{Result, bail};
use memchr::memmem;

use crate::{
    browser::Browser,
    clock,
    meter::{MeteredTurn, SharedMeter},
    socket::Socket,
    tab::{BenchTab, HELLO},
};

const PATH: &str = "/socket.io/?EIO=4&transport=websocket";
/// Engine.IO: the first frame, a ping and its answer.
const OPEN: u8 = b'0';
const PING: &[u8] = b"2";
const PONG: &[u8] = b"3";
/// Joins the namespace; the answer begins in the same way.
const JOIN: &[u8] = br#"40/chat,{"token":"bench"}"#;
const JOINED: &[u8] = b"40/chat";

pub(super) struct Peer {
    socket: Socket,
    /// The conversation.
    session: u64,
    meter: SharedMeter,
}

/// The meaning of a frame without text.
enum PeerSaid {
    Nothing,
    Ping,
    /// A call waits for a person; its frame.
    Confirm(Vec<u8>),
    Ended,
    Failed(String),
}

impl Peer {
    async fn connect(browser: &Browser) -> Result<Socket> {
        let mut socket = browser.socket(PATH).await?;
        let mut joined = false;
        let mut open = false;
        while !joined {
            let was_open = open;
            socket
                .read(|_, frame| {
                    joined |= frame.starts_with(JOINED);
                    open |= frame.first() == Some(&OPEN);
                })
                .await?;
            if open && !was_open {
                socket.send(JOIN).await?;
            }
        }
        Ok(socket)
    }

    async fn emit(&mut self, event: &str, fields: &str) -> Result<()> {
        let session = self.session;
        let frame = format!(r#"42/chat,["{event}",{{"sessionId":"{session:x}",{fields}}}]"#);
        self.socket.send(frame.as_bytes()).await
    }

    /// Sends a message, approves the card, and waits for the end. Returns the turn, and the times
    /// at which the card was seen and approved.
    pub(super) async fn turn_with_card(&mut self, text: &str) -> Result<(MeteredTurn, u64, u64)> {
        let before = self.socket.received;
        let mut turn = MeteredTurn {
            sent: clock::now(),
            ..MeteredTurn::default()
        };
        let mut card = 0;
        let mut decided = 0;
        let text = serde_json::Value::from(text);
        self.emit("chat:send", &format!(r#""message":{text}"#))
            .await?;
        loop {
            let meter = &self.meter;
            let mut heard = Vec::new();
            self.socket
                .read(|now, frame| {
                    if is_text(frame) {
                        meter.borrow_mut().text(now, frame, &mut turn);
                    } else {
                        heard.push((now, hear(frame)));
                    }
                })
                .await?;
            for (now, said) in heard {
                match said {
                    PeerSaid::Nothing => {}
                    PeerSaid::Ping => self.socket.send(PONG).await?,
                    PeerSaid::Confirm(frame) => {
                        card = now;
                        let call = field(&frame, "toolUseId").unwrap_or_default();
                        decided = clock::now();
                        let fields = format!(r#""toolUseId":"{call}","confirmed":true"#);
                        self.emit("chat:confirm", &fields).await?;
                    }
                    PeerSaid::Ended => {
                        let mut meter = self.meter.borrow_mut();
                        meter.turns += 1;
                        meter.bytes += self.socket.received - before;
                        return Ok((turn, card, decided));
                    }
                    PeerSaid::Failed(why) => bail!("{why}"),
                }
            }
        }
    }
}

impl BenchTab for Peer {
    async fn open(browser: &Browser, meter: SharedMeter) -> Result<Self> {
        let mut peer = Self {
            socket: Self::connect(browser).await?,
            session: rand::random(),
            meter,
        };
        peer.turn(HELLO).await?;
        Ok(peer)
    }

    fn count_in(&mut self, meter: SharedMeter) {
        self.meter = meter;
    }

    async fn turn(&mut self, text: &str) -> Result<MeteredTurn> {
        Ok(self.turn_with_card(text).await?.0)
    }

    async fn idle(browser: Browser, opened: impl FnOnce()) -> Result<()> {
        let mut socket = Self::connect(&browser).await?;
        opened();
        loop {
            let mut pinged = false;
            socket.read(|_, frame| pinged |= frame == PING).await?;
            if pinged {
                socket.send(PONG).await?;
            }
        }
    }
}

fn is_text(frame: &[u8]) -> bool {
    frame.starts_with(br#"42/chat,["chat:token""#)
}

fn hear(frame: &[u8]) -> PeerSaid {
    let is = |event: &str| frame.starts_with(format!(r#"42/chat,["chat:{event}""#).as_bytes());
    if frame == PING {
        PeerSaid::Ping
    } else if is("done") {
        PeerSaid::Ended
    } else if is("confirm_needed") {
        PeerSaid::Confirm(frame.to_vec())
    } else if is("error") || is("blocked") {
        PeerSaid::Failed(String::from_utf8_lossy(frame).into_owned())
    } else {
        PeerSaid::Nothing
    }
}

/// The text of a field, if there is nothing to unescape in it.
fn field(frame: &[u8], name: &str) -> Option<String> {
    let key = format!(r#""{name}":""#);
    let from = memmem::find(frame, key.as_bytes())? + key.len();
    let length = memchr::memchr(b'"', &frame[from..])?;
    Some(String::from_utf8_lossy(&frame[from..from + length]).into_owned())
}
