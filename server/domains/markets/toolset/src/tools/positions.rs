//! Tools for the positions of large traders, and for the person's own trades.

use std::{collections::HashSet, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput, UserId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Answer, TIMEOUT, ToolProblem, Tools, bounded, json, meaning, output, prices::SymbolInput, text,
};
use crate::{
    CotReport, Kept, Symbol, Time, Trade,
    drawing::{self, DrawingReader},
    maths::{
        cot::{DEFINITIONS, Group, WINDOWS, figures},
        numbers::rounded,
        trades::{self, Reading, money, stats},
    },
    price::contract,
    texts,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TradesInput {
    /// Symbol of the instrument.
    symbol: Symbol,
    /// Maximum number; 20 if left out.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatsInput {
    /// Symbol of the instrument.
    symbol: Symbol,
    /// Balance of the account before the first trade. Only if the person has said it: never make one up.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e12))]
    initial_balance: Option<f64>,
}

/// Default weeks of history.
const WEEKS: usize = 26;
/// Limit on the trades in statistics.
const TRADES: usize = 50_000;

async fn reports(
    tools: &Tools,
    symbol: Symbol,
    count: usize,
) -> Result<(Time, Vec<CotReport>), ToolProblem> {
    let now = tools.now(symbol).await?;
    // Selected by the time of publication: before it a report is unknown.
    let reports: Vec<CotReport> = tools.newest(Some(contract(symbol)), now, count).await?;
    if reports.is_empty() {
        let message = texts::records::no_report(&symbol, &now);
        Err(ToolProblem::Missing(message))
    } else {
        Ok((now, reports))
    }
}

pub(super) struct GetCotPositioning(pub(super) Tools);

#[async_trait]
impl ReadingTool for GetCotPositioning {
    const NAME: &'static str = "get_cot_positioning";
    const DESCRIPTION: &'static str = "Reads the newest published report of the CFTC on positions in the future \
                of a symbol's currency (legacy, futures only): long, short, net, change, percent of \
                open interest and index of noncommercial, commercial and nonreportable traders. It \
                describes a Tuesday and comes out on Friday: mind its age.";
    const TIMEOUT: Duration = TIMEOUT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("How are the large traders positioned in EURUSD?"),
        ToolExample::new("What does the newest report of the CFTC say on the yen?"),
    ];
    type Input = SymbolInput;

    fn target(&self, input: &Value) -> Option<String> {
        text(input, "symbol")
    }

    async fn read(&self, input: SymbolInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        output(cot(&self.0.at_once(), input).await)
    }
}

async fn cot(tools: &Tools, input: SymbolInput) -> Result<Answer, ToolProblem> {
    let most = WINDOWS.into_iter().max().unwrap_or(WEEKS);
    let (now, reports) = reports(tools, input.symbol, most).await?;
    let Some(last) = reports.last() else {
        return Err(ToolProblem::Missing(
            texts::records::THERE_IS_NO_REPORT.to_owned(),
        ));
    };
    let age = (now.0 - last.as_of.0) as f64 / 86_400.0;
    Ok(Answer {
        summary: texts::records::positions_as_of(&last.as_of.day(), age),
        data: json!({
            "report": texts::CFTC_LEGACY_FUTURES_ONLY,
            "market": last.market,
            "contract": last.code,
            "as_of": last.as_of.day(),
            "published_at": last.published_at,
            "age_days": rounded(age, 1),
            "open_interest": last.open_interest,
            "spreading": last.spreading,
            "groups": json(&figures(&reports, &WINDOWS))?,
            "synthetic": last.synthetic,
            "definitions": meaning(&DEFINITIONS),
        }),
    })
}

pub(super) struct GetCotHistory(pub(super) Tools);

