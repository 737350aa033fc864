//! The times to the first event and the first token over AG-UI, beside those over the websocket, turn by turn.

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
    texts,
};

const TURNS: usize = 200;
/// Turns of each kind before measuring.
const WARM: usize = 5;

const TURN: &str = "Hello. [[n:5]] [[delay:5]]";
const TOKENS: u64 = 5;

/// Milliseconds that a median may be above the websocket's.
const WANTED_ABOVE: f64 = 2.0;

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
    let mut socket_first = Samples::default();
    for turn in 0..WARM + TURNS {
        if turn == WARM {
            session.count_in(Rc::clone(&socket));
            socket_first = Samples::default();
            thread.meter = Meter::default();
            thread.first = Samples::default();
        }
        let on_socket = session.turn(TURN).await?;
        socket_first.add(on_socket.event_at.saturating_sub(on_socket.sent));
        whole(on_socket, TOKENS)?;
        whole(thread.turn().await?, TOKENS)?;
    }
    compared(report, "first event", &thread.first, &socket_first);
    let name = "added time to first token";
    compared(report, name, &thread.meter.first, &socket.borrow().first);
    report.note(texts::AGUI_CONNECTS.to_owned());
    Ok(())
}

/// Adds the times over both, and the difference of their medians.
fn compared(report: &mut Report, name: &str, agui: &Samples, socket: &Samples) {
    let group = "AG-UI";
    report.times(group, name, agui);
    report.times(group, &format!("  {name}, websocket"), socket);
    let p50 = |samples: &Samples| samples.quantiles([0.5]);
    if let (Some([agui]), Some([socket])) = (p50(agui), p50(socket)) {
        let above = agui - socket;
        let figure = format!("  {name}, above the websocket's p50");
        report.value(group, &figure, "ms", above);
        if above > WANTED_ABOVE {
            report.note(texts::too_far_above_websocket(name, WANTED_ABOVE));
        }
    }
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
