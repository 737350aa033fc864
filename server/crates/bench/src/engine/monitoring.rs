//! The cost of monitoring: the same load on servers with and without it, in turn, so that what else changes on
//! the machine meets all of them. Other machines on the host move the processor time of a token by a tenth within
//! minutes, so each round is compared with itself, and the median of the rounds counts.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use memchr::memmem;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::{interval, sleep},
};

use crate::{
    browser::Browser,
    load::{self, Load},
    process::MeasuredWorld,
    report::Report,
    session::BenchSession,
    texts,
};

const ROUNDS: usize = 12;
/// As steady as the sessions of the other suites, and short.
const LOAD: Load = Load {
    sessions: 100,
    turns: 1,
    tokens: 200,
    delay: 20,
    ramp: 1_000,
};
/// Time in which a server sends what it has gathered.
const SETTLE: Duration = Duration::from_millis(1_500);
const SCRAPE: Duration = Duration::from_secs(1);
const METRICS: &str = "JARVIS_METRICS_TOKEN";
const TRACES: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TOKEN: &str = "the-token-of-the-bench";

/// Per cent that all of it may add to the processor time of a token.
const WANTED_BELOW: f64 = 3.0;

/// A way to be monitored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Monitoring {
    Off,
    Metrics,
    MetricsAndTraces,
}

impl Monitoring {
    const ALL: [Self; 3] = [Self::Off, Self::Metrics, Self::MetricsAndTraces];

    fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Metrics => "metrics",
            Self::MetricsAndTraces => "metrics and traces",
        }
    }
}

pub(super) async fn run(world: &mut MeasuredWorld, report: &mut Report) -> Result<()> {
    let collector = Collector::start().await?;
    // Seconds for a million tokens, round by round.
    let mut costs = Monitoring::ALL.map(|_| Vec::new());
    for round in 0..ROUNDS {
        for place in 0..Monitoring::ALL.len() {
            // None is always the first after another.
            let number = (round + place) % Monitoring::ALL.len();
            let cost = token_cost(world, &collector, Monitoring::ALL[number]).await?;
            costs[number].push(cost);
        }
    }
    ensure!(
        collector.requests.load(Ordering::Relaxed) > 0,
        "no traces were sent"
    );
    let group = "monitoring, 100 sessions";
    let [off, ..] = &costs;
    for (kind, cost) in Monitoring::ALL.into_iter().zip(&costs) {
        let name = kind.name();
        let figure = format!("CPU per million tokens, {name}");
        report.value(group, &figure, "s", median(cost.clone()));
        if kind != Monitoring::Off {
            let ratios = cost.iter().zip(off).map(|(cost, off)| cost / off);
            let more = 100.0 * (median(ratios.collect()) - 1.0);
            report.value(group, &format!("  {name}, more than off"), "%", more);
            if kind == Monitoring::MetricsAndTraces {
                report.note(texts::cost_of_monitoring(name, more, WANTED_BELOW));
            }
        }
    }
    report.note(
        "Metrics are read every second. Without a reader they are counted all the same: what is added is the page."
            .to_owned(),
    );
    Ok(())
}

/// Processor time of a server that is monitored in this way, in seconds for a million tokens.
async fn token_cost(
    world: &mut MeasuredWorld,
    collector: &Collector,
    kind: Monitoring,
) -> Result<f64> {
    // An empty variable is an unset one.
    let (token, endpoint) = match kind {
        Monitoring::Off => ("", ""),
        Monitoring::Metrics => (TOKEN, ""),
        Monitoring::MetricsAndTraces => (TOKEN, &*collector.url),
    };
    world.set(METRICS, token.to_owned());
    world.set(TRACES, endpoint.to_owned());
    let mut server = world.server().await?;
    let load = load::run::<BenchSession>(&server.browser, server.process.pid(), LOAD);
    let outcome = match kind {
        Monitoring::Off => load.await?,
        Monitoring::Metrics | Monitoring::MetricsAndTraces => tokio::select! {
            outcome = load => outcome?,
            failed = scrape(&server.browser) => bail!("the metrics cannot be read: {failed:#}"),
        },
    };
    // It waits for its last spans to be taken, and this thread for it.
    sleep(SETTLE).await;
    server.process.stop()?;
    Ok(outcome.cpu * 1e6 / outcome.meter.tokens as f64)
}

/// The median; of an even number of values the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    f64::midpoint(values[(values.len() - 1) / 2], values[middle])
}

/// Reads the metrics again and again; returns when that fails.
async fn scrape(browser: &Browser) -> anyhow::Error {
    let mut scrapes = interval(SCRAPE);
    loop {
        scrapes.tick().await;
        if let Err(error) = browser.scrape(TOKEN).await {
            return error;
        }
    }
}

/// A receiver of traces that takes them all and reads nothing of them.
struct Collector {
    url: String,
    requests: Arc<AtomicU64>,
}

impl Collector {
    async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let requests = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let counted = Arc::clone(&counted);
                // A server that stops breaks its connection off.
                tokio::spawn(async move { take(stream, &counted).await.unwrap_or_default() });
            }
        });
        Ok(Self { url, requests })
    }
}

/// Answers the requests of a connection.
async fn take(mut stream: TcpStream, requests: &AtomicU64) -> Result<()> {
    const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
    let mut read = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = memmem::find(&read, b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut read).await? == 0 {
                return Ok(());
            }
        };
        let head = String::from_utf8_lossy(&read[..end]).to_ascii_lowercase();
        let (_, length) = head.split_once("content-length: ").context("no length")?;
        let length = length.lines().next().unwrap_or_default();
        let all = end + length.parse::<usize>()?;
        while read.len() < all {
            ensure!(stream.read_buf(&mut read).await? > 0, "cut off");
        }
        read.drain(..all);
        requests.fetch_add(1, Ordering::Relaxed);
        stream.write_all(ANSWER).await?;
    }
}
