//! The markets: charts on what is stored, and prices from a file, from a program or made up.

mod commands;
mod folder;
mod import_route;
mod imports;
mod indicators_route;
mod names;
mod notices_route;
mod price_url;
mod prices;
mod regular_file;
mod symbols;
mod talks;
mod texts;
mod trail;

use std::{
    io::Read as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use agent::ports::Toolset;
use anyhow::Context;
use async_trait::async_trait;
use markets::{
    CandleStore, Instrument, Live, NoPrices, PriceSource, PushedPrices, Symbol, Timeframe, intake,
};
use markets_routine::ChartRoutine;
use markets_tables::MarketsTables;
use protocol::SystemStatus;
use rehearsal::routine::Routine;

use self::{
    folder::CandleFolder,
    imports::ImportRequests,
    names::StoredNames,
    price_url::{LocalUrl, ServedPrices},
    talks::JournalTalks,
};
use super::{Domain, Services, SiteScript, Started};
use crate::{
    config::{Options, Reader, Section, Whole},
    doors::ToolDoor,
    subcommand::Added,
    tasks::Task,
};

/// The largest file of prices, in bytes.
const MAX_PRICES: u64 = 64 * 1024;

/// Prices in a file that something else keeps up to date.
struct PriceFile(PathBuf);

#[async_trait]
impl PriceSource for PriceFile {
    async fn read(&self) -> Result<String, String> {
        let path = self.0.clone();
        let text = tokio::task::spawn_blocking(move || prices_in(&path)).await;
        text.map_err(|error| texts::file_of_prices(&error))?
    }
}

/// The text of a file of prices.
fn prices_in(path: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| texts::file_of_prices(&error);
    let file = regular_file::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > MAX_PRICES {
        return Err(texts::file_of_prices_has_bytes(length, MAX_PRICES));
    }
    let mut text = String::new();
    // It may grow while it is read.
    let mut file = file.take(MAX_PRICES);
    file.read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}

/// Configuration of charts and their prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarketsOptions {
    pub enabled: bool,
    /// Seconds of the simulated market in a second; 0 and it stands still.
    pub price_speed: u32,
    /// A file with prices that something else keeps up to date, or its URL on this machine; nothing is
    /// simulated then.
    pub price_file: Option<PathBuf>,
    /// A program sends the prices; nothing is simulated then.
    pub price_push: bool,
    /// A folder that is watched for files with candles and records.
    pub candle_folder: Option<PathBuf>,
    /// Seconds after which a price of a file or program that is not renewed counts as unknown.
    pub silent_seconds: u32,
    /// The declared symbols, beside the built-in pairs.
    pub symbols: Vec<Instrument>,
}

impl Options for MarketsOptions {
    fn is_connected(&self) -> bool {
        self.price_file.is_some() || self.price_push || self.candle_folder.is_some()
    }

    fn is_off(&self) -> bool {
        !self.enabled
    }

    fn policy(&self) -> String {
        String::new()
    }
}

fn read(r: &mut Reader<'_>) -> Arc<dyn Options> {
    r.section(
        "markets",
        "Charts. Jarvis ships with real hourly data for EUR/USD from 2017, which is imported at the \
         first start; import your own with `jarvis markets import`. From the last stored hour on, \
         prices are simulated.",
    );
    let enabled = r
        .key(
            "markets.enabled",
            "with false, there are no charts and none of their tools",
        )
        .env("JARVIS_MARKETS")
        .or(true);
    let file = r
        .key::<PathBuf>(
            "markets.price_file",
            "path of that file, or the URL of a program on this machine that serves it, as \
             docs/prices.md describes",
        )
        .env("JARVIS_MARKETS_PRICE_FILE")
        .under(
            "Prices can come from a file that another program keeps up to date; nothing is simulated \
             then:\n   {\"EURUSD\": \
             {\"bid\": 1.08412, \"ask\": 1.0842, \"at\": \"2026-11-23T10:15:00Z\"}}",
        )
        .optional("\"/run/prices.json\"");
    if let Some(file) = &file
        && LocalUrl::is_meant(&file.value)
        && LocalUrl::of(&file.value).is_none()
    {
        r.refuse(&file.source, texts::ONLY_LOCAL_URLS);
    }
    let push = r
        .key(
            "markets.price_push",
            "with true, a program sends the prices instead, as docs/prices.md describes",
        )
        .env("JARVIS_MARKETS_PRICE_PUSH")
        .or(false);
    if file.is_some() && *push {
        r.refuse(&push.source, texts::ONE_SOURCE_OF_PRICES);
    }
    let folder = r
        .key::<PathBuf>(
            "markets.candle_folder",
            "folder that is watched for files such as EURUSD_M1.csv, headlines.rss or trades.csv; no \
             price is simulated then",
        )
        .env("JARVIS_MARKETS_CANDLE_FOLDER")
        .optional("\"/srv/candles\"");
    let silent = r
        .key(
            "markets.silent_seconds",
            "seconds after which a price that is not renewed is unknown",
        )
        .env("JARVIS_MARKETS_SILENT_SECONDS")
        .or(Whole::<1, 3_600>(markets::SILENT_SECONDS));
    let speed = r
        .key(
            "markets.price_speed",
            "simulated market seconds per second; 0 stops it",
        )
        .env("JARVIS_MARKETS_PRICE_SPEED")
        .or(Whole::<0, 3_600>(60));
    let symbols = symbols::read(r);
    Arc::new(MarketsOptions {
        enabled: *enabled,
        price_speed: speed.0,
        price_file: file.map(|setting| setting.value),
        price_push: *push,
        candle_folder: folder.map(|setting| setting.value),
        silent_seconds: silent.0,
        symbols,
    })
}

