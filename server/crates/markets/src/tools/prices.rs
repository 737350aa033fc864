//! Candles and the price now.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, ToolProblem, Tools, bounded};
use crate::{Symbol, Time, Timeframe, bars};

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
    let candles = bars(&tools.candles, symbol, timeframe, count, before).await?;
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
    let mut data = json!({
        "symbol": symbol,
        "timeframe": timeframe,
        "side": "ask",
        "columns": ["time", "open", "high", "low", "close", "volume"],
        "rows": rows,
    });
    // What was made up says so.
    if timeframe.stored() == Timeframe::H1
        && let Some(simulated) = tools.candles.simulated(symbol).await?
        && !simulated.hours(tools.candles.now(), before, 1).is_empty()
    {
        data["simulated_from"] = json!(simulated.end());
    }
    Ok(Answer {
        summary: format!(
            "{} {timeframe} candles of {symbol} up to {}",
            rows.len(),
            last.time
        ),
        data,
    })
}

pub(super) async fn current(tools: &Tools, input: SymbolInput) -> Result<Answer, ToolProblem> {
    let SymbolInput { symbol } = input;
    let quote = tools.quote(symbol).await?;
    let mark = match quote.is_simulated() {
        true => ", simulated",
        false => "",
    };
    Ok(Answer {
        summary: format!(
            "{symbol} {} / {}{mark}, at {}",
            symbol.show(quote.bid),
            symbol.show(quote.ask),
            quote.time
        ),
        data: json!({
            "symbol": symbol,
            "bid": symbol.number(quote.bid),
            "ask": symbol.number(quote.ask),
            "spread_pips": symbol.pips(quote.ask - quote.bid),
            "as_of": quote.time,
            "simulated": quote.is_simulated(),
            "why": quote.why(),
        }),
    })
}
