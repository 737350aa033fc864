//! The measurements of many sessions together, and the search for instants in texts.

use std::{cell::RefCell, rc::Rc};

use crate::{clock, samples::Samples};

/// Shared by the sessions of one measurement; they run on one thread.
pub(crate) type SharedMeter = Rc<RefCell<Meter>>;

#[derive(Default)]
pub(crate) struct Meter {
    /// From the model to the client, for each delta.
    pub(crate) latency: Samples,
    /// From the client to the model, for each turn.
    pub(crate) request: Samples,
    /// The server's share of the time to the first token: both ways.
    pub(crate) first: Samples,
    pub(crate) tokens: u64,
    /// Frames with text.
    pub(crate) frames: u64,
    /// Bytes that came over the wire.
    pub(crate) bytes: u64,
    pub(crate) turns: u64,
}

/// The measurements of one turn.
#[derive(Clone, Copy, Default)]
pub(crate) struct MeteredTurn {
    /// Time at which the client sent its message.
    pub(crate) sent: u64,
    /// Time at which the first events of the turn arrived here; 0 before.
    pub(crate) event_at: u64,
    /// Time at which the newest request of the turn reached the model.
    pub(crate) arrived: u64,
    /// Time at which the model sent its newest delta, and at which that arrived here.
    pub(crate) last: u64,
    pub(crate) seen: u64,
    pub(crate) tokens: u64,
    /// Time at which the first delta arrived here.
    pub(crate) began: u64,
    /// Requests to the model.
    pub(crate) requests: u64,
    /// From the newest delta of a request to the request after it.
    pub(crate) turnaround: u64,
}

impl Meter {
    /// Looks for instants in a text that came at `now`.
    pub(crate) fn text(&mut self, now: u64, text: &[u8], turn: &mut MeteredTurn) {
        self.frames += 1;
        let mut from = 0;
        while let Some(at) = memchr::memchr(b'@', &text[from..]) {
            let at = from + at + 1;
            let Some(digits) = text.get(at + 1..at + 1 + clock::DIGITS) else {
                return;
            };
            from = at + 1 + clock::DIGITS;
            let instant = clock::read(digits);
            match text[at] {
                b'R' => {
                    turn.turnaround = instant.saturating_sub(turn.last);
                    turn.arrived = instant;
                    turn.requests += 1;
                }
                b'T' => {
                    let latency = now.saturating_sub(instant);
                    self.latency.add(latency);
                    self.tokens += 1;
                    turn.tokens += 1;
                    if turn.tokens == 1 {
                        let request = turn.arrived.saturating_sub(turn.sent);
                        self.request.add(request);
                        self.first.add(request + latency);
                        turn.began = now;
                    }
                    turn.last = instant;
                    turn.seen = now;
                }
                _ => {}
            }
        }
    }
}
