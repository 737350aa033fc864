//! The ERP: the simulated company alone, each reading tool on a site that answers slowly, and what the
//! toolset adds before the first token.

mod http;
mod pack_cards;
mod tools;

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use futures::{FutureExt, future::LocalBoxFuture};
use simerp::{SimErp, SimErpOptions, SimErpUser};

use super::MeasuredCommand;
use crate::{
    machine,
    meter::SharedMeter,
    process::{Measured, MeasuredWorld, Process, SimulatedSystem},
    report::{Report, ReportOutput},
    samples::Samples,
    session::BenchSession,
    texts,
};

#[derive(Subcommand)]
pub(super) enum ErpMeasurement {
    /// Measure the ERP's tools, the simulated company, and the first token beside them
    Erp(ErpBenchOptions),
}

impl MeasuredCommand for ErpMeasurement {
    fn run(self) -> LocalBoxFuture<'static, Result<()>> {
        let Self::Erp(options) = self;
        run(options).boxed_local()
    }
}

#[derive(Args)]
pub(super) struct ErpBenchOptions {
    #[command(flatten)]
    measured: Measured,
    #[command(flatten)]
    output: ReportOutput,
    /// Times of an answer of the site, in milliseconds
    #[arg(long, value_delimiter = ',', default_values_t = [80, 250, 800])]
    delays: Vec<u64>,
    /// Reads of the simulated company
    #[arg(long, default_value_t = 20_000)]
    reads: usize,
}

/// Starts of the simulated company.
const STARTS: usize = 9;

/// Reads of the simulated company a second that are wanted.
const WANTED_READS: f64 = 2_000.0;

/// The limit that is wanted for what is added to the first token, at the median, in milliseconds.
const WANTED_FIRST: f64 = 10.0;

/// Turns whose first tokens are measured, after one that is not.
const TURNS: usize = 60;

/// A short answer: its first token counts.
const QUESTION: &str = "How are we doing? [[n:10]] [[delay:2]]";

/// Time of an answer of the site while first tokens are measured, in milliseconds.
const SLOW: u64 = 300;

async fn run(options: ErpBenchOptions) -> Result<()> {
    machine::keep_on(machine::OTHERS)?;
    let mut report = Report::start("erp");
    eprintln!("company …");
    company(&options, &mut report).await?;
    for delay in &options.delays {
        eprintln!("tools at {delay} ms …");
        tools::run(Duration::from_millis(*delay), &mut report).await?;
    }
    eprintln!("first token …");
    first_token(&options.measured, &mut report).await?;
    report.finish(&options.output)
}

/// Start and reads of the simulated company, in a process of its own.
async fn company(options: &ErpBenchOptions, report: &mut Report) -> Result<()> {
    let group = "simulated company";
    let Measured { binary, folder } = &options.measured;
    let folder = tempfile::tempdir_in(folder)?;
    let mut starts = Samples::default();
    for _ in 0..STARTS {
        let began = Instant::now();
        let company = CompanyProcess::start(machine::SERVER, binary, folder.path())?;
        starts.add(began.elapsed().as_micros() as u64);
        drop(company);
    }
    report.times(group, "start of its process", &starts);
    let mut posted = Samples::default();
    for _ in 0..STARTS {
        let began = Instant::now();
        let company = SimErp::start(SimErpOptions::default()).await?;
        posted.add(began.elapsed().as_micros() as u64);
        company.shutdown().await;
    }
    report.times(group, "start of it, of this process", &posted);
    let company = CompanyProcess::start(machine::SERVER, binary, folder.path())?;
    for (name, path) in [("lists of 20 orders", LIST), ("documents", http::ANY_ORDER)] {
        let seconds = http::reads(&company, path, options.reads).await?;
        let rate = options.reads as f64 / seconds;
        report.value(group, &format!("reads: {name}"), "1/s", rate);
        if rate < WANTED_READS {
            report.note(texts::too_few(name));
        }
    }
    Ok(())
}

/// A list as tools ask for it.
const LIST: &str = "/api/resource/Sales%20Order?fields=%5B%22name%22%2C%22customer%22%2C%22status%22%2C\
     %22grand_total%22%5D&order_by=modified%20desc%2C%20name%20asc&limit_page_length=20";

/// The simulated company as a process.
struct CompanyProcess {
    process: Process,
    /// `http://HOST:PORT`.
    url: String,
    key: String,
    secret: String,
}

impl CompanyProcess {
    fn start(core: usize, binary: &Path, folder: &Path) -> Result<Self> {
        let mut command = Command::new(binary);
        let mut process = Process::start(core, folder, command.arg("simerp"))?;
        let url = process.told("Simulated company at ")?;
        let begin = format!("Key of {}: ", SimErpUser::Agent.email());
        let key = process.told(&begin)?;
        let (key, secret) = key.split_once(", secret ").context("no secret")?;
        Ok(Self {
            url,
            key: key.to_owned(),
            secret: secret.to_owned(),
            process,
        })
    }
}

fn system(binary: &Path, folder: &Path) -> Result<SimulatedSystem> {
    let company = CompanyProcess::start(machine::OTHERS, binary, folder)?;
    let environment = vec![
        ("ERPNEXT_URL", company.url),
        ("ERPNEXT_API_KEY", company.key),
        ("ERPNEXT_API_SECRET", company.secret),
    ];
    Ok(SimulatedSystem {
        process: company.process,
        environment,
    })
}

/// The added time to the first token without any domain, with the ERP, and with a slow one. The
/// context comes from memory, so all three should be alike.
async fn first_token(measured: &Measured, report: &mut Report) -> Result<()> {
    let group = "added time to first token";
    let slow = SimErp::start(SimErpOptions::default()).await?;
    slow.control().set_delay(Duration::from_millis(SLOW));
    for (name, domains, url) in [
        ("without a domain", "none", None),
        ("with the ERP", "erp", None),
        ("with an ERP that takes 300 ms", "erp", Some(slow.url())),
    ] {
        let mut world = MeasuredWorld::start(measured, system)?;
        match domains {
            // An empty variable is none, so the file says so.
            "none" => std::fs::write(world.folder().join("jarvis.toml"), NO_DOMAINS)?,
            domains => world.set("JARVIS_DOMAINS", domains.to_owned()),
        }
        if let Some(url) = url {
            world.set("ERPNEXT_URL", url);
        }
        let server = world.server().await?;
        let meter = SharedMeter::default();
        let mut session = BenchSession::open(&server.browser, SharedMeter::default()).await?;
        session.start("Hello. [[n:5]] [[delay:0]]").await?;
        session.meter = SharedMeter::clone(&meter);
        for _ in 0..TURNS {
            session.turn(QUESTION).await?;
        }
        let figures = meter.borrow();
        report.times(group, name, &figures.first);
        let median = figures.first.quantiles([0.5]);
        if median.is_some_and(|[p50]| p50 > WANTED_FIRST) {
            report.note(texts::adds_too_much(name));
        }
    }
    slow.shutdown().await;
    Ok(())
}

const NO_DOMAINS: &str = "[domains]\nenabled = []\n";
