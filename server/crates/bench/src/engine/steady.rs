//! Sessions at 50 tokens a second each.

use anyhow::Result;

use crate::{
    load::{self, Load, LoadOutcome},
    process::MeasuredWorld,
    report::Report,
    session::BenchSession,
};

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report) -> Result<()> {
    let server = world.server().await?;
    for load in load::STEADY {
        let outcome =
            load::run::<BenchSession>(&server.browser, server.process.pid(), load).await?;
        let group = format!("{} sessions", load.sessions);
        add(report, &group, load, &outcome);
    }
    Ok(())
}

/// The figures of one load.
pub(super) fn add(report: &mut Report, group: &str, load: Load, outcome: &LoadOutcome) {
    let meter = &outcome.meter;
    let tokens = meter.tokens as f64;
    report.times(group, "latency per token", &meter.latency);
    report.times(group, "added time to first token", &meter.first);
    report.times(group, "  of it client to model", &meter.request);
    let mut value = |name, unit, value| report.value(group, name, unit, value);
    value("CPU per million tokens", "s", outcome.cpu * 1e6 / tokens);
    value("server's core", "%", 100.0 * outcome.cpu / outcome.seconds);
    value(
        "load client",
        "%",
        100.0 * outcome.own_cpu / outcome.seconds,
    );
    value("tokens per second", "1/s", tokens / outcome.seconds);
    value("tokens per frame", "", tokens / meter.frames as f64);
    value(
        "bytes per token on the wire",
        "B",
        meter.bytes as f64 / tokens,
    );
    let [before, peak] = outcome.rss;
    value("memory, at most", "MiB", peak / 1024.0);
    value(
        "memory per session",
        "KiB",
        (peak - before) / load.sessions as f64,
    );
}
