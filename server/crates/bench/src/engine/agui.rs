//! The times to the first event and the first token over AG-UI, beside those over the websocket, turn by turn.

use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use memchr::memmem;
use serde_json::{Value, json};
use tokio::{io::AsyncReadExt, net::TcpStream};

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
/// Runs of a thread.
const THREAD: usize = 20;

/// The end of an answer that is sent in chunks.
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";

const TURN: &str = "Hello. [[n:5]] [[delay:5]]";
const TOKENS: u64 = 5;

/// Milliseconds that a median may be above the websocket's.
const WANTED_ABOVE: f64 = 2.0;

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report) -> Result<()> {
    let server = world.server().await?;
    let browser = &server.browser;
    let token = browser.token().await?;
    let mut keeps = AguiFrontEnd::new(browser, &token, false);
    let mut connects = AguiFrontEnd::new(browser, &token, true);
    let opened = <BenchSession as BenchTab>::open(browser, SharedMeter::default());
    let mut session = opened.await?;
    let socket = SharedMeter::default();
    let mut socket_first = Samples::default();
    for turn in 0..WARM + TURNS {
        if turn == WARM {
            session.count_in(Rc::clone(&socket));
            socket_first = Samples::default();
            keeps.forget();
            connects.forget();
        }
        let on_socket = session.turn(TURN).await?;
        socket_first.add(on_socket.event_at.saturating_sub(on_socket.sent));
        whole(on_socket, TOKENS)?;
        whole(keeps.turn().await?, TOKENS)?;
        whole(connects.turn().await?, TOKENS)?;
    }
    compared(report, "first event", &keeps.first, &socket_first);
    let name = "added time to first token";
    compared(report, name, &keeps.meter.first, &socket.borrow().first);
    let name = "first event, a connection for each run";
    compared(report, name, &connects.first, &socket_first);
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

/// A front end that talks in threads of [`THREAD`] runs, and sends the history along as the official client does.
struct AguiFrontEnd<'a> {
    browser: &'a Browser,
    token: &'a str,
    /// True if it opens a connection for each run, false if it keeps one.
    connects: bool,
    kept: Option<TcpStream>,
    meter: Meter,
    /// From the request to the first event.
    first: Samples,
    runs: usize,
    history: Vec<Value>,
}

impl<'a> AguiFrontEnd<'a> {
    fn new(browser: &'a Browser, token: &'a str, connects: bool) -> Self {
        Self {
            browser,
            token,
            connects,
            kept: None,
            meter: Meter::default(),
            first: Samples::default(),
            runs: 0,
            history: Vec::new(),
        }
    }

    fn forget(&mut self) {
        self.meter = Meter::default();
        self.first = Samples::default();
    }

    /// Sends a message and reads to the end of the run.
    async fn turn(&mut self) -> Result<MeteredTurn> {
        let (thread, run) = (self.runs / THREAD, self.runs.to_string());
        if self.runs.is_multiple_of(THREAD) {
            self.history.clear();
        }
        self.runs += 1;
        self.history
            .push(json!({ "id": run, "role": "user", "content": TURN }));
        let body = json!({
            "threadId": format!("bench-{}-{thread}", self.connects),
            "runId": run,
            "protocolVersion": "1.0",
            "state": {},
            "messages": self.history,
            "tools": [],
            "context": [],
            "forwardedProps": {},
        });
        let body = body.to_string();
        let mut turn = MeteredTurn {
            sent: clock::now(),
            ..MeteredTurn::default()
        };
        let mut stream = match self.kept.take() {
            Some(kept) => kept,
            None => self.browser.connect().await?,
        };
        let sent = self
            .browser
            .post(&mut stream, "/agui", self.token, &body)
            .await?;
        ensure!(sent.status == 200, "the run was refused: {}", sent.status);
        let mut read = sent.rest;
        let mut said = String::new();
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
                    said.push_str(&delta(&event)?);
                }
                let repeated = memmem::find(&event, br#""MESSAGES_SNAPSHOT""#).is_some();
                ensure!(!repeated, "the history was not taken for the journal's");
            }
            if read.ends_with(LAST_CHUNK) {
                break;
            }
            let more = stream.read_buf(&mut read).await?;
            ensure!(more > 0, "the server closed the connection");
        }
        let answer = format!("answer to {run}");
        self.history
            .push(json!({ "id": answer, "role": "assistant", "content": said }));
        self.kept = (!self.connects).then_some(stream);
        Ok(turn)
    }
}

/// The text that an event adds; the size of its chunk may be before it.
fn delta(event: &[u8]) -> Result<String> {
    const DATA: &[u8] = b"data: ";
    let at = memmem::find(event, DATA).context("an event without data")?;
    let event: Value = serde_json::from_slice(&event[at + DATA.len()..])?;
    let delta = event["delta"].as_str().context("no text")?;
    Ok(delta.to_owned())
}
