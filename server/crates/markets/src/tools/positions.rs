//! Positions of large traders, and the person's own trades.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, ToolProblem, Tools, bounded, json, meaning, prices::SymbolInput};
use crate::{
    CotReport, Kept, Symbol, Time, Trade,
    maths::{
        cot::{DEFINITIONS, Group, WINDOWS, figures},
        numbers::rounded,
        trades::{self, Reading, money, stats},
    },
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TradesInput {
    symbol: Symbol,
    limit: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StatsInput {
    symbol: Symbol,
    initial_balance: Option<f64>,
}

/// Weeks of the history.
const WEEKS: usize = 26;
/// Trades that figures are computed of at most.
const TRADES: usize = 50_000;
const REPORT: &str = "CFTC legacy, futures only";

async fn reports(
    tools: &Tools,
    symbol: Symbol,
    count: usize,
) -> Result<(Time, Vec<CotReport>), ToolProblem> {
    let now = tools.now(symbol).await?;
    // They are found by the time of their publication: none is known before it.
    let reports: Vec<CotReport> = tools.newest(Some(symbol.contract()), now, count).await?;
    match reports.is_empty() {
        true => {
            let message = format!("No report on {symbol} was published by {now}.");
            Err(ToolProblem::Missing(message))
        }
        false => Ok((now, reports)),
    }
}

pub(super) async fn cot(tools: &Tools, input: SymbolInput) -> Result<Answer, ToolProblem> {
    let most = WINDOWS.into_iter().max().unwrap_or(WEEKS);
    let (now, reports) = reports(tools, input.symbol, most).await?;
    let Some(last) = reports.last() else {
        return Err(ToolProblem::Missing("There is no report.".to_owned()));
    };
    let age = (now.0 - last.as_of.0) as f64 / 86_400.0;
    Ok(Answer {
        summary: format!("Positions as of {}, {age:.0} days old", last.as_of.day()),
        data: json!({
            "report": REPORT,
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

pub(super) async fn cot_history(tools: &Tools, input: SymbolInput) -> Result<Answer, ToolProblem> {
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
        summary: format!("{} weekly reports up to {now}", rows.len()),
        data: json!({
            "report": REPORT,
            "columns": [
                "as_of", "open_interest", "noncommercial_net", "commercial_net", "nonreportable_net",
            ],
            "rows": rows,
            "synthetic": reports.iter().any(|report| report.synthetic),
        }),
    })
}

async fn own(tools: &Tools, symbol: Symbol, count: usize) -> Result<Vec<Trade>, ToolProblem> {
    tools
        .newest(Some(symbol.name()), Time(i64::MAX), count)
        .await
}

pub(super) async fn trades(tools: &Tools, input: TradesInput) -> Result<Answer, ToolProblem> {
    let limit = bounded(input.limit, 20, 100)?;
    let trades = own(tools, input.symbol, limit).await?;
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
            "synthetic": trade.synthetic,
        })
    };
    let rows: Vec<Value> = trades.iter().rev().map(shown).collect();
    Ok(Answer {
        summary: format!("{} trades of {}", rows.len(), input.symbol),
        data: json!({ "symbol": input.symbol, "trades": rows }),
    })
}

pub(super) async fn trade_stats(tools: &Tools, input: StatsInput) -> Result<Answer, ToolProblem> {
    let balance = input.initial_balance.unwrap_or(10_000.0);
    if !(balance > 0.0 && balance <= 1e12) {
        return Err(ToolProblem::Input(
            "initial_balance is not above zero.".to_owned(),
        ));
    }
    let all = own(tools, input.symbol, TRADES).await?;
    let reading = Reading {
        initial_balance: (balance * 100.0).round() as i64,
        tolerance: 0,
    };
    let figures = stats(&all, &reading);
    Ok(Answer {
        summary: format!("Figures of {} closed trades", figures.closed),
        data: json!({
            "symbol": input.symbol,
            "initial_balance": balance,
            "from": all.first().map(Kept::time),
            "until": all.last().map(Kept::time),
            "incomplete": all.len() == TRADES,
            "figures": json(&figures)?,
            "synthetic": all.iter().any(|trade| trade.synthetic),
            "definitions": meaning(&trades::DEFINITIONS),
        }),
    })
}
