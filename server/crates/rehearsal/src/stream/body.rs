//! Paced body of a streamed answer.

use std::{collections::VecDeque, convert::Infallible, io, time::Duration};

use bytes::Bytes;
use futures::{Stream, stream};
use tokio::{sync::watch, time::Instant};

use super::{
    events::Event,
    pieces::{Piece, frame},
};
use crate::pace::Pace;

/// Idle time before a ping.
const PING: Duration = Duration::from_secs(15);

/// Observer of the sender.
pub(crate) trait Witness: Send + 'static {
    /// Called before the first byte is sent.
    fn began(&mut self);
    /// Called once the whole answer has been sent.
    fn completed(&mut self);
}

struct Sender<W> {
    pieces: VecDeque<Piece>,
    pace: Pace,
    start: Instant,
    /// Delay added by faults.
    late: Duration,
    last: Instant,
    begun: bool,
    stop: watch::Receiver<bool>,
    witness: W,
}

/// The body of a streamed answer.
pub(crate) fn body<W: Witness>(
    pieces: Vec<Piece>,
    pace: Pace,
    stop: watch::Receiver<bool>,
    witness: W,
) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    let now = Instant::now();
    let sender = Sender {
        pieces: pieces.into(),
        pace,
        start: now,
        late: Duration::ZERO,
        last: now,
        begun: false,
        stop,
        witness,
    };
    stream::unfold(sender, |mut sender| async move {
        let item = sender.next().await?;
        Some((item, sender))
    })
}

impl<W: Witness> Sender<W> {
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        loop {
            match self.pieces.pop_front()? {
                Piece::Bytes { bytes, told } => {
                    if !self.begun {
                        self.begun = true;
                        self.witness.began();
                    }
                    // Everything before the first token, such as `message_start`, is not paced.
                    let due = if told == 0 {
                        self.start + self.late
                    } else {
                        self.start + self.late + self.pace.until(told)
                    };
                    let ping = self.last + PING;
                    if due > ping {
                        self.pieces.push_front(Piece::Bytes { bytes, told });
                        self.sleep_until(ping).await?;
                        self.last = ping;
                        return Some(Ok(frame(&Event::ping(), &[]).into()));
                    }
                    if due > Instant::now() {
                        self.sleep_until(due).await?;
                    } else {
                        // Gives the wire a chance to send each piece separately.
                        tokio::task::yield_now().await;
                    }
                    self.last = due.max(self.last);
                    return Some(Ok(bytes));
                }
                Piece::Wait(time) => {
                    self.late += time;
                    self.sleep_until(Instant::now() + time).await?;
                    self.last = Instant::now();
                }
                Piece::Stall => {
                    let _: Infallible = self.never().await?;
                }
                Piece::Break => {
                    return Some(Err(io::Error::new(
                        io::ErrorKind::ConnectionReset,
                        "asked for by the rehearsal",
                    )));
                }
                Piece::Complete => self.witness.completed(),
            }
        }
    }

    /// Sleeps until the deadline; `None` if the server stops first.
    async fn sleep_until(&mut self, deadline: Instant) -> Option<()> {
        tokio::select! {
            () = tokio::time::sleep_until(deadline) => Some(()),
            _ = self.stop.wait_for(|stop| *stop) => None,
        }
    }

    async fn never(&mut self) -> Option<Infallible> {
        // The server stops, or its handle is gone: both end the wait.
        match self.stop.wait_for(|stop| *stop).await {
            Ok(_) | Err(_) => None,
        }
    }
}
