//! The field devices under load: devices that wait for work, runs at once, and readers of their output, some of
//! them slow, on the real server, which is killed in the end while runs write.

mod device;
mod fleet;
mod http;
mod killed;
mod orders;
mod readers;
mod shared;

use std::{
    cell::RefCell,
    collections::HashSet,
    rc::Rc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use futures::{FutureExt, StreamExt, TryStreamExt, future::LocalBoxFuture};
use tokio::{
    task::{JoinSet, LocalSet},
    time::{sleep, timeout},
};

use self::{
    device::BenchDevice,
    fleet::FilledDevice,
    killed::KilledServer,
    readers::{ReaderFigures, ReaderKind},
    shared::{LINE_PAUSE, SharedFleet},
};
use super::MeasuredCommand;
use crate::{
    machine,
    process::{Measured, MeasuredWorld, Server},
    report::{Report, ReportOutput},
    samples::Samples,
};

#[derive(Subcommand)]
pub(super) enum FieldMeasurement {
    /// Measure field devices: polls, runs at once, readers of their output
    Field(FieldBenchOptions),
}

impl MeasuredCommand for FieldMeasurement {
    fn run(self) -> LocalBoxFuture<'static, Result<()>> {
        let Self::Field(options) = self;
        run(options).boxed_local()
    }
}

#[derive(Args)]
pub(super) struct FieldBenchOptions {
    #[command(flatten)]
    measured: Measured,
    #[command(flatten)]
    output: ReportOutput,
    /// Devices that wait for work, 2 to 1,000
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(2..=1_000))]
    devices: u32,
    /// Runs at the same time, each on a device of its own, 100 at most
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
    /// Readers of the runs' output; each tenth is slow
    #[arg(long, default_value_t = 500)]
    readers: u32,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=40))]
    seconds: u64,
    /// Fail if a reader does not get each line once
    #[arg(long)]
    strict: bool,
}

/// Seconds that a device waits for work: short, so that many polls fit into a measurement.
const WAIT_S: u32 = 2;
/// The same of real devices; so long they wait while runs are measured.
const REAL_WAIT_S: u32 = 45;
/// Runs that are ordered one after another.
const ALONE: usize = 30;
/// Devices that connect at the same time.
const AT_ONCE: usize = 16;
/// Time after which the memory of idle devices is read.
const SETTLE: Duration = Duration::from_secs(5);
/// Time between two looks at the memory.
const LOOK: Duration = Duration::from_millis(250);
/// The longest time for what should take a moment.
const PATIENCE: Duration = Duration::from_secs(60);
/// One reader of so many is slow.
const SLOW: u32 = 10;

/// Limits that are wanted, in milliseconds.
const WANTED_CLAIM: f64 = 200.0;
const WANTED_START: [f64; 2] = [30.0, 100.0];
const WANTED_LINE: f64 = 500.0;
/// Memory of an idle device, in KiB, and the share of a core that 1,000 of them take, in percent.
const WANTED_MEMORY: f64 = 16.0;
const WANTED_CORE: f64 = 3.0;

async fn run(options: FieldBenchOptions) -> Result<()> {
    machine::keep_on(machine::OTHERS)?;
    let files = machine::open_many_files()?;
    let wanted = u64::from(options.devices + options.readers + 2 * options.runs) + 50;
    // Of so many files the server lets one address have this share as connections.
    ensure!(
        files / 32 * 3 >= wanted,
        "{wanted} connections of one address need a higher limit of open files than {files}"
    );
    let mut report = Report::start("field");
    let local = LocalSet::new();
    let work = Box::pin(measure(&options, &mut report));
    local.run_until(work).await?;
    report.finish(&options.output)
}

