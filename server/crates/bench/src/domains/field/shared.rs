//! What devices, readers and the measurement know together; all of them run on one thread.

use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet},
    time::Duration,
};

use anyhow::Result;
use tokio::sync::watch;

use crate::{clock, samples::Samples};

/// Time between two lines of a run.
pub(super) const LINE_PAUSE: Duration = Duration::from_millis(500);
/// The beginning of a line; the instant follows.
pub(super) const TICK: &[u8] = b"tick ";

pub(super) struct SharedFleet {
    /// Seconds for which a device waits when it asks for work.
    pub(super) wait_s: Cell<u32>,
    /// True while runs end as soon as they may start.
    pub(super) short: Cell<bool>,
    /// Time in which runs write.
    pub(super) span: Duration,
    /// Lines that each run writes.
    pub(super) lines: u64,
    /// Requests for work that were answered.
    pub(super) polls: Cell<u64>,
    /// Devices that ask for no work now, so that they ask all at once later.
    pub(super) held: watch::Sender<HashSet<String>>,
    /// Instants of the approvals, by device.
    pub(super) approved: RefCell<HashMap<String, u64>>,
    /// Runs that their devices were let start.
    pub(super) started: RefCell<Vec<String>>,
    pub(super) figures: RefCell<StartFigures>,
    /// Runs whose end the server has taken.
    pub(super) ended: Cell<usize>,
    /// The instant at which the server was killed.
    pub(super) killed: Cell<Option<u64>>,
    /// From there to the next session of each device.
    pub(super) back: RefCell<Samples>,
    /// True once runs may write.
    pub(super) go: watch::Sender<bool>,
}

#[derive(Default)]
pub(super) struct StartFigures {
    /// From the request for work to the claim, of devices that were held before.
    pub(super) asked: Samples,
    /// From the approval to the claim.
    pub(super) claim: Samples,
    /// From the claim to the word to start.
    pub(super) start: Samples,
    /// From the approval to the word to start.
    pub(super) started: Samples,
}

impl SharedFleet {
    pub(super) fn new(span: Duration, wait_s: u32) -> Self {
        let lines = span.as_millis() / LINE_PAUSE.as_millis();
        Self {
            wait_s: Cell::new(wait_s),
            short: Cell::default(),
            span,
            lines: u64::try_from(lines).unwrap_or(u64::MAX).max(1),
            polls: Cell::default(),
            held: watch::Sender::default(),
            approved: RefCell::default(),
            started: RefCell::default(),
            figures: RefCell::default(),
            ended: Cell::default(),
            killed: Cell::default(),
            back: RefCell::default(),
            go: watch::Sender::new(false),
        }
    }

    /// Forgets the runs so far, with their times.
    pub(super) fn forget_runs(&self) {
        self.started.borrow_mut().clear();
        self.figures.take();
        self.ended.set(0);
    }

    /// Waits while a device is held; true if it was.
    pub(super) async fn hold(&self, device: &str) -> Result<bool> {
        let mut held = self.held.subscribe();
        let is_held = held.borrow().contains(device);
        held.wait_for(|held| !held.contains(device)).await?;
        Ok(is_held)
    }

    /// Notes that a device was let start a run that it claimed at this instant.
    pub(super) fn began(&self, device: &str, job: &str, claimed: u64) {
        let now = clock::now();
        let approved = self.approved.borrow().get(device).copied();
        let mut figures = self.figures.borrow_mut();
        figures.start.add(now.saturating_sub(claimed));
        if let Some(approved) = approved {
            figures.claim.add(claimed.saturating_sub(approved));
            figures.started.add(now.saturating_sub(approved));
        }
        self.started.borrow_mut().push(job.to_owned());
    }
}

/// A line with an instant. Digits could be taken for an identifier and hidden, letters are none.
pub(super) fn line(instant: u64) -> Vec<u8> {
    let mut digits = [0; clock::DIGITS];
    clock::write(instant, &mut digits);
    let letters = digits.map(|digit| digit - b'0' + b'a');
    [TICK, &letters, b"\n"].concat()
}

/// The instant in what follows the beginning of a line.
pub(super) fn instant(letters: &[u8]) -> u64 {
    let digits: Vec<u8> = letters
        .iter()
        .map(|letter| letter.wrapping_sub(b'a').wrapping_add(b'0'))
        .collect();
    clock::read(&digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_letters_and_back() {
        for at in [0, 7, 1_234_567_890_123_456] {
            let line = line(at);
            let letters = &line[TICK.len()..line.len() - 1];
            assert!(letters.iter().all(u8::is_ascii_lowercase));
            assert_eq!(instant(letters), at);
        }
    }
}
