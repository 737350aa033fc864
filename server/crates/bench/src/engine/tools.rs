//! The server's share of the time around a tool call: one that runs at once, and one that a person
//! approves.

use std::time::Duration;

use anyhow::{Result, ensure};
use protocol::{Command, ConversationId, Decision, Event, EventBody, ToolOutcome};
use tokio::{
    task::{JoinSet, LocalSet},
    time::sleep,
};

use crate::{
    browser::Browser,
    clock,
    domains::{self, GREEN},
    meter::SharedMeter,
    process::MeasuredWorld,
    report::Report,
    samples::Samples,
    session::BenchSession,
};

const TURNS: usize = 300;
/// Turns of one conversation. A socket may send 200 frames at once and 50 a second later, and these
/// turns are faster.
const OF_A_SESSION: usize = 100;
/// Turns of each kind before measuring.
const WARM: usize = 5;

/// Rounds of stopping and starting each container.
const ROUNDS: usize = 5;
/// Pause between two decisions: the effects overlap, the decisions do not.
const APART: Duration = Duration::from_millis(150);

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report) -> Result<()> {
    let server = world.server().await?;
    let group = "tools";
    let turnaround = green(&server.browser).await?;
    report.times(group, "GREEN: last delta to next request", &turnaround);
    let red = red(&server.browser).await?;
    report.times(group, "RED: last delta to card", &red.card);
    report.times(group, "RED: decision to durable start", &red.started);
    let name = "RED: decision to next request, less effect";
    report.times(group, name, &red.confirmed);
    Ok(())
}

/// From the last delta to the next request, over a tool that reads.
pub(crate) async fn green(browser: &Browser) -> Result<Samples> {
    let mut turnaround = Samples::default();
    for _ in 0..TURNS / OF_A_SESSION {
        let mut session = BenchSession::open(browser, SharedMeter::default()).await?;
        session.start("Hello. [[n:5]] [[delay:0]]").await?;
        for turn in 0..OF_A_SESSION + WARM {
            let seen = session.turn(GREEN).await?;
            ensure!(seen.requests == 2, "{} requests, not 2", seen.requests);
            if turn >= WARM {
                turnaround.add(seen.turnaround);
            }
        }
    }
    Ok(turnaround)
}

/// The measurements of calls that wait for a person.
#[derive(Default)]
pub(crate) struct Red {
    /// From the model's last delta to the card.
    pub(crate) card: Samples,
    /// From the decision to the start of the call, on the disk and on the screen.
    pub(crate) started: Samples,
    /// From the decision to the next request, without the time of the effect itself.
    pub(crate) confirmed: Samples,
}

/// Calls that are approved as soon as a card asks for them.
pub(crate) async fn red(browser: &Browser) -> Result<Red> {
    let mut sum = Red::default();
    for _ in 0..ROUNDS {
        for together in domains::acting() {
            let calls = LocalSet::new()
                .run_until(async {
                    let mut tasks = JoinSet::new();
                    for text in together {
                        tasks.spawn_local(one(browser.clone(), text));
                        sleep(APART).await;
                    }
                    let mut calls = Vec::new();
                    while let Some(call) = tasks.join_next().await {
                        calls.push(call??);
                    }
                    anyhow::Ok(calls)
                })
                .await?;
            for call in calls {
                sum.card.add(call.card);
                sum.started.add(call.started);
                sum.confirmed.add(call.confirmed);
            }
        }
    }
    Ok(sum)
}

/// Microseconds of one call, as in [`Red`].
#[derive(Default)]
struct CallTimes {
    card: u64,
    started: u64,
    confirmed: u64,
}

/// Times of the events of a call.
#[derive(Default)]
struct SeenTimes {
    card: u64,
    decided: u64,
    started: u64,
    finished: u64,
    failed: Option<String>,
    asked: u32,
}

async fn one(browser: Browser, text: String) -> Result<CallTimes> {
    let mut session = BenchSession::open(&browser, SharedMeter::default()).await?;
    session.start("Hello. [[n:5]] [[delay:0]]").await?;
    let mut turn = session.ask(&text).await?;
    let conversation = session.conversation;
    let mut seen = SeenTimes::default();
    session
        .follow(&mut turn, |now, event| seen.take(conversation, now, event))
        .await?;
    ensure!(seen.failed.is_none(), "{:?}", seen.failed);
    ensure!(seen.asked == 1, "it was asked for {} times", seen.asked);
    ensure!(turn.requests == 2, "{} requests, not 2", turn.requests);
    let effect = seen.finished - seen.started;
    Ok(CallTimes {
        // The turnaround ends with the next request; back from there to the last delta.
        card: (seen.card + turn.turnaround).saturating_sub(turn.arrived),
        started: seen.started - seen.decided,
        confirmed: (turn.arrived - seen.decided).saturating_sub(effect),
    })
}

impl SeenTimes {
    /// Approves each card.
    fn take(&mut self, conversation: ConversationId, now: u64, event: &Event) -> Option<Command> {
        match &event.body {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => {
                self.asked += 1;
                self.card = now;
                self.decided = clock::now();
                return Some(Command::Decide {
                    conversation,
                    call: *call,
                    digest: confirmation.digest.clone(),
                    decision: Decision::Approve {
                        grant: None,
                        word: None,
                    },
                });
            }
            EventBody::ToolStarted { .. } => self.started = now,
            EventBody::ToolFinished { outcome, .. } => {
                self.finished = now;
                if !matches!(outcome, ToolOutcome::Succeeded { .. }) {
                    self.failed = Some(format!("{outcome:?}"));
                }
            }
            EventBody::ToolBlocked { message, .. } => self.failed = Some(message.clone()),
            _ => {}
        }
        None
    }
}
