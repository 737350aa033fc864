//! The store of candles: filling it with minutes of all symbols, and reading the newest 500 minutes and hours
//! of one of them, as a chart does, on a database on disk.

use std::{path::PathBuf, time::Instant};

use anyhow::{Result, ensure};
use clap::Args;
use markets::{Candle, CandleStore, Coded, Points, Symbol, Time, Timeframe, session};
use markets_tables::MarketsTables;
use store::Store;

use crate::{report::Report, samples::Samples};

#[derive(Args)]
pub(crate) struct CandlesOptions {
    /// Folder for temporary data, on a real disk
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    output: crate::report::ReportOutput,
    /// Candles to write, shared out among the symbols
    #[arg(long, default_value_t = 10_000_000)]
    candles: u64,
    /// Reads of each kind
    #[arg(long, default_value_t = 3_000)]
    reads: u64,
}

/// Candles of one write.
const PART: usize = 20_000;
/// The number of bars that a chart asks for.
const NEWEST: usize = 500;
/// Bars of an hour, derived from the minutes.
const HOURS: usize = 500;
/// Saturday, 1 January 2000.
const FIRST: i64 = 946_684_800;

pub(crate) async fn run(options: CandlesOptions) -> Result<()> {
    let mut report = Report::start("candles");
    let folder = tempfile::tempdir_in(&options.folder)?;
    let database = Store::open(folder.path()).await?;
    let store = MarketsTables::open(&database).await?;
    let symbols = Symbol::all();
    let count = symbols.len() as u64;
    let each = options.candles / count;
    let all = each * count;
    let group = &format!("{all} candles of a minute");

    // The symbols take turns, so that their pages lie mixed on the disk as they would.
    let with_minutes = |symbol| (symbol, Minutes::new(symbol));
    let mut minutes: Vec<_> = symbols.into_iter().map(with_minutes).collect();
    let mut writes = Samples::default();
    let mut left = each;
    let began = Instant::now();
    while left > 0 {
        let count = PART.min(usize::try_from(left)?);
        for (symbol, minutes) in &mut minutes {
            let part: Vec<Candle> = minutes.by_ref().take(count).collect();
            let began = Instant::now();
            let done = store.upsert(*symbol, Timeframe::M1, &part).await?;
            writes.add(began.elapsed().as_micros() as u64);
            ensure!(done.written == count as u64, "candles are missing");
        }
        left -= count as u64;
    }
    let seconds = began.elapsed().as_secs_f64();
    report.value(group, "candles per second", "1/s", all as f64 / seconds);
    report.times(group, &format!("write {PART}"), &writes);
    // The part that was not moved into the main file yet counts too.
    let size = ["jarvis.db", "jarvis.db-wal"]
        .map(|file| std::fs::metadata(folder.path().join(file)).map_or(0, |file| file.len()))
        .iter()
        .sum::<u64>();
    report.value(group, "database per candle", "B", size as f64 / all as f64);

    // Nobody reads while ten million candles are still being moved into the main file.
    database.close().await?;
    drop((store, database));
    let database = Store::open(folder.path()).await?;
    let store = MarketsTables::open(&database).await?;
    let ends = minutes.into_iter().map(|(symbol, it)| (symbol, it.next));
    let ends: Vec<(Symbol, i64)> = ends.collect();
    let (mut newest, mut earlier, mut hours) =
        (Samples::default(), Samples::default(), Samples::default());
    for read in 0..options.reads {
        let (symbol, end) = ends[random(read) as usize % ends.len()];
        let began = Instant::now();
        let candles = store.last_n(symbol, Timeframe::M1, NEWEST, None).await?;
        newest.add(began.elapsed().as_micros() as u64);
        ensure!(candles.len() == NEWEST, "candles are missing");
        ensure!(candles.is_sorted_by(|a, b| a.time < b.time), "no order");
        // A page anywhere in the past, which no read before has warmed.
        let span = (end - FIRST).unsigned_abs().max(1);
        let before = Time(FIRST + (random(read + options.reads) % span).cast_signed());
        let began = Instant::now();
        let page = store
            .last_n(symbol, Timeframe::M1, NEWEST, Some(before))
            .await?;
        earlier.add(began.elapsed().as_micros() as u64);
        ensure!(page.iter().all(|candle| candle.time < before), "too late");
        if read % 20 == 0 {
            let began = Instant::now();
            let bars = store.last_n(symbol, Timeframe::H1, HOURS, None).await?;
            hours.add(began.elapsed().as_micros() as u64);
            ensure!(!bars.is_empty(), "no hours");
        }
    }
    report.times(
        group,
        &format!("newest {NEWEST} of a random symbol"),
        &newest,
    );
    report.times(
        group,
        &format!("{NEWEST} before a random instant"),
        &earlier,
    );
    report.times(group, &format!("{HOURS} hours out of minutes"), &hours);
    database.close().await?;
    report.finish(&options.output)
}

/// An endless series of minutes of a symbol, inside of sessions.
struct Minutes {
    symbol: Symbol,
    next: i64,
    price: i64,
    number: u64,
}

impl Minutes {
    fn new(symbol: Symbol) -> Self {
        Self {
            symbol,
            next: FIRST,
            price: symbol.scale() + symbol.scale() / 5,
            number: 0,
        }
    }
}

impl Iterator for Minutes {
    type Item = Candle;

    fn next(&mut self) -> Option<Candle> {
        // Sessions begin and end on the hour.
        while self.next % 3_600 == 0 && !session::is_open(self.symbol, Time(self.next)) {
            self.next += 3_600;
        }
        self.number += 1;
        let chance = random(self.number ^ (self.symbol.code().unsigned_abs() << 40));
        let part = |shift: u32| ((chance >> shift) % 21).cast_signed();
        // In the long run it returns to its start.
        let pull = (self.symbol.scale() * 6 / 5 - self.price) / 2_000;
        let open = self.price;
        let close = open + part(0) - 10 + pull;
        let candle = Candle {
            time: Time(self.next),
            open: Points(open),
            high: Points(open.max(close) + part(8)),
            low: Points(open.min(close) - part(16)),
            close: Points(close),
            volume: 1 + part(24) * 1_000,
        };
        self.price = close;
        self.next += 60;
        Some(candle)
    }
}

/// A number that looks random and is the same in every run (the finaliser of SplitMix64).
fn random(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
