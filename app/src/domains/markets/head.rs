//! The head of the page: symbol, timeframe, and the current price.

use kit::{Key, each, format::upright, live, live_text, live_view};
use leptos::prelude::*;
use markets_wire::{PricePart, Symbol, Timeframe};

use super::{
    drawing::price_text,
    page_state::Desk,
    place::{ChartAt, SHOWN, label},
    time,
};
use crate::dock::ask;

pub(super) fn head(desk: Desk) -> AnyView {
    let symbol = move || desk.at.read().symbol;
    let symbols = Symbol::ALL.map(|symbol| {
        let at = move || ChartAt {
            symbol,
            drawing: None,
            ..desk.at.get()
        };
        way(desk, symbol.label().into_any(), at, move |at| {
            at.symbol == symbol
        })
    });
    let timeframes = Timeframe::ALL
        .into_iter()
        .filter(|it| SHOWN.contains(it))
        .map(|timeframe| {
            let at = move || ChartAt {
                timeframe,
                drawing: None,
                ..desk.at.get()
            };
            let name = view! {
                {timeframe.name()}
                <span class="visually-hidden">{format!(", {}", label(timeframe))}</span>
            }
            .into_any();
            way(desk, name, at, move |at| at.timeframe == timeframe)
        });
    // Another chart is another subject to ask about.
    let asked = each(
        move || vec![desk.at.read().name()],
        |name| Key::of(name.clone()),
        |name| ask(protocol::Reference::new("chart", name)),
    );
    view! {
        <header class="desk__head">
            <h1>
                {live_text(move || symbol().label().to_owned())}
                <span class="visually-hidden">
                    {live_text(move || format!(", candles of {}", label(desk.at.read().timeframe)))}
                </span>
            </h1>
            <nav class="desk__ways" aria-label="Symbol">
                {symbols.into_iter().collect::<Vec<_>>()}
            </nav>
            <nav class="desk__ways" aria-label="Timeframe">
                {timeframes.into_iter().collect::<Vec<_>>()}
            </nav>
            {live_view(move || price(desk))}
            {asked}
            {live_view(move || source(desk))}
        </header>
    }
    .into_any()
}

/// Draws a link to another chart.
fn way(
    desk: Desk,
    name: AnyView,
    at: impl Fn() -> ChartAt + Copy + Send + 'static,
    is_here: impl Fn(&ChartAt) -> bool + Copy + Send + 'static,
) -> AnyView {
    let here = move || is_here(&desk.at.read());
    view! {
        <a
            href=live(move || at().path())
            class="desk__way"
            class:desk__way--here=live(here)
            aria-current=live(move || here().then_some("true"))
        >
            {name}
        </a>
    }
    .into_any()
}

fn price(desk: Desk) -> AnyView {
    let symbol = desk.at.read().symbol;
    let price = match desk.price(symbol) {
        Some(PricePart::Known(price)) => price,
        unknown => {
            let why = match unknown {
                Some(PricePart::Unknown { unknown, .. }) => format!(": {}", upright(unknown)),
                _ => String::new(),
            };
            return view! { <p class="desk__price">{format!("No known price{why}.")}</p> }
                .into_any();
        }
    };
    let simulated = price.simulated.then(|| {
        let why = upright(price.why);
        view! {
            <p class="desk__simulated">
                <span class="desk__mark">"Simulated"</span>
                <span class="desk__why">{why}</span>
            </p>
        }
    });
    view! {
        <dl class="desk__price">
            <div>
                <dt>"Bid"</dt>
                <dd>{price_text(symbol, price.bid)}</dd>
            </div>
            <div>
                <dt>"Ask"</dt>
                <dd>{price_text(symbol, price.ask)}</dd>
            </div>
            <div>
                <dt>"Spread"</dt>
                <dd>{format!("{:.1} pips", price.spread_pips)}</dd>
            </div>
            <div class="desk__at">
                <dt class="visually-hidden">"As of"</dt>
                <dd>{time::shown(&price.at)}</dd>
            </div>
        </dl>
        {simulated}
    }
    .into_any()
}

fn source(desk: Desk) -> AnyView {
    let page = desk.candles.read();
    let page = page.as_ref().filter(|page| !page.candles.is_empty());
    let line = page.map(|page| {
        let made_up = if page.synthetic { " (simulated)" } else { "" };
        let text = format!("Candles: {}{made_up}", upright(page.source.clone()));
        view! { <p class="desk__source">{text}</p> }
    });
    line.into_any()
}
