//! `jarvis-bench prices`: the cost of prices that change all the time, for charts in many tabs.

use std::{
    cell::{Cell, RefCell},
    fs,
    path::PathBuf,
    rc::Rc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use markets::{Points, Symbol, Time};
use serde_json::{Map, Value, json};
use tokio::{
    task::{JoinSet, LocalSet},
    time::{interval, sleep},
};

use crate::{
    board::{BoardTraffic, look},
    domains, machine,
    process::{Measured, MeasuredWorld},
    report::{Report, ReportOutput},
    texts,
};

/// Tabs that look at a chart at the same time.
const TABS: usize = 20;
/// Time from one change to the next: fifty a second.
const CHANGE: Duration = Duration::from_millis(20);
/// Time after the start that does not count.
const SETTLE: Duration = Duration::from_secs(12);
/// The most that the server may use of a core, in percent.
const GOAL: f64 = 5.0;

#[derive(Args)]
pub(crate) struct PricesOptions {
    #[command(flatten)]
    measured: Measured,
    #[command(flatten)]
    output: ReportOutput,
    /// Seconds of the measurement
    #[arg(long, default_value_t = 30)]
    seconds: u64,
}

pub(crate) async fn run(options: PricesOptions) -> Result<()> {
    machine::keep_on(machine::OTHERS)?;
    let mut report = Report::start("prices");
    let local = LocalSet::new();
    local.run_until(measure(&options, &mut report)).await?;
    report.note(texts::goal_of_core(GOAL));
    report.finish(&options.output)
}

async fn measure(options: &PricesOptions, report: &mut Report) -> Result<()> {
    let mut world = MeasuredWorld::start(&options.measured, domains::system)?;
    let prices = ChangingPrices {
        file: world.folder().join("prices.json"),
        changes: Rc::default(),
    };
    prices.change()?;
    // Nothing but the charts, so that the share is theirs.
    world.set("JARVIS_DOMAINS", "markets".to_owned());
    let file = prices.file.display().to_string();
    world.set("JARVIS_MARKETS_PRICE_FILE", file);
    let server = world.server().await?;

    let changes = Rc::clone(&prices.changes);
    let came = Rc::new(RefCell::new(BoardTraffic::default()));
    let mut tasks = JoinSet::new();
    tasks.spawn_local(prices.change_on());
    for _ in 0..TABS {
        tasks.spawn_local(look(server.browser.clone(), "markets", Rc::clone(&came)));
    }
    sleep(SETTLE).await;
    if let Some(ended) = tasks.try_join_next() {
        ended?.context("a tab or the prices ended")?;
    }
    let (cpu, changed) = (server.usage()?.cpu, changes.get());
    *came.borrow_mut() = BoardTraffic::default();
    let clock = Instant::now();
    sleep(Duration::from_secs(options.seconds)).await;
    let seconds = clock.elapsed().as_secs_f64();
    let used = server.usage()?;
    let changed = changes.get() - changed;
    tasks.abort_all();

    let came = came.borrow();
    ensure!(came.frames > 0, "no price reached a tab");
    let group = format!("50 price changes a second, {TABS} tabs");
    let mut value = |name: &str, unit, value| report.value(&group, name, unit, value);
    value("server's core", "%", (used.cpu - cpu) * 100.0 / seconds);
    value("price changes", "1/s", changed as f64 / seconds);
    let per_tab = TABS as f64 * seconds;
    value("frames to a tab", "1/s", came.frames as f64 / per_tab);
    value(
        "bytes to a tab",
        "kB/s",
        came.bytes as f64 / 1000.0 / per_tab,
    );
    value("memory", "MiB", used.rss / 1024.0);
    Ok(())
}

/// A file of prices of all symbols, each other than the one before.
struct ChangingPrices {
    file: PathBuf,
    changes: Rc<Cell<u64>>,
}

impl ChangingPrices {
    async fn change_on(self) -> Result<()> {
        let mut next = interval(CHANGE);
        loop {
            next.tick().await;
            self.change()?;
        }
    }

    /// Replaces the file as a whole.
    fn change(&self) -> Result<()> {
        let number = self.changes.get() + 1;
        self.changes.set(number);
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let at = Time(i64::try_from(now)?);
        let mut prices = Map::new();
        for symbol in Symbol::all() {
            let bid = symbol.scale() * 6 / 5 + (number % 100).cast_signed();
            let price = json!({
                "bid": symbol.number(Points(bid)),
                "ask": symbol.number(Points(bid + 10)),
                "at": at,
            });
            prices.insert(symbol.name().to_owned(), price);
        }
        let new = self.file.with_extension("new");
        fs::write(&new, Value::Object(prices).to_string())?;
        fs::rename(&new, &self.file)?;
        Ok(())
    }
}
