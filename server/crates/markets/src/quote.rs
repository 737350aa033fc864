//! The price now, as pages show it. It is simulated, and says so.

use serde::Serialize;

use crate::{CandleStore, StoreError, Symbol, Time, Timeframe, check::SPREAD};

const WHY: &str =
    "Simulated: the price of the last stored hour stands still; the spread is assumed.";

/// A price now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Quote {
    symbol: Symbol,
    bid: f64,
    ask: f64,
    spread_pips: f64,
    at: Time,
    simulated: bool,
    why: &'static str,
    bar: Bar,
}

/// The hour that is being formed.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Bar {
    time: Time,
    open: f64,
    high: f64,
    low: f64,
    close: f64,
    volume: i64,
}

/// The price of a symbol now; none if no candles of it are stored.
pub(crate) async fn quote(
    candles: &dyn CandleStore,
    symbol: Symbol,
) -> Result<Option<Quote>, StoreError> {
    let newest = candles.latest(symbol, Timeframe::H1).await?;
    let number = |points| symbol.number(points);
    Ok(newest.map(|bar| Quote {
        symbol,
        bid: number(bar.close - SPREAD),
        ask: number(bar.close),
        spread_pips: symbol.pips(SPREAD),
        at: bar.time.plus(Timeframe::H1.seconds()),
        simulated: true,
        why: WHY,
        bar: Bar {
            time: bar.time,
            open: number(bar.open),
            high: number(bar.high),
            low: number(bar.low),
            close: number(bar.close),
            volume: bar.volume,
        },
    }))
}
