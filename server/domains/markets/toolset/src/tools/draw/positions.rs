//! The tool that reads positions: the plan of each, its state, and what came of it so far.

use std::cmp::Reverse;

use agent::ports::{Recovery, Staging, ToolExample, ToolSpec};
use async_trait::async_trait;
use markets_wire::{Life, Mark};
use protocol::Tier;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    super::{Answer, ToolProblem, read},
    ChartDrawings, Planned,
    on_chart::{Call, Chart, ChartTool, drawing},
};
use crate::{
    Points, Side, StoreError, Symbol, Time,
    drawing::{Drawing, DrawingReader, Shape, is_private},
    maths::numbers::{Figure, rounded},
    simulate::Quote,
    texts,
};

/// The most positions in an answer.
const MOST: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PositionsInput {
    /// Symbol of the instrument. Without it: all symbols.
    symbol: Option<Symbol>,
}

/// Reads the positions on the charts.
pub(super) struct GetPositions;

#[async_trait]
impl ChartTool for GetPositions {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Green,
            recovery: Recovery::Pure,
            ..drawing::<PositionsInput>(
                "get_positions",
                "Reads the long and short positions on the charts, newest first: plan, state, when \
                 and where each was opened and closed and why, who changed it last, and its result \
                 in pips and R. Of an open one the result is what closing it now would bring; a \
                 reason in unknown says why there is none. They are plans, not orders.",
                &[
                    ToolExample::new("How is the long position on EURUSD going?"),
                    ToolExample::new("Which positions are open?"),
                ],
            )
        }
    }

    fn staging(&self) -> Staging {
        Staging::None
    }

    fn target(&self, _: &Chart, _: &Value) -> Option<String> {
        Some(texts::drawings::POSITIONS.to_owned())
    }

    async fn plan(&self, _: Call<'_>) -> Result<Option<Planned>, ToolProblem> {
        Ok(None)
    }

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem> {
        let input: PositionsInput = read(call.input)?;
        told(call.charts, call.by.reader, input.symbol).await
    }
}

async fn told(
    charts: &ChartDrawings,
    reader: DrawingReader,
    only: Option<Symbol>,
) -> Result<Answer, ToolProblem> {
    let mut rows: Vec<(Time, Value)> = Vec::new();
    for symbol in Symbol::all() {
        if only.is_some_and(|only| only != symbol) {
            continue;
        }
        let mut positions = charts.drawings(reader, symbol).await?;
        positions.retain(|drawing| drawing.life.is_some());
        if positions.is_empty() {
            continue;
        }
        let now = price_now(charts, symbol).await?;
        let told = positions
            .iter()
            .filter_map(|drawing| Some((drawing.created_at, row(drawing, &now)?)));
        rows.extend(told);
    }
    rows.sort_by_key(|(at, _)| Reverse(*at));
    let more = rows.len().saturating_sub(MOST);
    let rows: Vec<Value> = rows.into_iter().take(MOST).map(|(_, row)| row).collect();
    Ok(Answer {
        summary: texts::drawings::positions_read(rows.len()),
        data: json!({
            "positions": rows,
            "more": more,
            "definition": texts::drawings::RESULT_OF_POSITION,
        }),
    })
}

/// The price of a symbol now, or why it is unknown.
async fn price_now(
    charts: &ChartDrawings,
    symbol: Symbol,
) -> Result<Result<Quote, String>, StoreError> {
    match charts.candles.quote(symbol).await {
        Ok(Some(quote)) => Ok(Ok(quote)),
        Ok(None) => Ok(Err(texts::records::no_candles(&symbol))),
        Err(StoreError::Source(unknown)) => Ok(Err(unknown.to_string())),
        Err(error) => Err(error),
    }
}

