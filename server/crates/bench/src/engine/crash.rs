//! The server is killed in mid-answer, and started again.

use std::time::Duration;

use anyhow::{Result, ensure};
use protocol::{ContentBlock, Event, EventBody, Seq};
use tokio::time::sleep;

use crate::{
    clock,
    meter::{MeteredTurn, SharedMeter},
    process::MeasuredWorld,
    report::Report,
    samples::Samples,
    session::{BenchSession, whole},
};

const RUNS: usize = 15;
const TOKENS: u64 = 600;
/// Tokens after which it is killed.
const KILLED_AT: u64 = 200;
/// Pause between two tries to connect.
const AGAIN: Duration = Duration::from_millis(1);
/// The most tries.
const TRIES: usize = 10_000;

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report) -> Result<()> {
    let mut server = world.server().await?;
    let address = server.browser.address.clone();
    let mut connected = Samples::default();
    let mut resumed = Samples::default();
    for _ in 0..RUNS {
        let mut session = BenchSession::open(&server.browser, SharedMeter::default()).await?;
        session.start("Hello. [[n:5]] [[delay:0]]").await?;
        let text = format!("Tell me all. [[n:{TOKENS}]] [[delay:2]]");
        let mut first = session.ask(&text).await?;
        session.some(&mut first, KILLED_AT).await?;
        let killed = clock::now();
        server.process.kill()?;
        server.process = world.spawn(&address)?;
        let mut tries = 0;
        while session.reopen(&server.browser).await.is_err() {
            tries += 1;
            ensure!(
                tries < TRIES && server.process.runs()?,
                "the server did not come back"
            );
            sleep(AGAIN).await;
        }
        connected.add(clock::now() - killed);
        session.subscribe(Seq(0)).await?;
        let mut turn = MeteredTurn::default();
        let mut events = Vec::new();
        session
            .follow(&mut turn, |_, event| {
                events.push(event.clone());
                None
            })
            .await?;
        // The missed events may include the first turn's end.
        if !is_over(&events) {
            session
                .follow(&mut turn, |_, event| {
                    events.push(event.clone());
                    None
                })
                .await?;
        }
        resumed.add(turn.began.saturating_sub(killed));
        whole(turn, TOKENS)?;
        check(&events)?;
    }
    let group = "kill -9 in mid-answer";
    report.times(group, "to a new connection", &connected);
    report.times(group, "to the first new token", &resumed);
    Ok(())
}

/// True if the second turn has ended.
fn is_over(events: &[Event]) -> bool {
    let ended = |event: &&Event| matches!(event.body, EventBody::TurnFinished { .. });
    events.iter().filter(ended).count() == 2
}

/// Two turns, one of them interrupted once; the last answer has every token once.
fn check(events: &[Event]) -> Result<()> {
    let dense = events
        .iter()
        .zip(1..)
        .all(|(event, seq)| event.seq == Seq(seq));
    ensure!(dense, "events are missing or doubled");
    let count =
        |wanted: fn(&EventBody) -> bool| events.iter().filter(|event| wanted(&event.body)).count();
    let turns = count(|body| matches!(body, EventBody::TurnStarted { .. }));
    let cut = count(|body| matches!(body, EventBody::StepInterrupted { .. }));
    ensure!(
        (turns, cut) == (2, 1),
        "{turns} turns, {cut} interrupted steps"
    );
    let answer = events.iter().rev().find_map(|event| match &event.body {
        EventBody::AssistantMessage { blocks, .. } => Some(blocks),
        _ => None,
    });
    let tokens: usize = answer
        .into_iter()
        .flatten()
        .map(|block| match block {
            ContentBlock::Text { text } => text.matches("@T").count(),
            _ => 0,
        })
        .sum();
    ensure!(tokens as u64 == TOKENS, "the answer has {tokens} tokens");
    Ok(())
}