#[async_trait]
impl ReadingTool for GetCotHistory {
    const NAME: &'static str = "get_cot_history";
    const DESCRIPTION: &'static str = "Reads the net positions of the last 26 published reports of the CFTC, \
                oldest first.";
    const TIMEOUT: Duration = TIMEOUT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("How have the positions of large traders changed over half a year?"),
        ToolExample::new("Show the history of the net positions in EURUSD."),
    ];
    type Input = SymbolInput;

    fn target(&self, input: &Value) -> Option<String> {
        text(input, "symbol")
    }

    async fn read(&self, input: SymbolInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        output(cot_history(&self.0.at_once(), input).await)
    }
}

async fn cot_history(tools: &Tools, input: SymbolInput) -> Result<Answer, ToolProblem> {
    let (now, reports) = reports(tools, input.symbol, WEEKS).await?;
    let row = |report: &CotReport| {
        let net = |group: Group| group.of(report).net();
        json!([
            report.as_of.day(),
            report.open_interest,
            net(Group::Noncommercial),
            net(Group::Commercial),
            net(Group::Nonreportable),
        ])
    };
    let rows: Vec<Value> = reports.iter().map(row).collect();
    Ok(Answer {
        summary: texts::records::weekly_reports_up_to(rows.len(), &now),
        data: json!({
            "report": texts::CFTC_LEGACY_FUTURES_ONLY,
            "columns": [
                "as_of", "open_interest", "noncommercial_net", "commercial_net", "nonreportable_net",
            ],
            "rows": rows,
            "synthetic": reports.iter().any(|report| report.synthetic),
        }),
    })
}

/// The newest trades of a symbol that a reader sees, oldest first.
async fn own(
    tools: &Tools,
    reader: DrawingReader,
    symbol: Symbol,
    count: usize,
) -> Result<Vec<Trade>, ToolProblem> {
    let until = Time(i64::MAX);
    let everybodys = Trade::key(symbol, None);
    let mut all: Vec<Trade> = tools.newest(Some(&everybodys[..]), until, count).await?;
    if let DrawingReader::Person(person) = reader {
        let theirs = Trade::key(symbol, Some(&drawing::own(person)[..]));
        let private: Vec<Trade> = tools.newest(Some(&theirs[..]), until, count).await?;
        // One that came in for everybody as well counts once.
        let ids: HashSet<&str> = private.iter().map(|trade| &trade.id[..]).collect();
        all.retain(|trade| !ids.contains(&trade.id[..]));
        all.extend(private);
        all.sort_by(|one, other| (one.time(), &one.id).cmp(&(other.time(), &other.id)));
        let surplus = all.len().saturating_sub(count);
        all.drain(..surplus);
    }
    Ok(all)
}

pub(super) struct GetTradeHistory(pub(super) Tools);

#[async_trait]
impl ReadingTool for GetTradeHistory {
    const NAME: &'static str = "get_trade_history";
    const DESCRIPTION: &'static str = "Lists the person's own trades, newest first: side, lots, entry, stop, \
                target, exit, profit and loss net of costs, R multiple. Open trades have no exit.";
    const TIMEOUT: Duration = TIMEOUT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Which trades did I make in EURUSD?"),
        ToolExample::new("Show my last 10 trades."),
    ];
    type Input = TradesInput;

    fn target(&self, input: &Value) -> Option<String> {
        text(input, "symbol")
    }

    async fn read(&self, input: TradesInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        output(trades(&self.0.at_once(), DrawingReader::Anybody, input).await)
    }

    async fn read_for(
        &self,
        person: UserId,
        input: TradesInput,
        _: Progress,
    ) -> Result<ToolOutput, ErrorBody> {
        output(trades(&self.0.at_once(), DrawingReader::Person(person), input).await)
    }
}

