//! The chart as tables, for readers who cannot see it.

use kit::live_view;
use leptos::prelude::*;
use markets_wire::{CandleRow, Symbol, Timeframe};

use super::{
    drawing::{Drawing, price_text},
    page_state::ChartPageState,
    place::Market,
    texts,
    time::{self, ChartClock},
};

/// Number of newest candles in the table.
const CANDLES: usize = 10;

pub(super) fn tables(shared: ChartPageState) -> AnyView {
    view! {
        <div class="visually-hidden">
            {live_view(move || drawings(shared))} {live_view(move || candles(shared))}
        </div>
    }
    .into_any()
}

fn drawings(shared: ChartPageState) -> AnyView {
    let (frame, clock) = (shared.at.read().timeframe, shared.clock());
    let rows = shared.listed();
    let rows = rows.iter().map(|it| row(it, frame, clock)).collect();
    table(
        texts::drawings::ON_THE_CHART,
        &texts::drawings::COLUMNS,
        rows,
    )
}

fn table(caption: &'static str, heads: &[&'static str], rows: Vec<AnyView>) -> AnyView {
    let heads = heads
        .iter()
        .map(|head| view! { <th scope="col">{*head}</th> });
    view! {
        <table>
            <caption>{caption}</caption>
            <thead>
                <tr>{heads.collect::<Vec<_>>()}</tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn row(drawing: &Drawing, frame: Timeframe, clock: ChartClock) -> AnyView {
    let mut state: Vec<&str> = Vec::new();
    if !drawing.state().is_empty() {
        state.push(drawing.state());
    }
    if drawing.is_hidden() {
        state.push(texts::drawings::HIDDEN);
    }
    if !drawing.is_visible_on(frame) {
        state.push(texts::drawings::NOT_ON_THIS_TIMEFRAME);
    }
    if drawing.is_locked() {
        state.push(texts::drawings::LOCKED);
    }
    if drawing.is_private() {
        state.push(texts::drawings::ONLY_FOR_ME);
    }
    let state = if state.is_empty() {
        texts::drawings::SHOWN.to_owned()
    } else {
        state.join(", ")
    };
    view! {
        <tr>
            <th scope="row">{drawing.title()}</th>
            <td>{drawing.price_line()}</td>
            <td>{drawing.time_line(clock)}</td>
            <td>{drawing.who().to_owned()}</td>
            <td>{drawing.reason()}</td>
            <td>{drawing.importance().name()}</td>
            <td>{state}</td>
        </tr>
    }
    .into_any()
}

fn candles(shared: ChartPageState) -> AnyView {
    let Market { symbol, timeframe } = shared.market();
    let page = shared.candles.read();
    let until = page.as_ref().and_then(|page| page.simulated_from);
    let clock = shared.clock();
    let line = |candle: &CandleRow| {
        let is_simulated = until.is_some_and(|until| candle.time + timeframe.seconds() > until);
        line(candle, symbol, is_simulated, clock)
    };
    let all = page.as_ref().map_or(&[][..], |page| &page.candles);
    let closed = match shared.replay.reached() {
        Some(reached) => &all[..all.partition_point(|it| it.time <= reached)],
        // The last one is not complete.
        None => all.split_last().map_or(all, |(_, closed)| closed),
    };
    let newest = &closed[closed.len().saturating_sub(CANDLES)..];
    let rows = newest.iter().map(line).collect();
    table(texts::LATEST_CANDLES, &texts::CANDLE_COLUMNS, rows)
}

fn line(candle: &CandleRow, symbol: Symbol, is_simulated: bool, clock: ChartClock) -> AnyView {
    let from = if is_simulated {
        texts::FROM_SIMULATION
    } else {
        texts::FROM_STORE
    };
    view! {
        <tr>
            <th scope="row">{time::shown(&time::rfc3339(candle.time), clock)}</th>
            <td>{price_text(symbol, candle.open)}</td>
            <td>{price_text(symbol, candle.high)}</td>
            <td>{price_text(symbol, candle.low)}</td>
            <td>{price_text(symbol, candle.close)}</td>
            <td>{from}</td>
        </tr>
    }
    .into_any()
}
