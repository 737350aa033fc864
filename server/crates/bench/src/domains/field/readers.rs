//! Readers of a run's output as server-sent events.

use std::{cell::RefCell, rc::Rc, time::Duration};

use anyhow::{Context, Result, ensure};
use memchr::memmem;
use tokio::{
    io::AsyncReadExt,
    net::TcpStream,
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    PATIENCE,
    shared::{SharedFleet, TICK, instant},
};
use crate::{browser::Browser, clock, samples::Samples};

/// Time after the writing in which a slow reader still takes nothing.
const LATE: Duration = Duration::from_secs(2);
/// The end of each event.
const BREAK: &[u8] = b"\n\n";
/// The first line of an event behind which a stream can go on; the number follows.
const ID: &[u8] = b"id: ";
/// The event of a place that leads nowhere.
const GAP: &[u8] = b"event: gap\n";
/// The last event of a stream.
const END: &[u8] = b"event: end\n";
/// Mean time between two tries to reach a server that is gone.
const AGAIN_MS: u64 = 500;

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
    /// Connections after one that was lost.
    pub(super) again: u32,
    /// From a line written to the line read, for quick readers.
    pub(super) lines: Samples,
    /// Lines that all readers got.
    pub(super) read: u64,
    /// Lines that were lost or came twice.
    pub(super) wrong: u64,
    /// Times at which the server could not go on where a reader was.
    pub(super) gaps: u32,
}

/// The output of a run, over as many connections as it takes.
struct RunOutput {
    browser: Browser,
    job: String,
    stream: TcpStream,
    /// Bytes behind the last whole event.
    read: Vec<u8>,
    /// The place behind the last whole event that has one.
    after: u64,
}

/// Starts readers of all runs that have started, and waits until all have connected.
pub(super) async fn follow_all(
    browser: &Browser,
    shared: &Rc<SharedFleet>,
    figures: &Rc<RefCell<ReaderFigures>>,
    count: u32,
    kind: fn(u32) -> ReaderKind,
) -> Result<JoinSet<Result<()>>> {
    let mut readers = JoinSet::new();
    {
        let jobs = shared.started.borrow();
        for number in 0..count {
            let job = &jobs[usize::try_from(number)? % jobs.len()];
            let (browser, job) = (browser.clone(), job.clone());
            let (shared, figures) = (Rc::clone(shared), Rc::clone(figures));
            readers.spawn_local(read(browser, job, kind(number), shared, figures));
        }
    }
    let connected = async {
        while figures.borrow().connected < count {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, connected)
        .await
        .context("not all readers have connected")?;
    Ok(readers)
}

/// Follows a run to its end.
async fn read(
    browser: Browser,
    job: String,
    kind: ReaderKind,
    shared: Rc<SharedFleet>,
    figures: Rc<RefCell<ReaderFigures>>,
) -> Result<()> {
    let mut output = RunOutput::open(browser, job, 0).await?;
    figures.borrow_mut().connected += 1;
    if kind == ReaderKind::Slow {
        let mut go = shared.go.subscribe();
        go.wait_for(|go| *go).await?;
        sleep(shared.span + LATE).await;
    }
    let mut lines = 0;
    loop {
        let now = clock::now();
        let mut is_over = false;
        while let Some(event) = output.event() {
            for written in ticks(&event) {
                if kind == ReaderKind::Quick {
                    let latency = now.saturating_sub(written);
                    figures.borrow_mut().lines.add(latency);
                }
                lines += 1;
            }
            figures.borrow_mut().gaps += u32::from(has(&event, GAP));
            is_over |= has(&event, END);
        }
        if is_over {
            break;
        }
        let more = output.stream.read_buf(&mut output.read).await;
        match (more, shared.killed.get()) {
            (Ok(1..), _) => {}
            (Ok(0), None) => break,
            (Err(error), None) => return Err(error.into()),
            (Ok(0) | Err(_), Some(killed)) => {
                output = output.again(killed).await?;
                figures.borrow_mut().again += 1;
            }
        }
    }
    let mut figures = figures.borrow_mut();
    figures.read += lines;
    figures.wrong += shared.lines.abs_diff(lines);
    Ok(())
}

impl RunOutput {
    async fn open(browser: Browser, job: String, after: u64) -> Result<Self> {
        let mut path = format!("/api/v1/field/runs/{job}/events");
        if after > 0 {
            path = format!("{path}?after={after}");
        }
        let (answer, stream) = browser.follow(&path).await?;
        ensure!(answer.status == 200, "{path}: {}", answer.status);
        Ok(Self {
            browser,
            job,
            stream,
            read: answer.rest,
            after,
        })
    }

    /// Goes on behind the last whole event once there is a server.
    async fn again(self, killed: u64) -> Result<Self> {
        let limit = u64::try_from(PATIENCE.as_micros())?;
        loop {
            let pause = AGAIN_MS / 2 + rand::random::<u64>() % AGAIN_MS;
            sleep(Duration::from_millis(pause)).await;
            match Self::open(self.browser.clone(), self.job.clone(), self.after).await {
                Ok(output) => return Ok(output),
                Err(error) if clock::now().saturating_sub(killed) > limit => {
                    return Err(error.context("the server does not come back"));
                }
                Err(_) => {}
            }
        }
    }

    /// The next whole event, if it is here.
    fn event(&mut self) -> Option<Vec<u8>> {
        let end = memmem::find(&self.read, BREAK)? + BREAK.len();
        let event: Vec<u8> = self.read.drain(..end).collect();
        self.after = place(&event).unwrap_or(self.after);
        Some(event)
    }
}

/// The instants of the lines in an event. The server never sends a line in parts, for it was never written so.
fn ticks(event: &[u8]) -> Vec<u64> {
    let starts = memmem::find_iter(event, TICK).map(|at| at + TICK.len());
    let letters = starts.filter_map(|from| event.get(from..from + clock::DIGITS));
    letters.map(instant).collect()
}

/// The place behind an event, which is its first line. A chunk of the connection may begin before it.
fn place(event: &[u8]) -> Option<u64> {
    let mut lines = event.split(|byte| *byte == b'\n');
    let digits = lines.find_map(|line| line.strip_prefix(ID))?;
    str::from_utf8(digits).ok()?.parse().ok()
}

fn has(event: &[u8], part: &[u8]) -> bool {
    memmem::find(event, part).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_a_place_and_lines() {
        let event = b"id: 42\nevent: output\ndata: {\"text\":\"tick aaaaaaaaaaaaaabc\\n\"}\n\n";
        for before in [&b""[..], b"\r\n40\r\n"] {
            let event = [before, event].concat();
            assert_eq!(place(&event), Some(42));
            assert_eq!(ticks(&event), [12]);
            assert!(!has(&event, END) && !has(&event, GAP));
        }
        let end = b"\r\n20\r\nevent: end\ndata: {}\n\n";
        assert!(place(end).is_none() && ticks(end).is_empty() && has(end, END));
    }
}
