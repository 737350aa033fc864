//! Context of a message about a chart: seven concurrent sources, and the indicators that a person has
//! on it, each compact, with its age, and each failing independently. Nothing in it is later than the
//! market's current time.

mod drawings;
pub(crate) mod indicators;
mod sources;

use std::{future::Future, sync::Arc, time::Duration};

use agent::ports::ContextPart;
use protocol::Reference;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

pub use self::indicators::WORDS as INDICATORS;
use crate::{
    Live, RecordStore, StoreError, Symbol, Time, Timeframe,
    drawing::{DrawingReader, DrawingStore},
    simulate::Quote,
    texts,
};

/// Time limit for all sources, which run concurrently. The engine waits 150 ms for a toolset, and one
/// slow source would cost all of them.
const LIMIT: Duration = Duration::from_millis(140);

/// Default chart for a message about none, unless its symbol has no candles and another one has.
const USUAL: (Symbol, Timeframe) = (Symbol::EurUsd, Timeframe::H1);

/// Stores behind the sources.
#[derive(Clone)]
pub struct Sources {
    pub live: Live,
    pub records: Arc<dyn RecordStore>,
    pub drawings: Arc<dyn DrawingStore>,
}

/// Result of a source.
struct Found {
    /// Time of the data; `None` if it has none.
    as_of: Option<Time>,
    /// True if newer data is overdue.
    is_stale: bool,
    data: Value,
}

/// Reason that a source failed.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("{0}")]
    None(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The market at one instant.
struct Market<'s> {
    sources: &'s Sources,
    symbol: Symbol,
    frame: Timeframe,
    /// `None` while a source's price is unknown.
    quote: Option<Quote>,
    now: Time,
}

/// Parses the identifier of a chart, such as `EURUSD/H1`.
pub fn chart(id: &str) -> Option<(Symbol, Timeframe)> {
    let (symbol, frame) = id.split_once('/')?;
    Some((symbol.parse().ok()?, frame.parse().ok()?))
}

/// The parts for a message about these references: of the first chart among them, or else the chart
/// of the first drawing that the reader sees, or else the default one.
pub async fn parts(
    sources: &Sources,
    reader: DrawingReader,
    about: &[Reference],
) -> Vec<ContextPart> {
    let deadline = Instant::now() + LIMIT;
    // The same instant for all of them.
    let sources = &Sources {
        live: sources.live.pinned(),
        ..sources.clone()
    };
    let (symbol, frame, chosen) = match named(about) {
        Some(chart) => chart,
        None => {
            let (symbol, frame) = match of_drawing(sources, reader, about, deadline).await {
                Some(chart) => chart,
                None => (usual(sources, deadline).await, USUAL.1),
            };
            (symbol, frame, Vec::new())
        }
    };
    let quoted = async {
        match sources.live.quote(symbol).await {
            Ok(quote) => quote
                .map(Ok)
                .ok_or_else(|| Trouble::None(texts::no_candles(&symbol))),
            Err(StoreError::Source(unknown)) => Ok(Err(unknown.to_string())),
            Err(error) => Err(error.into()),
        }
    };
    let timed = async {
        let quote = match bounded(deadline, quoted).await {
            Ok(quote) => quote,
            // Without the market's time it is unknown what has been published.
            Err(why) => return without_time(&why),
        };
        let now = match &quote {
            Ok(quote) => quote.time,
            // Only a source has unknown prices, and its market is in real time.
            Err(_) => Time(sources.live.now() as i64),
        };
        let market = &Market {
            sources,
            symbol,
            frame,
            quote: quote.as_ref().ok().copied(),
            now,
        };
        // Only what a person has on the chart: other values would be noise.
        let chosen = async {
            if chosen.is_empty() {
                return None;
            }
            let read = indicators::found(market, &chosen);
            Some(part("indicators", now, deadline, read).await)
        };
        let (levels, events, cot, headlines, range, chosen) = tokio::join!(
            part("key_levels", now, deadline, sources::levels(market)),
            part("events_24h", now, deadline, sources::events(market)),
            part("cot", now, deadline, sources::cot(market)),
            part("headlines", now, deadline, sources::headlines(market)),
            part("candle_range", now, deadline, sources::range(market)),
            chosen,
        );
        let price = quote.map(|quote| sources::price(symbol, &quote));
        let price = shown("price", Some(now), price);
        let mut parts = vec![price, levels, events, cot, headlines, range];
        parts.extend(chosen);
        parts
    };
    let drawn = bounded(deadline, drawings::on(&*sources.drawings, reader, symbol));
    let (mut parts, drawn) = tokio::join!(timed, drawn);
    parts.insert(1, shown("drawings", None, drawn));
    parts
}

fn named(about: &[Reference]) -> Option<(Symbol, Timeframe, Vec<&'static str>)> {
    let mut charts = about.iter().filter(|reference| reference.kind == "chart");
    charts.find_map(|reference| indicators::shown_chart(&reference.id))
}

async fn of_drawing(
    sources: &Sources,
    reader: DrawingReader,
    about: &[Reference],
    deadline: Instant,
) -> Option<(Symbol, Timeframe)> {
    let reference = about.iter().find(|reference| reference.kind == "drawing")?;
    let read = reader.get(&*sources.drawings, &reference.id);
    let drawing = timeout_at(deadline, read).await.ok()?.ok()??;
    Some((drawing.symbol, USUAL.1))
}

/// The first symbol with candles: somebody may trade none of those that are built in.
async fn usual(sources: &Sources, deadline: Instant) -> Symbol {
    for symbol in Symbol::all() {
        let newest = sources.live.stored().latest(symbol, USUAL.1);
        match timeout_at(deadline, newest).await {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(_))) => return symbol,
            // The sources say what is wrong.
            Ok(Err(_)) | Err(_) => break,
        }
    }
    USUAL.0
}

fn without_time(why: &str) -> Vec<ContextPart> {
    let failed = |source, why| ContextPart {
        source,
        data: Err(why),
    };
    let others = [
        "key_levels",
        "events_24h",
        "cot",
        "headlines",
        "candle_range",
    ];
    let others = others
        .into_iter()
        .map(|source| failed(source, texts::market_time_unknown(why)));
    std::iter::once(failed("price", why.to_owned()))
        .chain(others)
        .collect()
}

async fn part(
    source: &'static str,
    now: Time,
    deadline: Instant,
    read: impl Future<Output = Result<Found, Trouble>>,
) -> ContextPart {
    shown(source, Some(now), bounded(deadline, read).await)
}

async fn bounded<T>(
    deadline: Instant,
    read: impl Future<Output = Result<T, Trouble>>,
) -> Result<T, String> {
    match timeout_at(deadline, read).await {
        Ok(found) => found.map_err(|trouble| trouble.to_string()),
        Err(_elapsed) => Err(texts::no_answer_yet(LIMIT.as_millis())),
    }
}

fn shown(source: &'static str, now: Option<Time>, found: Result<Found, String>) -> ContextPart {
    let data = found.map(|found| {
        let age = now.zip(found.as_of).map(|(now, as_of)| now.0 - as_of.0);
        json!({
            "status": if found.is_stale { "stale" } else { "ok" },
            "as_of": found.as_of,
            "age_s": age,
            "data": found.data,
        })
    });
    ContextPart { source, data }
}
