//! More and more sessions at 50 tokens a second, until tokens come late.

use std::time::Duration;

use anyhow::Result;
use tokio::{
    task::{JoinSet, LocalSet},
    time::sleep,
};

use crate::{
    domains::QUESTION,
    load, machine,
    meter::{Meter, SharedMeter},
    process::{MeasuredWorld, Server},
    report::Report,
    session::BenchSession,
    texts,
};

const STEPS: [usize; 8] = [400, 600, 800, 1_000, 1_250, 1_500, 2_000, 2_500];
/// Pause between the first tokens of two sessions, in milliseconds.
const APART: u64 = 4;
/// Milliseconds that are measured, once all sessions stream.
const MEASURED: u64 = 4_000;
/// Milliseconds before and after them.
const MARGIN: u64 = 700;
/// Milliseconds that a token may be late, at the 99th percentile.
const LATE: f64 = 50.0;

/// The measurements of a step.
struct LoadStep {
    meter: Meter,
    /// Shares of a core.
    server: f64,
    others: f64,
}

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report) -> Result<()> {
    let server = world.server().await?;
    let group = "tokens a second, p99 under 50 ms";
    let mut best = None;
    for sessions in STEPS {
        let step = measure(world, &server, sessions).await?;
        let rate = step.meter.tokens as f64 * 1_000.0 / MEASURED as f64;
        let Some([p50, p99]) = step.meter.latency.quantiles([0.5, 0.99]) else {
            break;
        };
        eprintln!(
            "  {sessions} sessions: {rate:.0} tokens/s, p50 {p50:.2} ms, p99 {p99:.2} ms, server's \
             core {:.0} %, the others' {:.0} %",
            step.server * 100.0,
            step.others * 100.0
        );
        let enough = rate < sessions as f64 * 50.0 * 0.97;
        if p99 >= LATE || enough {
            let full = if step.others > step.server {
                texts::MODEL_AND_CLIENT
            } else {
                texts::SERVER
            };
            report.note(texts::too_many_sessions(sessions, p99, rate, full));
            break;
        }
        best = Some((sessions, rate, step));
    }
    let Some((sessions, rate, step)) = best else {
        report.note(texts::SMALLEST_TOO_MANY.to_owned());
        return Ok(());
    };
    report.value(group, "sessions", "", sessions as f64);
    report.value(group, "tokens per second", "1/s", rate);
    report.times(group, "latency per token", &step.meter.latency);
    report.value(group, "server's core", "%", step.server * 100.0);
    report.value(group, "core of model and client", "%", step.others * 100.0);
    let cost = step.server * 1e6 / rate;
    report.value(group, "CPU per million tokens", "s", cost);
    report.value(group, "  a full core would carry", "1/s", 1e6 / cost);
    Ok(())
}

async fn measure(world: &MeasuredWorld, server: &Server, count: usize) -> Result<LoadStep> {
    let meter = SharedMeter::default();
    let sessions = load::open::<BenchSession>(&server.browser, count, &meter).await?;
    let ramp = APART * count as u64;
    let tokens = (ramp + MARGIN * 2 + MEASURED) / 20;
    let text = format!("{QUESTION} [[n:{tokens}]] [[delay:20]]");
    LocalSet::new()
        .run_until(async {
            let mut tasks = JoinSet::new();
            for (index, session) in sessions.into_iter().enumerate() {
                let begin = Duration::from_millis(APART * index as u64);
                tasks.spawn_local(one(session, begin, text.clone()));
            }
            sleep(Duration::from_millis(ramp + MARGIN)).await;
            let before = used(world, server)?;
            meter.replace(Meter::default());
            sleep(Duration::from_millis(MEASURED)).await;
            let seen = meter.replace(Meter::default());
            let after = used(world, server)?;
            while let Some(ended) = tasks.join_next().await {
                ended??;
            }
            let share = |now: f64, then: f64| (now - then) * 1_000.0 / MEASURED as f64;
            Ok(LoadStep {
                meter: seen,
                server: share(after[0], before[0]),
                others: share(after[1], before[1]),
            })
        })
        .await
}

/// Processor time of the server, and of everybody else.
fn used(world: &MeasuredWorld, server: &Server) -> Result<[f64; 2]> {
    let own = machine::usage(std::process::id())?.cpu;
    Ok([
        machine::usage(server.process.pid())?.cpu,
        own + world.upstream()?.cpu,
    ])
}

async fn one(mut session: BenchSession, begin: Duration, text: String) -> Result<()> {
    sleep(begin).await;
    session.turn(&text).await?;
    Ok(())
}