async fn trades(
    tools: &Tools,
    reader: DrawingReader,
    input: TradesInput,
) -> Result<Answer, ToolProblem> {
    let limit = bounded(input.limit, 20, 100)?;
    let trades = own(tools, reader, input.symbol, limit).await?;
    let shown = |trade: &Trade| {
        let price = |points| trade.symbol.number(points);
        let multiple = || Some(trade.net()? as f64 / trade.initial_risk? as f64);
        json!({
            "id": trade.id,
            "side": trade.side,
            "lots": trade.millilots as f64 / 1_000.0,
            "opened_at": trade.opened_at,
            "entry": price(trade.entry),
            "stop": trade.stop.map(price),
            "target": trade.target.map(price),
            "closed_at": trade.closed_at,
            "exit": trade.exit.map(price),
            "net": trade.net().map(money),
            "r": multiple().map(|r| rounded(r, 2)),
            "note": trade.note,
            "person": trade.person,
            "seen_by": trade.owner.as_ref().map(|_| texts::drawings::THIS_PERSON_ALONE),
            "synthetic": trade.synthetic,
        })
    };
    let rows: Vec<Value> = trades.iter().rev().map(shown).collect();
    Ok(Answer {
        summary: texts::records::trades_of(rows.len(), &input.symbol),
        data: json!({
            "symbol": input.symbol,
            "trades": rows,
            "definition": texts::records::WHOSE_TRADES,
        }),
    })
}

pub(super) struct GetTradeStats(pub(super) Tools);

#[async_trait]
impl ReadingTool for GetTradeStats {
    const NAME: &'static str = "get_trade_stats";
    const DESCRIPTION: &'static str = "Computes figures about the person's own closed trades: counts, both win \
                rates, profit factor, expectancy, drawdown, streaks, R. The definitions come with \
                it; quote them when somebody wonders. An unknown has its reason: without the initial \
                balance, the final one and the drawdown in percent are unknown.";
    const TIMEOUT: Duration = TIMEOUT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("How have my trades gone?"),
        ToolExample::new("What is my win rate in EURUSD?"),
    ];
    type Input = StatsInput;

    fn target(&self, input: &Value) -> Option<String> {
        text(input, "symbol")
    }

    async fn read(&self, input: StatsInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        output(trade_stats(&self.0.at_once(), DrawingReader::Anybody, input).await)
    }

    async fn read_for(
        &self,
        person: UserId,
        input: StatsInput,
        _: Progress,
    ) -> Result<ToolOutput, ErrorBody> {
        output(trade_stats(&self.0.at_once(), DrawingReader::Person(person), input).await)
    }
}

async fn trade_stats(
    tools: &Tools,
    reader: DrawingReader,
    input: StatsInput,
) -> Result<Answer, ToolProblem> {
    let balance = input.initial_balance;
    if balance.is_some_and(|balance| !(balance > 0.0 && balance <= 1e12)) {
        return Err(ToolProblem::Input(
            texts::records::INITIAL_BALANCE_IS_NOT_ABOVE_ZERO.to_owned(),
        ));
    }
    let all = own(tools, reader, input.symbol, TRADES).await?;
    let reading = Reading {
        initial_balance: balance.map(|balance| (balance * 100.0).round() as i64),
        tolerance: 0,
    };
    let figures = stats(&all, &reading);
    let mut people: Vec<Option<&str>> = all.iter().map(|trade| trade.person.as_deref()).collect();
    people.sort_unstable();
    people.dedup();
    // The figures of several people together are nobody's.
    let mut of_each = Vec::new();
    if people.len() > 1 {
        for person in &people {
            let theirs = all
                .iter()
                .filter(|trade| trade.person.as_deref() == *person);
            let theirs: Vec<Trade> = theirs.cloned().collect();
            of_each.push(json!({ "person": person, "figures": json(&stats(&theirs, &reading))? }));
        }
    }
    Ok(Answer {
        summary: texts::records::figures_of_closed_trades(figures.closed),
        data: json!({
            "symbol": input.symbol,
            "initial_balance": balance,
            "from": all.first().map(Kept::time),
            "until": all.last().map(Kept::time),
            "incomplete": all.len() == TRADES,
            "figures": json(&figures)?,
            "people": people,
            "of_each": of_each,
            "whose": texts::records::WHOSE_TRADES,
            "synthetic": all.iter().any(|trade| trade.synthetic),
            "definitions": meaning(&trades::DEFINITIONS),
        }),
    })
}
