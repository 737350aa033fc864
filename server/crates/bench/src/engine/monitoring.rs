//! The cost of monitoring: the same load on servers with and without it, in turn, so that what else changes on
//! the machine meets all of them.

use std::time::Duration;

use anyhow::Result;
use tokio::time::interval;

use crate::{
    browser::Browser,
    load::{self, Load},
    process::MeasuredWorld,
    report::Report,
    session::BenchSession,
};

const ROUNDS: usize = 4;
/// As steady as the sessions of the other suites, and short.
const LOAD: Load = Load {
    sessions: 100,
    turns: 1,
    tokens: 300,
    delay: 20,
    ramp: 1_000,
};
const SCRAPE: Duration = Duration::from_secs(1);
const METRICS: &str = "JARVIS_METRICS_TOKEN";
const TOKEN: &str = "the-token-of-the-bench";

/// A way to be monitored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Monitoring {
    Off,
    Metrics,
}

impl Monitoring {
    const ALL: [Self; 2] = [Self::Off, Self::Metrics];

    fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Metrics => "metrics read every second",
        }
    }
}

/// Processor time of the server and tokens, over all rounds.
#[derive(Clone, Copy, Default)]
struct TokenCost {
    cpu: f64,
    tokens: f64,
}

impl TokenCost {
    /// Seconds for a million tokens.
    fn per_million(self) -> f64 {
        self.cpu * 1e6 / self.tokens
    }
}

pub(super) async fn run(world: &mut MeasuredWorld, report: &mut Report) -> Result<()> {
    let mut costs = Monitoring::ALL.map(|_| TokenCost::default());
    for _ in 0..ROUNDS {
        for (kind, cost) in Monitoring::ALL.into_iter().zip(&mut costs) {
            // An empty variable is an unset one.
            let token = match kind {
                Monitoring::Off => "",
                Monitoring::Metrics => TOKEN,
            };
            world.set(METRICS, token.to_owned());
            let mut server = world.server().await?;
            let load = load::run::<BenchSession>(&server.browser, server.process.pid(), LOAD);
            let outcome = match kind {
                Monitoring::Off => load.await?,
                Monitoring::Metrics => tokio::select! {
                    outcome = load => outcome?,
                    failed = scrape(&server.browser) => return failed,
                },
            };
            cost.cpu += outcome.cpu;
            cost.tokens += outcome.meter.tokens as f64;
            server.process.stop()?;
        }
    }
    let group = "monitoring, 100 sessions";
    let [off, ..] = costs.map(TokenCost::per_million);
    for (kind, cost) in Monitoring::ALL.into_iter().zip(costs) {
        let name = kind.name();
        let figure = format!("CPU per million tokens, {name}");
        report.value(group, &figure, "s", cost.per_million());
        if kind != Monitoring::Off {
            let more = 100.0 * (cost.per_million() / off - 1.0);
            report.value(group, "  more than off", "%", more);
        }
    }
    report.note(
        "Without a reader the figures are counted all the same: what is added is the page."
            .to_owned(),
    );
    Ok(())
}

/// Reads the metrics again and again; returns when that fails.
async fn scrape(browser: &Browser) -> Result<()> {
    let mut scrapes = interval(SCRAPE);
    loop {
        scrapes.tick().await;
        browser.scrape(TOKEN).await?;
    }
}
