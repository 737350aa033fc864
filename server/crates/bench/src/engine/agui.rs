//! The time to the first token over AG-UI, beside that over the websocket, turn by turn.

use std::rc::Rc;

use anyhow::{Result, ensure};
use memchr::memmem;
use serde_json::json;
use tokio::io::AsyncReadExt;

use crate::{
    browser::Browser,
    clock,
    meter::{Meter, MeteredTurn, SharedMeter},
    process::MeasuredWorld,
    report::Report,
    samples::Samples,
    session::{BenchSession, whole},
    tab::BenchTab,
};

const TURNS: usize = 200;
/// Turns of each kind before measuring.
const WARM: usize = 5;

const TURN: &str = "Hello. [[n:5]] [[delay:5]]";
const TOKENS: u64 = 5;

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report) -> Result<()> {
    let server = world.server().await?;
    let browser = &server.browser;
    let mut thread = AguiThread {
        browser,
        token: browser.token().await?,
        meter: Meter::default(),
        first: Samples::default(),
        runs: 0,
    };
    let opened = <BenchSession as BenchTab>::open(browser, SharedMeter::default());
    let mut session = opened.await?;
    let socket = SharedMeter::default();
    for turn in 0..WARM + TURNS {
        if turn == WARM {
            session.count_in(Rc::clone(&socket));
            thread.meter = Meter::default();
            thread.first = Samples::default();
        }
        whole(session.turn(TURN).await?, TOKENS)?;
        whole(thread.turn().await?, TOKENS)?;
    }
    let group = "AG-UI";
    let socket = socket.borrow();
    report.times(group, "first event, with its connection", &thread.first);
    let name = "added time to first token";
    report.times(group, name, &thread.meter.first);
    report.times(group, "  the same over the websocket", &socket.first);
    let p50 = |samples: &Samples| samples.quantiles([0.5]);
    if let (Some([agui]), Some([socket])) = (p50(&thread.meter.first), p50(&socket.first)) {
        let name = "  AG-UI above the websocket, p50";
        report.value(group, name, "ms", agui - socket);
    }
    Ok(())
}

/// A thread of a front end, each of whose runs has a connection of its own.
struct AguiThread<'a> {
    browser: &'a Browser,
    token: String,
    meter: Meter,
    /// From the request to the first event.
    first: Samples,
    runs: usize,
}

impl AguiThread<'_> {
    /// Sends a message and reads to the end of the run.
    async fn turn(&mut self) -> Result<MeteredTurn> {
        self.runs += 1;
        let run = self.runs.to_string();
        let body = json!({
            "threadId": "bench",
            "runId": run,
            "protocolVersion": "1.0",
            "state": {},
            "messages": [{ "id": run, "role": "user", "content": TURN }],
            "tools": [],
            "context": [],
            "forwardedProps": {},
        });
        let body = body.to_string();
        let mut turn = MeteredTurn {
            sent: clock::now(),
            ..MeteredTurn::default()
        };
        let (answer, mut stream) = self.browser.post("/agui", &self.token, &body).await?;
        ensure!(
            answer.status == 200,
            "the run was refused: {}",
            answer.status
        );
        let mut read = answer.rest;
        let mut events = 0;
        loop {
            let now = clock::now();
            while let Some(end) = memmem::find(&read, b"\n\n") {
                let rest = read.split_off(end + 2);
                let event = std::mem::replace(&mut read, rest);
                if events == 0 {
                    self.first.add(now.saturating_sub(turn.sent));
                }
                events += 1;
                // A snapshot would repeat the text.
                if memmem::find(&event, br#""TEXT_MESSAGE_CONTENT""#).is_some() {
                    self.meter.text(now, &event, &mut turn);
                }
            }
            if stream.read_buf(&mut read).await? == 0 {
                return Ok(turn);
            }
        }
    }
}
