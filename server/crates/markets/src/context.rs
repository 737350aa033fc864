//! What the model should know of a chart with every message about it: seven sources side by side, each
//! compact, with its age, and each failing by itself. Nothing in it is later than the market's now.

mod drawings;
mod sources;

use std::{future::Future, sync::Arc, time::Duration};

use agent::ports::ContextPart;
use protocol::Reference;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use crate::{
    Live, RecordStore, StoreError, Symbol, Time, Timeframe,
    drawing::{DrawingStore, EVERYONE},
    simulate::Quote,
};

/// What all sources together may take. The engine gives a toolset 800 ms and would lose every source
/// to the slowest.
const LIMIT: Duration = Duration::from_millis(700);

/// What a chart is of when a message is about none.
const USUAL: (Symbol, Timeframe) = (Symbol::EurUsd, Timeframe::H1);

/// Where the sources read.
#[derive(Clone)]
pub struct Sources {
    pub live: Live,
    pub records: Arc<dyn RecordStore>,
    pub drawings: Arc<dyn DrawingStore>,
}

/// What a source brought.
struct Found {
    /// How new it is. None if it has no time of its own.
    as_of: Option<Time>,
    /// There should be something newer by now.
    is_stale: bool,
    data: Value,
}

/// Why a source brought nothing.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("{0}")]
    None(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A market at one instant.
struct Market<'s> {
    sources: &'s Sources,
    symbol: Symbol,
    frame: Timeframe,
    quote: Quote,
}

/// Reads the identifier of a chart, such as `EURUSD/H1`.
pub fn chart(id: &str) -> Option<(Symbol, Timeframe)> {
    let (symbol, frame) = id.split_once('/')?;
    Some((symbol.parse().ok()?, frame.parse().ok()?))
}

/// The parts for a message about these things: of the first chart among them, else of the chart that
/// the first drawing is on, else of the usual one.
pub async fn parts(sources: &Sources, about: &[Reference]) -> Vec<ContextPart> {
    let deadline = Instant::now() + LIMIT;
    // One instant for all of them.
    let sources = &Sources {
        live: sources.live.pinned(),
        ..sources.clone()
    };
    let (symbol, frame) = match named(about) {
        Some(chart) => chart,
        None => of_drawing(sources, about, deadline).await.unwrap_or(USUAL),
    };
    let quoted = async {
        let quote = sources.live.quote(symbol).await?;
        quote.ok_or_else(|| Trouble::None(format!("no candles of {symbol} are stored")))
    };
    let timed = async {
        let quote = match bounded(deadline, quoted).await {
            Ok(quote) => quote,
            // Without the market's time nobody knows what has been published yet.
            Err(why) => return without_time(&why),
        };
        let market = &Market {
            sources,
            symbol,
            frame,
            quote,
        };
        let now = quote.time;
        let (levels, events, cot, headlines, range) = tokio::join!(
            part("key_levels", now, deadline, sources::levels(market)),
            part("events_24h", now, deadline, sources::events(market)),
            part("cot", now, deadline, sources::cot(market)),
            part("headlines", now, deadline, sources::headlines(market)),
            part("candle_range", now, deadline, sources::range(market)),
        );
        let price = shown("price", Some(now), Ok(sources::price(market)));
        vec![price, levels, events, cot, headlines, range]
    };
    let drawn = bounded(deadline, drawings::on(&*sources.drawings, symbol));
    let (mut parts, drawn) = tokio::join!(timed, drawn);
    parts.insert(1, shown("drawings", None, drawn));
    parts
}

fn named(about: &[Reference]) -> Option<(Symbol, Timeframe)> {
    let charts = about.iter().filter(|reference| reference.kind == "chart");
    charts.filter_map(|reference| chart(&reference.id)).next()
}

async fn of_drawing(
    sources: &Sources,
    about: &[Reference],
    deadline: Instant,
) -> Option<(Symbol, Timeframe)> {
    let reference = about.iter().find(|reference| reference.kind == "drawing")?;
    let read = sources.drawings.get(EVERYONE, &reference.id);
    let drawing = timeout_at(deadline, read).await.ok()?.ok()??;
    Some((drawing.symbol, USUAL.1))
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
    let others = others.into_iter().map(|source| {
        failed(
            source,
            format!("the time of the market is not known: {why}"),
        )
    });
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
        Err(_elapsed) => Err(format!("no answer within {} ms", LIMIT.as_millis())),
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
