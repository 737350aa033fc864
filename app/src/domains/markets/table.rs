//! The chart as tables, for readers who cannot see it.

use leptos::prelude::*;

use super::{candles::Candle, drawing::Drawing, page_state::Desk, place::Symbol, time};
use crate::ui::live_view;

/// Number of newest candles in the table.
pub(super) const CANDLES: usize = 10;

pub(super) fn tables(desk: Desk) -> AnyView {
    view! {
        <div class="visually-hidden">
            {live_view(move || drawings(desk))} {live_view(move || candles(desk))}
        </div>
    }
    .into_any()
}

fn drawings(desk: Desk) -> AnyView {
    let frame = desk.at.read().timeframe.name();
    let rows: Vec<_> = desk.listed().iter().map(|it| row(it, frame)).collect();
    view! {
        <table>
            <caption>"Drawings on the chart"</caption>
            <thead>
                <tr>
                    <th scope="col">"Drawing"</th>
                    <th scope="col">"Prices"</th>
                    <th scope="col">"Times"</th>
                    <th scope="col">"By"</th>
                    <th scope="col">"Reason"</th>
                    <th scope="col">"Importance"</th>
                    <th scope="col">"State"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn row(drawing: &Drawing, frame: &str) -> AnyView {
    let mut state: Vec<&str> = Vec::new();
    if !drawing.state().is_empty() {
        state.push(drawing.state());
    }
    if drawing.is_hidden() {
        state.push("hidden");
    }
    if !drawing.is_visible_on(frame) {
        state.push("not on this timeframe");
    }
    if drawing.is_locked() {
        state.push("locked");
    }
    let state = match state.is_empty() {
        true => "shown".to_owned(),
        false => state.join(", "),
    };
    view! {
        <tr>
            <th scope="row">{drawing.title()}</th>
            <td>{drawing.price_line()}</td>
            <td>{drawing.times().join(" to ")}</td>
            <td>{drawing.who()}</td>
            <td>{drawing.reason()}</td>
            <td>{drawing.importance().to_owned()}</td>
            <td>{state}</td>
        </tr>
    }
    .into_any()
}

fn candles(desk: Desk) -> AnyView {
    let (symbol, timeframe) = desk.market();
    let until = desk.stored_until.get();
    let line = |candle: &Candle| {
        let is_simulated = until.is_some_and(|until| candle.at + timeframe.seconds() > until);
        line(candle, symbol, is_simulated)
    };
    let rows: Vec<_> = desk.newest.read().iter().map(line).collect();
    view! {
        <table>
            <caption>"Latest closed candles"</caption>
            <thead>
                <tr>
                    <th scope="col">"Opened"</th>
                    <th scope="col">"Open"</th>
                    <th scope="col">"High"</th>
                    <th scope="col">"Low"</th>
                    <th scope="col">"Close"</th>
                    <th scope="col">"From"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn line(candle: &Candle, symbol: Symbol, is_simulated: bool) -> AnyView {
    let from = match is_simulated {
        true => "simulation",
        false => "store",
    };
    view! {
        <tr>
            <th scope="row">{time::shown(&time::rfc3339(candle.at))}</th>
            <td>{symbol.price(candle.open)}</td>
            <td>{symbol.price(candle.high)}</td>
            <td>{symbol.price(candle.low)}</td>
            <td>{symbol.price(candle.close)}</td>
            <td>{from}</td>
        </tr>
    }
    .into_any()
}