async fn measure(options: &FieldBenchOptions, report: &mut Report) -> Result<()> {
    let mut world = MeasuredWorld::start(&options.measured, super::system)?;
    world.set("JARVIS_DOMAINS", "field".to_owned());
    world.set("JARVIS_FIELD", "true".to_owned());
    eprintln!("enrol {} devices …", options.devices);
    let filled = Box::pin(fleet::fill(&world.data(), options.devices)).await?;
    let ids: Vec<_> = filled.iter().map(|device| device.id.clone()).collect();
    let mut server = world.server().await?;
    let span = Duration::from_secs(options.seconds);
    let shared = Rc::new(SharedFleet::new(span, WAIT_S));

    // What a server needs once for all devices is there with the first of them.
    let mut filled = filled;
    let others = filled.split_off(filled.len().div_ceil(10));
    let count = others.len() as f64;
    let mut living = JoinSet::new();
    connect(&server, filled, &shared, &mut living).await?;
    sleep(SETTLE).await;
    let before = server.usage()?.rss;
    let began = Instant::now();
    connect(&server, others, &shared, &mut living).await?;
    let seconds = began.elapsed().as_secs_f64();
    let group = format!("{} devices that wait for work", options.devices);
    report.value(&group, "sessions opened", "1/s", count / seconds);
    eprintln!("idle …");
    idle(&server, &shared, [before, count], &group, report).await?;
    still(&mut living).await?;

    let runs = usize::try_from(options.runs)?.min(ids.len());
    eprintln!("{runs} claims …");
    if let Err(error) = claims(&server, &shared, &ids[..runs], report).await {
        still(&mut living).await?;
        return Err(error.context(world.log()));
    }
    still(&mut living).await?;
    shared.forget_runs();

    // Each request for work that waits as short as before is over by then.
    shared.wait_s.set(REAL_WAIT_S);
    sleep(2 * Duration::from_secs(u64::from(WAIT_S))).await;
    let alone = ids.len().min(ALONE);
    eprintln!("{alone} runs, one after another …");
    one_by_one(&server, &shared, &ids[ids.len() - alone..]).await?;
    let started = starts(&shared, "one run after another", report);
    let [p50, p99] = WANTED_START;
    if started.is_some_and(|is| is[0] > p50 || is[1] > p99) {
        report.note(format!(
            "Starts take more than the wanted {p50} and {p99} ms."
        ));
    }
    shared.forget_runs();

    eprintln!("{runs} runs …");
    let group = format!("{runs} runs at once");
    if let Err(error) = begin(&server, &shared, &ids[..runs]).await {
        still(&mut living).await?;
        return Err(error.context(world.log()));
    }
    starts(&shared, &group, report);

    let group = format!("{group}, {} readers", options.readers);
    let figures = Rc::new(RefCell::new(ReaderFigures::default()));
    let browser = &server.browser;
    let readers = readers::follow_all(browser, &shared, &figures, options.readers, speed).await?;
    let before = server.usage()?;
    let began = Instant::now();
    shared.go.send_replace(true);
    let peak = watched(&server, readers, span).await?;
    let used = server.usage()?;
    // The slow readers take their share after the writing has ended.
    let seconds = began.elapsed().as_secs_f64();
    still(&mut living).await?;
    lines(&figures.borrow(), &group, report);
    let wrong = figures.borrow().wrong;
    ensure!(
        !options.strict || wrong == 0,
        "{wrong} lines were lost or came twice"
    );
    let core = (used.cpu - before.cpu) * 100.0 / seconds;
    report.value(&group, "server's core", "%", core);
    report.value(&group, "memory, at most", "MiB", peak / 1024.0);
    let more = (peak - before.rss) / 1024.0;
    report.value(&group, "memory above that before", "MiB", more);
    let rate = 1_000.0 / LINE_PAUSE.as_millis() as f64;
    report.note(format!("Each run writes {rate} lines a second."));
    let killed = KilledServer {
        world: &world,
        ids: &ids,
        options,
    };
    let killed = killed.measure(&mut server, &shared, &mut living, report);
    Box::pin(killed).await?;
    living.abort_all();
    Ok(())
}

/// Connects devices, which wait for work from then on.
async fn connect(
    server: &Server,
    filled: Vec<FilledDevice>,
    shared: &Rc<SharedFleet>,
    living: &mut JoinSet<Result<()>>,
) -> Result<()> {
    let address = server.browser.address.clone();
    let connects = filled
        .into_iter()
        .map(|device| BenchDevice::connect(&address, device));
    let connects = futures::stream::iter(connects).buffer_unordered(AT_ONCE);
    let devices: Vec<_> = connects.try_collect().await?;
    for device in devices {
        living.spawn_local(device.live(Rc::clone(shared)));
    }
    Ok(())
}

/// Has these devices claim all at once: their runs are in the queue before they ask.
async fn claims(
    server: &Server,
    shared: &SharedFleet,
    ids: &[String],
    report: &mut Report,
) -> Result<()> {
    shared.held.send_replace(ids.iter().cloned().collect());
    // Their requests for work are over by then.
    sleep(2 * Duration::from_secs(u64::from(WAIT_S))).await;
    shared.short.set(true);
    let cards = orders::cards(&server.browser, ids).await?;
    orders::approve(&server.browser, &cards, shared).await?;
    orders::queued(&server.browser, ids.len()).await?;
    shared.held.send_replace(HashSet::new());
    let over = async {
        while shared.ended.get() < ids.len() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, over)
        .await
        .context("not all runs have ended")?;
    shared.short.set(false);
    let group = format!("{} claims at once", ids.len());
    let asked = &shared.figures.borrow().asked;
    let claims = times(report, &group, "request to claim", asked);
    if claims.is_some_and(|[_, p99]| p99 > WANTED_CLAIM) {
        report.note(format!(
            "Claims take more than the wanted {WANTED_CLAIM} ms."
        ));
    }
    Ok(())
}

