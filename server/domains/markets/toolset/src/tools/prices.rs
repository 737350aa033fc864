//! Tools for candles and the current price.

use std::time::Duration;

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, TIMEOUT, ToolProblem, Tools, bounded, output, text};
use crate::{Points, StoreError, Symbol, Time, Timeframe, bars, gaps::gaps, ports::stored, texts};

/// Limit on the gaps of an answer.
const GAPS: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CandlesInput {
    /// Symbol of the instrument.
    symbol: Symbol,
    /// Timeframe of a candle. M is minutes and MN is months.
    timeframe: Timeframe,
    /// Maximum number; 100 if left out.
    #[schemars(range(min = 1, max = 500))]
    count: Option<usize>,
    /// Only candles that open before this time in UTC, such as 2017-03-10T13:30:00Z. Leave out for
    /// the newest.
    before: Option<Time>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SymbolInput {
    /// Symbol of the instrument.
    pub(super) symbol: Symbol,
}

pub(super) struct GetCandles(pub(super) Tools);

#[async_trait]
impl ReadingTool for GetCandles {
    const NAME: &'static str = "get_candles";
    const DESCRIPTION: &'static str = "Reads candles, oldest first: opening time in UTC, open, high, low, close, \
                volume. Days of currency pairs begin at 17:00 in New York. H4, D1, W1 and MN are \
                put together from hours; the last one may still be running. gaps has where candles are \
                missing although a session was open, the newest 20: from the candle before to the one \
                behind. What begins at simulated_from or later is simulated: say so. price_unknown is \
                the reason that no price is known now, with the age of the last one: the last candle \
                may lack what came after it, so say that. Ask for no more than you need: every candle \
                costs tokens.";
    const TIMEOUT: Duration = TIMEOUT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Show the last 24 hours of EURUSD."),
        ToolExample::new("How did EURUSD open this week?"),
    ];
    type Input = CandlesInput;

    fn target(&self, input: &Value) -> Option<String> {
        text(input, "symbol")
    }

    async fn read(&self, input: CandlesInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        output(candles(&self.0.at_once(), input).await)
    }
}

async fn candles(tools: &Tools, input: CandlesInput) -> Result<Answer, ToolProblem> {
    let CandlesInput {
        symbol,
        timeframe,
        before,
        ..
    } = input;
    let count = bounded(input.count, 100, 500)?;
    // Before the candles, so that the forming one has the price that this reads.
    let unknown = match tools.candles.quote(symbol).await {
        Ok(_) => None,
        Err(StoreError::Source(price)) => Some(price),
        Err(error) => return Err(error.into()),
    };
    let candles = bars(&tools.candles, symbol, timeframe, count, before).await?;
    let Some(last) = candles.last() else {
        let message = texts::records::no_candles_there(&timeframe, &symbol);
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
    let gaps = gaps(symbol, timeframe, &candles);
    let newest_gaps = gaps.get(gaps.len().saturating_sub(GAPS)..);
    let mut data = json!({
        "symbol": symbol,
        "timeframe": timeframe,
        "side": "ask",
        "pip": symbol.number(Points(symbol.pip())),
        "columns": ["time", "open", "high", "low", "close", "volume"],
        "rows": rows,
        "gaps": newest_gaps,
    });
    // Marks simulated candles as such.
    if stored(timeframe) == Timeframe::H1
        && let Some(simulated) = tools.candles.simulated(symbol).await?
        && !simulated.hours(tools.candles.now(), before, 1).is_empty()
    {
        data["simulated_from"] = json!(simulated.end());
    }
    let mut summary = texts::records::candles(rows.len(), &timeframe, &symbol, &last.time);
    if let Some(price) = unknown {
        let now = Time(tools.candles.now() as i64);
        let known_until = price.last.map_or(now, |(_, _, at, _)| at);
        // Candles of the past lack nothing.
        let is_past = before.is_some() && last.time.plus(timeframe.seconds()) <= known_until;
        if !is_past {
            data["price_unknown"] = json!(price.to_string());
            summary.push_str(texts::records::NO_PRICE_IS_KNOWN_NOW);
        }
    }
    Ok(Answer { summary, data })
}

pub(super) struct GetCurrentPrice(pub(super) Tools);

#[async_trait]
impl ReadingTool for GetCurrentPrice {
    const NAME: &'static str = "get_current_price";
    const DESCRIPTION: &'static str = "Reads bid, ask and spread now. They are simulated after the stored candles and \
                say why: never call them a quote of a broker.";
    const TIMEOUT: Duration = TIMEOUT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("What is the price of EURUSD?"),
        ToolExample::new("How wide is the spread of USDJPY?"),
    ];
    const SUGGESTED: bool = true;
    type Input = SymbolInput;

    fn target(&self, input: &Value) -> Option<String> {
        text(input, "symbol")
    }

    async fn read(&self, input: SymbolInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        output(current(&self.0.at_once(), input).await)
    }
}

async fn current(tools: &Tools, input: SymbolInput) -> Result<Answer, ToolProblem> {
    let SymbolInput { symbol } = input;
    let quote = tools.quote(symbol).await?;
    let mark = if quote.is_simulated() {
        ", simulated"
    } else {
        ""
    };
    Ok(Answer {
        summary: texts::records::quote(
            &symbol,
            &symbol.show(quote.bid),
            &symbol.show(quote.ask),
            mark,
            &quote.time,
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
