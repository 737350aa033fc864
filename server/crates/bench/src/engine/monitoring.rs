//! The cost of monitoring: the same load on servers with and without it, in turn, so that what else changes on
//! the machine meets all of them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result, ensure};
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

const ROUNDS: usize = 4;
/// As steady as the sessions of the other suites, and short.
const LOAD: Load = Load {
    sessions: 100,
    turns: 1,
    tokens: 300,
    delay: 20,
    ramp: 1_000,
};
/// Time in which a server sends what it has gathered.
const SETTLE: Duration = Duration::from_secs(3);
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
    let collector = Collector::start().await?;
    let mut costs = Monitoring::ALL.map(|_| TokenCost::default());
    for _ in 0..ROUNDS {
        for (kind, cost) in Monitoring::ALL.into_iter().zip(&mut costs) {
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
                    failed = scrape(&server.browser) => return failed,
                },
            };
            cost.cpu += outcome.cpu;
            cost.tokens += outcome.meter.tokens as f64;
            // It waits for its last spans to be taken, and this thread for it.
            sleep(SETTLE).await;
            server.process.stop()?;
        }
    }
    ensure!(
        collector.requests.load(Ordering::Relaxed) > 0,
        "no traces were sent"
    );
    let group = "monitoring, 100 sessions";
    let [off, ..] = costs.map(TokenCost::per_million);
    for (kind, cost) in Monitoring::ALL.into_iter().zip(costs) {
        let name = kind.name();
        let figure = format!("CPU per million tokens, {name}");
        report.value(group, &figure, "s", cost.per_million());
        if kind != Monitoring::Off {
            let more = 100.0 * (cost.per_million() / off - 1.0);
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

/// Reads the metrics again and again; returns when that fails.
async fn scrape(browser: &Browser) -> Result<()> {
    let mut scrapes = interval(SCRAPE);
    loop {
        scrapes.tick().await;
        browser.scrape(TOKEN).await?;
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
