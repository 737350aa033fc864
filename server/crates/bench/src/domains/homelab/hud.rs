//! `jarvis-bench hud`: the cost of a live board of a large cluster, for the server and for each
//! tab.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::Path,
    process::Command,
    rc::Rc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use tokio::{
    task::{JoinSet, LocalSet},
    time::sleep,
};

use crate::{
    board::{BoardTraffic, look},
    domains, machine,
    process::{Measured, MeasuredWorld, Process},
    report::{Report, ReportOutput},
    texts,
};

use super::cluster;

/// Tabs that look at the board at the same time.
const TABS: [usize; 2] = [1, 20];
/// Time after the start that does not count.
const SETTLE: Duration = Duration::from_secs(12);
/// The most that the server may use of a core, in percent.
const GOAL: f64 = 5.0;

#[derive(Args)]
pub(crate) struct HudOptions {
    #[command(flatten)]
    measured: Measured,
    #[command(flatten)]
    output: ReportOutput,
    /// Seconds for each measurement
    #[arg(long, default_value_t = 30)]
    seconds: u64,
}

pub(crate) async fn run(options: HudOptions) -> Result<()> {
    machine::keep_on(machine::OTHERS)?;
    let mut report = Report::start("hud");
    let span = Duration::from_secs(options.seconds);
    for tabs in TABS {
        eprintln!("{tabs} tabs …");
        let local = LocalSet::new();
        local
            .run_until(measure(&options.measured, tabs, span, &mut report))
            .await?;
    }
    report.note(texts::goal_of_core(GOAL));
    report.finish(&options.output)
}

async fn measure(
    measured: &Measured,
    count: usize,
    span: Duration,
    report: &mut Report,
) -> Result<()> {
    let mut world = MeasuredWorld::start(measured, domains::system)?;
    let mut command = Command::new(std::env::current_exe()?);
    let mut upstream = Process::start(machine::OTHERS, world.folder(), command.arg("cluster"))?;
    let url = upstream.told(cluster::READY)?;
    world.talk_to(&url, &world.folder().join(cluster::CERTIFICATE));
    let server = world.server().await?;

    let came = Rc::new(RefCell::new(BoardTraffic::default()));
    let mut tabs = JoinSet::new();
    for _ in 0..count {
        tabs.spawn_local(look(server.browser.clone(), "homelab", Rc::clone(&came)));
    }
    sleep(SETTLE).await;
    if let Some(ended) = tabs.try_join_next() {
        ended?.context("a tab ended")?;
    }
    let asked = cluster::requests(world.folder());
    let cpu = server.usage()?.cpu;
    let times = spent(&world.whole_log());
    *came.borrow_mut() = BoardTraffic::default();
    let clock = Instant::now();
    sleep(span).await;
    let seconds = clock.elapsed().as_secs_f64();
    let used = server.usage()?;
    let asked = cluster::requests(world.folder()) - asked;

    let group = match count {
        1 => "500 guests, 1 tab".to_owned(),
        count => format!("500 guests, {count} tabs"),
    };
    let mut value = |name: &str, unit, value| report.value(&group, name, unit, value);
    value("server's core", "%", (used.cpu - cpu) * 100.0 / seconds);
    value(
        "requests to the cluster",
        "1/min",
        asked as f64 * 60.0 / seconds,
    );
    let came = came.borrow();
    let per_tab = count as f64 * seconds;
    value(
        "bytes to a tab",
        "kB/s",
        came.bytes as f64 / 1000.0 / per_tab,
    );
    value(
        "frames to a tab",
        "1/min",
        came.frames as f64 * 60.0 / per_tab,
    );
    value("memory", "MiB", used.rss / 1024.0);
    let before = times;
    for (what, micros) in spent(&world.whole_log()) {
        let micros = micros - before.get(&what).copied().unwrap_or_default();
        value(&format!("of it: {what}"), "%", micros / 10_000.0 / seconds);
    }
    tabs.abort_all();
    Ok(())
}

/// The server's own account of its time from its log: microseconds in total, by task.
fn spent(log: &str) -> BTreeMap<String, f64> {
    let mut spent = BTreeMap::new();
    for line in log.lines() {
        let Some((micros, what)) = timed(line) else {
            continue;
        };
        *spent.entry(what).or_default() += micros;
    }
    spent
}

/// `… board: composed micros=123` in a line of the log.
fn timed(line: &str) -> Option<(f64, String)> {
    let (before, after) = line.split_once(" micros=")?;
    let micros = after.split(' ').next()?.parse().ok()?;
    let (_, what) = before.rsplit_once("board: ")?;
    Some((micros, what.to_owned()))
}

impl MeasuredWorld {
    /// Lets the server talk to another cluster, and log its use of time.
    fn talk_to(&mut self, url: &str, certificate: &Path) {
        self.set("PROXMOX_URL", url.to_owned());
        self.set("PROXMOX_FINGERPRINT", String::new());
        self.set("PROXMOX_CA_FILE", certificate.display().to_string());
        self.set("JARVIS_LOG", "warn,agent=debug,homelab=debug".to_owned());
    }

    /// The whole log of the processes.
    fn whole_log(&self) -> String {
        std::fs::read_to_string(self.folder().join("errors.log"))
            .context("no log")
            .unwrap_or_default()
    }
}
