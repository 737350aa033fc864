//! A websocket client, as cheap as possible: frames are parsed where they were read.

use std::cell::RefCell;

use anyhow::{Context, Result, bail, ensure};
use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::clock;

/// The most bytes of one read.
const READ: usize = 256 * 1024;

thread_local! {
    /// All sockets of a thread read into the same memory, one after the other.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; READ]);
}

const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// A websocket after its handshake.
pub(crate) struct Socket {
    stream: TcpStream,
    /// The beginning of a frame whose end is not there yet.
    rest: Vec<u8>,
    /// Bytes received, with the heads of frames.
    pub(crate) received: u64,
}

impl Socket {
    /// `rest` are bytes that came after the answer to the handshake.
    pub(crate) fn new(stream: TcpStream, rest: Vec<u8>) -> Self {
        Self {
            stream,
            rest,
            received: 0,
        }
    }

    /// Sends a text.
    pub(crate) async fn send(&mut self, text: &[u8]) -> Result<()> {
        self.write(TEXT, text).await
    }

    /// Waits for bytes, and shows every whole text with the instant at which it was complete.
    pub(crate) async fn read(&mut self, mut show: impl FnMut(u64, &[u8])) -> Result<()> {
        let mut pongs = 0;
        let mut read = 0;
        while read == 0 && self.rest.len() < 2 {
            read = self.once(&mut show, &mut pongs).await?;
        }
        if read == 0 {
            // Bytes that came with the handshake, or more of a frame.
            let early = std::mem::take(&mut self.rest);
            let used = frames(&early, clock::now(), &mut show, &mut pongs)?;
            self.rest.extend_from_slice(&early[used..]);
            if used == 0 {
                self.once(&mut show, &mut pongs).await?;
            }
        }
        for _ in 0..pongs {
            self.write(PONG, b"").await?;
        }
        Ok(())
    }

    async fn once(
        &mut self,
        show: &mut impl FnMut(u64, &[u8]),
        pongs: &mut usize,
    ) -> Result<usize> {
        self.stream.readable().await?;
        SCRATCH.with_borrow_mut(|scratch| {
            let read = match self.stream.try_read(scratch) {
                Ok(0) => bail!("the server closed the connection"),
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(0),
                Err(error) => return Err(error.into()),
            };
            let now = clock::now();
            self.received += read as u64;
            if self.rest.is_empty() {
                let used = frames(&scratch[..read], now, show, pongs)?;
                self.rest.extend_from_slice(&scratch[used..read]);
            } else {
                self.rest.extend_from_slice(&scratch[..read]);
                let used = frames(&self.rest, now, show, pongs)?;
                self.rest.drain(..used);
            }
            Ok(read)
        })
    }

    /// A client's frame is masked; a mask of zeros leaves the bytes unchanged.
    async fn write(&mut self, opcode: u8, payload: &[u8]) -> Result<()> {
        let mut frame = vec![0x80 | opcode];
        match payload.len() {
            length @ ..126 => frame.push(0x80 | length as u8),
            length @ 126..0x1_0000 => {
                frame.push(0x80 | 126);
                frame.extend_from_slice(&(length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend_from_slice(&(length as u64).to_be_bytes());
            }
        }
        frame.extend_from_slice(&[0; 4]);
        frame.extend_from_slice(payload);
        Ok(self.stream.write_all(&frame).await?)
    }
}

/// Shows every whole text in `bytes`, counts pings, and returns the number of bytes used.
fn frames(
    bytes: &[u8],
    now: u64,
    show: &mut impl FnMut(u64, &[u8]),
    pings: &mut usize,
) -> Result<usize> {
    let mut used = 0;
    while let Some((opcode, head, length)) = frame(&bytes[used..])? {
        let Some(payload) = bytes.get(used + head..used + head + length) else {
            break;
        };
        match opcode {
            TEXT => show(now, payload),
            PING => *pings += 1,
            PONG => {}
            CLOSE => {
                let code = payload
                    .first_chunk()
                    .map_or(0, |code| u16::from_be_bytes(*code));
                bail!("the server closed the websocket with {code}");
            }
            other => bail!("a frame of kind {other}"),
        }
        used += head + length;
    }
    Ok(used)
}

/// Kind, length of the head and length of the payload of the frame that begins here.
fn frame(bytes: &[u8]) -> Result<Option<(u8, usize, usize)>> {
    let [first, second, rest @ ..] = bytes else {
        return Ok(None);
    };
    ensure!(first & 0xf0 == 0x80, "a frame in parts or with extensions");
    ensure!(second & 0x80 == 0, "a server does not mask");
    let (head, length) = match second {
        126 => match rest.first_chunk() {
            Some(length) => (4, u16::from_be_bytes(*length).into()),
            None => return Ok(None),
        },
        127 => match rest.first_chunk() {
            Some(length) => (10, u64::from_be_bytes(*length)),
            None => return Ok(None),
        },
        short => (2, u64::from(*short)),
    };
    let length = usize::try_from(length).context("a frame that is too long")?;
    Ok(Some((first & 0x0f, head, length)))
}