pub(super) struct Markets;

/// Models elsewhere have the tools of charts here: they stand alone, so `/mcp` itself has none of them.
const TOOL_DOOR: ToolDoor = ToolDoor {
    name: "market-tools",
    title: texts::MARKET_TOOLS,
    version: "1",
};

#[async_trait]
impl Domain for Markets {
    fn section(&self) -> Section {
        Section {
            name: "markets",
            notices: &markets::NOTICES,
            read,
        }
    }

    fn commands(&self) -> Option<Added> {
        Some(Added::of::<commands::Command>())
    }

    fn routine(&self) -> Option<&'static dyn Routine> {
        Some(&ChartRoutine)
    }

    /// On what is stored. At the first start that is the data that comes with Jarvis.
    async fn start(
        &self,
        options: &dyn Options,
        services: Services<'_>,
    ) -> anyhow::Result<Started> {
        let options: &MarketsOptions = options.as_of().context(texts::OPTIONS_OF_MARKETS)?;
        let tables = MarketsTables::open(services.database).await?;
        // Before anything reads a row: rows name their symbols.
        markets::symbols::settle(&tables, &options.symbols).await?;
        if !intake::are_samples_forgotten(&tables).await? && !has_candles(&tables).await? {
            let done = intake::samples(&tables, &tables).await?;
            tracing::info!(
                rows = done.written,
                "brought in the data that comes with Jarvis"
            );
        }
        let shared = || Arc::new(tables.clone());
        let clock = Arc::clone(services.env);
        let clock = Arc::new(move || clock.now().0 as f64 / 1_000.0);
        let pushed = options.price_push.then(Arc::<PushedPrices>::default);
        let source: Option<Arc<dyn PriceSource>> = match (&options.price_file, &pushed) {
            (Some(path), _) => Some(told_at(path)),
            (None, Some(pushed)) => Some(Arc::clone(pushed) as Arc<dyn PriceSource>),
            (None, None) if options.candle_folder.is_some() => Some(Arc::new(NoPrices)),
            (None, None) => None,
        };
        let is_simulated = source.is_none();
        let live = match source {
            Some(source) => Live::told(shared(), clock, source, options.silent_seconds),
            None => {
                Live::new(shared(), clock, options.price_speed.into())
                    .resumed(&tables)
                    .await?
            }
        };
        let env = Arc::clone(services.env);
        let talks = JournalTalks(services.word.clone());
        let toolset = markets::Markets::new(live, shared(), shared(), shared(), env);
        let names = StoredNames(services.word.clone());
        let toolset = toolset.with_names(Arc::new(names));
        let mut toolset = toolset.with_talks(Arc::new(talks));
        if services.notices.enabled {
            toolset = toolset.watched(&services.notices.off);
        }
        let name = match (&options.price_file, &pushed) {
            (Some(path), _) if LocalUrl::is_meant(path) => texts::PRICES_AT_AN_ADDRESS,
            (Some(_), _) => texts::PRICES_OF_CONFIGURED_FILE,
            (None, Some(_)) => texts::PRICES_OF_A_PROGRAM,
            (None, None) if is_simulated => texts::SIMULATED_PRICES,
            (None, None) => texts::CANDLES_OF_A_FOLDER,
        };
        let mut routes = vec![
            trail::route(&toolset),
            notices_route::route(&toolset),
            import_route::route(&tables),
        ];
        routes.extend(indicators_route::routes(&tables));
        routes.extend(pushed.map(|pushed| prices::route(&toolset, pushed)));
        let status = SystemStatus {
            toolset: toolset.name().to_owned(),
            name: name.to_owned(),
            simulated: is_simulated,
        };
        let (follower, watcher) = (toolset.follower(), toolset.watcher());
        let older = tables.clone();
        let mut tasks = vec![
            Task::new("positions on the charts", |stop| async move {
                follower.run(stop.cancelled_owned()).await;
            }),
            Task::new("alerts on the charts", |stop| async move {
                watcher.run(stop.cancelled_owned()).await;
            }),
            Task::new("longer candles of earlier minutes", |stop| async move {
                older.derive_older(stop.cancelled_owned()).await;
            }),
        ];
        let requests = ImportRequests::new(services.data, tables.clone());
        tasks.push(Task::new("imports of commands", |stop| requests.run(stop)));
        if options.price_file.is_some() || options.price_push {
            let keeper = toolset.keeper();
            tasks.push(Task::new("minutes of prices", |stop| async move {
                keeper.run(stop.cancelled_owned()).await;
            }));
        }
        if let Some(path) = &options.candle_folder {
            let folder = CandleFolder::new(path.clone(), tables, toolset.folder());
            tasks.push(Task::new("candles of a folder", |stop| folder.run(stop)));
        }
        let things = Symbol::all().into_iter().map(|it| it.name().to_owned());
        Ok(Started {
            tasks,
            routes,
            things: things.collect(),
            scripts: vec![SiteScript {
                name: "chart",
                file: "chart.js",
            }],
            tool_door: Some(TOOL_DOOR),
            ..Started::of(Arc::new(toolset), status)
        })
    }
}

/// The source at a path, or at a URL of this machine.
fn told_at(path: &Path) -> Arc<dyn PriceSource> {
    match LocalUrl::of(path) {
        Some(url) => Arc::new(ServedPrices::new(url)),
        None => Arc::new(PriceFile(path.to_owned())),
    }
}

/// True if somebody has brought in candles of anything, such as days of a share alone.
async fn has_candles(tables: &MarketsTables) -> anyhow::Result<bool> {
    for symbol in Symbol::all() {
        for frame in Timeframe::ALL {
            if tables.latest(symbol, frame).await?.is_some() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
