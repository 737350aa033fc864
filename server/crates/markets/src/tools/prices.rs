//! Candles and the price now.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, ToolProblem, Tools, bounded};
use crate::{Points, Symbol, Time, Timeframe, bars};

/// Between the simulated bid and ask. The candles are asked prices: from one vendor, so no spread
/// can be taken from them.
const SPREAD: Points = Points(10);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CandlesInput {
    symbol: Symbol,
    timeframe: Timeframe,
    count: Option<usize>,
    before: Option<Time>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SymbolInput {
    pub(super) symbol: Symbol,
}

pub(super) async fn candles(tools: &Tools, input: CandlesInput) -> Result<Answer, ToolProblem> {
    let CandlesInput {
        symbol,
        timeframe,
        before,
        ..
    } = input;
    let count = bounded(input.count, 100, 500)?;
    let candles = bars(&*tools.candles, symbol, timeframe, count, before).await?;
    let Some(last) = candles.last() else {
        let message = format!("No {timeframe} candles of {symbol} are stored there.");
        return Err(ToolProblem::Missing(message));
    };
    let row = |candle: &crate::Candle| {
        let number = |points| symbol.number(points);
        json!([
            candle.time,
            number(candle.open),
            number(candle.high),
            number(candle.low),
            number(candle.close),
            candle.volume,
        ])
    };
    let rows: Vec<Value> = candles.iter().map(row).collect();
    Ok(Answer {
        summary: format!(
            "{} {timeframe} candles of {symbol} up to {}",
            rows.len(),
            last.time
        ),
        data: json!({
            "symbol": symbol,
            "timeframe": timeframe,
            "side": "ask",
            "columns": ["time", "open", "high", "low", "close", "volume"],
            "rows": rows,
        }),
    })
}

pub(super) async fn current(tools: &Tools, input: SymbolInput) -> Result<Answer, ToolProblem> {
    let SymbolInput { symbol } = input;
    let as_of = tools.now(symbol).await?;
    let newest = tools.candles.latest(symbol, Timeframe::H1).await?;
    let ask = newest.map(|candle| candle.close).unwrap_or_default();
    let bid = ask - SPREAD;
    Ok(Answer {
        summary: format!(
            "{symbol} {} / {}, simulated, at {as_of}",
            symbol.show(bid),
            symbol.show(ask)
        ),
        data: json!({
            "symbol": symbol,
            "bid": symbol.number(bid),
            "ask": symbol.number(ask),
            "spread_pips": symbol.pips(SPREAD),
            "as_of": as_of,
            "simulated": true,
            "how": "The ask is the close of the last stored hour; the spread is assumed.",
        }),
    })
}