fn row(drawing: &Drawing, now: &Result<Quote, String>) -> Option<Value> {
    let life = drawing.life.as_ref()?;
    let Shape::Position {
        side,
        entry,
        stop,
        target,
        ..
    } = drawing.content.shape
    else {
        return None;
    };
    let mark = |mark: &Mark<Time>| json!({ "time": mark.time, "price": drawing.symbol.number(mark.price) });
    let last = drawing.changes.last().map(|change| {
        let told = json!({ "time": change.time, "by": change.actor, "reason": change.reason });
        with_person(told, change.person.as_deref())
    });
    let told = json!({
        "id": drawing.id,
        "version": drawing.version,
        "symbol": drawing.symbol,
        "side": side,
        "label": drawing.content.label,
        "reason": drawing.reason,
        "by": drawing.actor,
        "entry": entry,
        "stop": stop,
        "target": target,
        "state": life.state,
        "since": life.since,
        "opened": life.opened.as_ref().map(mark),
        "closed": life.closed.as_ref().map(mark),
        "cause": life.cause,
        "result": result(drawing, life, side, stop, now),
        "last_change": last,
    });
    let mut told = with_person(told, drawing.person.as_deref());
    if is_private(drawing) {
        told["seen_by"] = texts::drawings::THIS_PERSON_ALONE.into();
    }
    Some(told)
}

/// The object with the name of a person, if it is known.
fn with_person(mut told: Value, person: Option<&str>) -> Value {
    if let Some(person) = person {
        told["person"] = person.into();
    }
    told
}

/// The result in pips and R; null of a position that was never opened.
fn result(
    drawing: &Drawing,
    life: &Life<Time>,
    side: Side,
    stop: f64,
    now: &Result<Quote, String>,
) -> Value {
    let Some(opened) = &life.opened else {
        return Value::Null;
    };
    let (at, is_simulated) = match (&life.closed, now) {
        (Some(closed), _) => (*closed, None),
        (None, Ok(quote)) => {
            // A long is sold at the bid, a short bought back at the ask.
            let price = if side == Side::Long {
                quote.bid
            } else {
                quote.ask
            };
            let time = quote.time;
            (Mark { time, price }, Some(quote.is_simulated()))
        }
        (None, Err(reason)) => return json!({ "unknown": reason }),
    };
    let signed = |distance: Points| Points(side.sign() * distance.0);
    let won = signed(at.price - opened.price);
    let r = match stop_at_entry(drawing, stop) {
        Some(stop) => {
            let risk = signed(opened.price - drawing.symbol.round(stop));
            Figure::ratio(won.0 as f64, risk.0 as f64, texts::drawings::NO_RISK)
        }
        None => Figure::Unknown(texts::drawings::STOP_AT_ENTRY_IS_UNKNOWN),
    };
    let mut out = json!({
        "price": drawing.symbol.number(at.price),
        "as_of": at.time,
        "pips": rounded(drawing.symbol.pips(won), 1),
        "r": r,
    });
    if is_simulated == Some(true) {
        out["simulated"] = json!(true);
    }
    out
}

/// The result of a position as a page lists it: of a closed one in words, of an open one the pips that it risked at
/// first, zero if they are not known, by which the page tells what it has made so far.
pub(crate) fn listed_result(drawing: &Drawing) -> Option<Value> {
    let life = drawing.life.as_ref()?;
    let opened = life.opened.as_ref()?;
    let Shape::Position { side, stop, .. } = drawing.content.shape else {
        return None;
    };
    let symbol = drawing.symbol;
    if let Some(closed) = &life.closed {
        // The price now is not asked for.
        let told = result(drawing, life, side, stop, &Err(String::new()));
        let (pips, r) = (told["pips"].as_f64()?, told["r"].as_f64());
        return Some(texts::drawings::closed_at(&symbol.show(closed.price), pips, r).into());
    }
    let risk = stop_at_entry(drawing, stop).map_or(0, |stop| {
        side.sign() * (opened.price - symbol.round(stop)).0
    });
    Some(symbol.pips(Points(risk.max(0))).into())
}

/// The stop when the position was opened, which the first risk is measured from; none if its history
/// no longer tells.
fn stop_at_entry(drawing: &Drawing, stop: f64) -> Option<f64> {
    let mut stop = stop;
    for change in drawing.changes.iter().rev() {
        let mut fields = change.changes.iter();
        if fields
            .clone()
            .any(|field| field.field == "life.state" && field.to == "open")
        {
            return Some(stop);
        }
        if let Some(moved) = fields.find(|field| field.field == "shape.stop") {
            stop = moved.from.as_f64()?;
        }
    }
    None
}
