//! Readers of a run's output as server-sent events.

use std::{cell::RefCell, rc::Rc, time::Duration};

use anyhow::{Result, ensure};
use memchr::memmem;
use tokio::{io::AsyncReadExt, time::sleep};

use super::shared::{SharedFleet, TICK, instant};
use crate::{browser::Browser, clock, samples::Samples};

/// Time after the writing in which a slow reader still takes nothing.
const LATE: Duration = Duration::from_secs(2);
/// The last event of a stream.
const END: &[u8] = b"event: end";

/// Speed of a reader.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReaderKind {
    Quick,
    /// It takes nothing while the run writes, and then all of it.
    Slow,
}

#[derive(Default)]
pub(super) struct ReaderFigures {
    pub(super) connected: u32,
    /// From a line written to the line read, for quick readers.
    pub(super) lines: Samples,
    /// Lines that all readers got.
    pub(super) read: u64,
    /// Lines that were lost or came twice.
    pub(super) wrong: u64,
}

/// Follows a run to its end.
pub(super) async fn read(
    browser: Browser,
    job: String,
    kind: ReaderKind,
    shared: Rc<SharedFleet>,
    figures: Rc<RefCell<ReaderFigures>>,
) -> Result<()> {
    let path = format!("/api/v1/field/runs/{job}/events");
    let (answer, mut stream) = browser.follow(&path).await?;
    ensure!(answer.status == 200, "{path}: {}", answer.status);
    figures.borrow_mut().connected += 1;
    if kind == ReaderKind::Slow {
        let mut go = shared.go.subscribe();
        go.wait_for(|go| *go).await?;
        sleep(shared.span + LATE).await;
    }
    let mut read = answer.rest;
    let mut lines = 0;
    loop {
        let now = clock::now();
        let mut at = 0;
        while let Some(found) = memmem::find(&read[at..], TICK) {
            let from = at + found + TICK.len();
            let Some(letters) = read.get(from..from + clock::DIGITS) else {
                break;
            };
            if kind == ReaderKind::Quick {
                let latency = now.saturating_sub(instant(letters));
                figures.borrow_mut().lines.add(latency);
            }
            lines += 1;
            at = from + clock::DIGITS;
        }
        // A line may have come in part.
        read.drain(..at);
        let is_over = memmem::find(&read, END).is_some();
        if is_over || stream.read_buf(&mut read).await? == 0 {
            break;
        }
    }
    let mut figures = figures.borrow_mut();
    figures.read += lines;
    figures.wrong += shared.lines.abs_diff(lines);
    Ok(())
}