/// Orders a run on each of these devices, and waits until all have started.
async fn begin(server: &Server, shared: &SharedFleet, ids: &[String]) -> Result<()> {
    let cards = orders::cards(&server.browser, ids).await?;
    orders::approve(&server.browser, &cards, shared).await?;
    let all_run = async {
        while shared.started.borrow().len() < ids.len() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    let all_run = timeout(PATIENCE, all_run).await;
    all_run.context("not all runs have started")
}

/// Orders a run on each of these devices when the one before has ended.
async fn one_by_one(server: &Server, shared: &SharedFleet, ids: &[String]) -> Result<()> {
    shared.short.set(true);
    for (number, id) in ids.iter().enumerate() {
        let cards = orders::cards(&server.browser, std::slice::from_ref(id)).await?;
        orders::approve(&server.browser, &cards, shared).await?;
        let over = async {
            while shared.ended.get() <= number {
                sleep(Duration::from_millis(20)).await;
            }
        };
        let over = timeout(PATIENCE, over).await;
        over.context("a run does not end")?;
    }
    shared.short.set(false);
    Ok(())
}

/// The speed of a reader by its number.
fn speed(number: u32) -> ReaderKind {
    if number % SLOW == SLOW - 1 {
        ReaderKind::Slow
    } else {
        ReaderKind::Quick
    }
}

/// Memory and processor time of devices that wait.
async fn idle(
    server: &Server,
    shared: &SharedFleet,
    [base, devices]: [f64; 2],
    group: &str,
    report: &mut Report,
) -> Result<()> {
    sleep(SETTLE).await;
    let (before, polls) = (server.usage()?, shared.polls.get());
    let memory = (before.rss - base) / devices;
    let began = Instant::now();
    sleep(shared.span).await;
    let seconds = began.elapsed().as_secs_f64();
    let cpu = server.usage()?.cpu - before.cpu;
    let polls = (shared.polls.get() - polls) as f64;
    ensure!(polls > 0.0, "no device asks for work");
    let poll = cpu / polls;
    let core = poll * 1_000.0 / f64::from(REAL_WAIT_S) * 100.0;
    report.value(group, "memory of a device", "KiB", memory);
    report.value(group, "polls", "1/s", polls / seconds);
    report.value(group, "processor time of a poll", "ms", poll * 1_000.0);
    report.value(group, "core of 1,000 that wait 45 s", "%", core);
    for (name, value, wanted) in [
        ("memory of an idle device", memory, WANTED_MEMORY),
        ("share of a core for 1,000 devices", core, WANTED_CORE),
    ] {
        if value > wanted {
            report.note(format!("The {name} is above the wanted {wanted}."));
        }
    }
    Ok(())
}

/// The times from the approval to the claim, and to the start on the device. Gives the median and the 99th
/// percentile of the last.
fn starts(shared: &SharedFleet, group: &str, report: &mut Report) -> Option<[f64; 2]> {
    let figures = shared.figures.borrow();
    times(report, group, "approval to claim", &figures.claim);
    times(report, group, "claim to start", &figures.start);
    times(report, group, "approval to start", &figures.started)
}

/// The times from a line written to the line read, and what did not arrive.
fn lines(figures: &ReaderFigures, group: &str, report: &mut Report) {
    let line = times(report, group, "line written to line read", &figures.lines);
    if line.is_some_and(|[_, p99]| p99 > WANTED_LINE) {
        report.note(format!("Lines take more than the wanted {WANTED_LINE} ms."));
    }
    report.value(group, "lines read", "", figures.read as f64);
    report.value(group, "lines lost or doubled", "", figures.wrong as f64);
    if figures.wrong > 0 {
        report.note("Not each reader got each line once.".to_owned());
    }
}

/// Adds times with their 95th percentile. Gives the median and the 99th.
fn times(report: &mut Report, group: &str, name: &str, samples: &Samples) -> Option<[f64; 2]> {
    report.times(group, name, samples);
    let [p50, p95, p99] = samples.quantiles([0.5, 0.95, 0.99])?;
    report.value(group, &format!("  {name}, p95"), "ms", p95);
    Some([p50, p99])
}

/// Fails if a device has ended, which none does without an error.
async fn still(living: &mut JoinSet<Result<()>>) -> Result<()> {
    // Whatever has ended is taken at once.
    match timeout(Duration::ZERO, living.join_next()).await {
        Ok(Some(ended)) => ended?.context("a device ended"),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// Waits for all readers; gives the most memory that the server used meanwhile, in KiB.
async fn watched(server: &Server, mut readers: JoinSet<Result<()>>, span: Duration) -> Result<f64> {
    let deadline = Instant::now() + span + PATIENCE;
    let mut peak = 0.0_f64;
    let mut looked: Option<Instant> = None;
    while !readers.is_empty() {
        ensure!(
            Instant::now() < deadline,
            "readers wait for the end of runs"
        );
        if looked.is_none_or(|at| at.elapsed() >= LOOK) {
            peak = peak.max(server.usage()?.rss);
            looked = Some(Instant::now());
        }
        if let Ok(Some(ended)) = timeout(LOOK, readers.join_next()).await {
            ended?.context("a reader failed")?;
        }
    }
    Ok(peak)
}
