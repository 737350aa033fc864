//! The head of the page: symbol, timeframe, and the current price.

use kit::{Key, each, format::upright, live, live_text, live_view};
use leptos::prelude::*;
use markets_wire::{PricePart, Symbol, Timeframe};

use super::{
    drawing::price_text,
    page_state::Desk,
    place::{ChartAt, SHOWN, label},
    texts, time,
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
                    {live_text(move || texts::candles_of(label(desk.at.read().timeframe)))}
                </span>
            </h1>
            <nav class="desk__ways" aria-label=texts::SYMBOL>
                {symbols.into_iter().collect::<Vec<_>>()}
            </nav>
            <nav class="desk__ways" aria-label=texts::TIMEFRAME>
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
            let (text, last) = match unknown {
                Some(PricePart::Unknown { unknown, last, .. }) => {
                    (texts::no_known_price(&upright(unknown)), last)
                }
                _ => (texts::NO_KNOWN_PRICE.to_owned(), None),
            };
            let last = last.map(|last| {
                let price = |price| price_text(symbol, price);
                let at = time::shown(&last.at);
                texts::last_known(&price(last.bid), &price(last.ask), &at, last.age_s)
            });
            return view! {
                <p class="desk__price desk__price--unknown">{text}</p>
                {last.map(|last| view! { <p class="desk__last">{last}</p> })}
            }
            .into_any();
        }
    };
    let simulated = price.simulated.then(|| {
        let why = upright(price.why);
        view! {
            <p class="desk__simulated">
                <span class="desk__mark">{texts::SIMULATED}</span>
                <span class="desk__why">{why}</span>
            </p>
        }
    });
    view! {
        <dl class="desk__price">
            <div>
                <dt>{texts::BID}</dt>
                <dd>{price_text(symbol, price.bid)}</dd>
            </div>
            <div>
                <dt>{texts::ASK}</dt>
                <dd>{price_text(symbol, price.ask)}</dd>
            </div>
            <div>
                <dt>{texts::SPREAD}</dt>
                <dd>{texts::pips(price.spread_pips)}</dd>
            </div>
            <div class="desk__at">
                <dt class="visually-hidden">{texts::AS_OF}</dt>
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
        let source = upright(page.source.clone());
        let text = if page.synthetic {
            texts::simulated_candles_from(&source)
        } else {
            texts::candles_from(&source)
        };
        view! { <p class="desk__source">{text}</p> }
    });
    line.into_any()
}
