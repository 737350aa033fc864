//! The head of the page, one line: symbol, timeframe, and the current price with its source.

use kit::{Icon, browser, format::upright, icon, live, live_text, live_view, press};
use leptos::prelude::*;
use markets_wire::{PricePart, Timeframe};

use super::{
    comparison::comparison,
    drawing::price_text,
    page_state::ChartPageState,
    place::{ChartAt, is_offered, is_usual, label},
    popup::place_under,
    texts, time,
};

const SYMBOLS: &str = "chart-symbols";
const TIMEFRAMES: &str = "chart-timeframes";
const ABOUT: &str = "chart-source";

pub(super) fn head(shared: ChartPageState) -> AnyView {
    let symbol = move || shared.at.read().symbol;
    let symbols = shared.symbols().into_iter().map(|symbol| {
        let at = move || shared.at.read().of_symbol(symbol);
        let is_here = move |at: &ChartAt| at.symbol == symbol;
        way(shared, symbol.label().into_any(), at, is_here, |_| true)
    });
    let pick = move || place_under(SYMBOLS);
    view! {
        <header class="desk__head">
            <h1>
                <button
                    type="button"
                    class="desk__symbol"
                    popovertarget=SYMBOLS
                    title=texts::SYMBOL
                    on:click=press(pick)
                >
                    {live_text(move || symbol().label().to_owned())}
                    {icon(Icon::CHEVRON)}
                </button>
                <span class="visually-hidden">
                    {live_text(move || texts::candles_of(label(shared.at.read().timeframe)))}
                </span>
            </h1>
            <div class="desk__popup" id=SYMBOLS popover="auto">
                <nav
                    aria-label=texts::SYMBOL
                    on:click=press(|| browser::close_popover(SYMBOLS))
                >
                    {symbols.collect::<Vec<_>>()}
                </nav>
                {comparison(shared)}
            </div>
            {timeframes(shared)}
            {live_view(move || price(shared))}
            {about(shared)}
        </header>
    }
    .into_any()
}

/// Draws the links to the usual timeframes, and the menu of the others.
fn timeframes(shared: ChartPageState) -> AnyView {
    let draw = |timeframe: Timeframe| {
        let at = move || ChartAt {
            timeframe,
            drawing: None,
            ..shared.at.get()
        };
        let name = view! {
            {timeframe.name()}
            <span class="visually-hidden">{format!(", {}", label(timeframe))}</span>
        }
        .into_any();
        let is_here = move |at: &ChartAt| at.timeframe == timeframe;
        let has_it = move |at: &ChartAt| is_offered(at.symbol, timeframe);
        way(shared, name, at, is_here, has_it)
    };
    let (usual, rest): (Vec<_>, Vec<_>) = Timeframe::ALL.into_iter().partition(|it| is_usual(*it));
    // One that is in the menu only is named by its button.
    let other = move || {
        let timeframe = shared.at.read().timeframe;
        if is_usual(timeframe) {
            ""
        } else {
            timeframe.name()
        }
    };
    let others = rest.clone();
    let has_none = move || {
        let symbol = shared.at.read().symbol;
        !others.iter().any(|it| is_offered(symbol, *it))
    };
    view! {
        <nav class="desk__ways" aria-label=texts::TIMEFRAME>
            {usual.into_iter().map(draw).collect::<Vec<_>>()}
            <button
                type="button"
                class="desk__way desk__more"
                class:desk__way--here=live(move || !other().is_empty())
                popovertarget=TIMEFRAMES
                title=texts::with_key(texts::MORE_TIMEFRAMES, texts::TIMEFRAME_KEYS)
                aria-keyshortcuts=", ."
                hidden=live(has_none)
                on:click=press(|| place_under(TIMEFRAMES))
            >
                {live_text(move || other().to_owned())}
                {icon(Icon::CHEVRON)}
                <span class="visually-hidden">{texts::MORE_TIMEFRAMES}</span>
            </button>
            <div
                class="desk__popup"
                id=TIMEFRAMES
                popover="auto"
                on:click=press(|| browser::close_popover(TIMEFRAMES))
            >
                {rest.into_iter().map(draw).collect::<Vec<_>>()}
            </div>
        </nav>
    }
    .into_any()
}

/// Draws a link to another chart. It is hidden where it is not offered.
fn way(
    shared: ChartPageState,
    name: AnyView,
    at: impl Fn() -> ChartAt + Copy + Send + 'static,
    is_here: impl Fn(&ChartAt) -> bool + Copy + Send + 'static,
    has_it: impl Fn(&ChartAt) -> bool + Copy + Send + 'static,
) -> AnyView {
    let here = move || is_here(&shared.at.read());
    let is_hidden = move || !has_it(&shared.at.read());
    view! {
        <a
            href=live(move || at().path())
            class="desk__way"
            class:desk__way--here=live(here)
            aria-current=live(move || here().then_some("true"))
            hidden=live(is_hidden)
        >
            {name}
        </a>
    }
    .into_any()
}

fn price(shared: ChartPageState) -> AnyView {
    let symbol = shared.at.read().symbol;
    let price = match shared.shown_price(symbol) {
        Some(PricePart::Known(price)) => price,
        unknown => {
            let (text, last) = match unknown {
                Some(PricePart::Unknown { unknown, last, .. }) => {
                    (texts::no_known_price(&upright(unknown)), last)
                }
                _ if shared.replay.reached().is_some() => {
                    (texts::replay::PRICE_IS_HIDDEN.to_owned(), None)
                }
                _ => (texts::NO_KNOWN_PRICE.to_owned(), None),
            };
            let last = last.map(|last| {
                let price = |price| price_text(symbol, price);
                let at = time::shown(&last.at, shared.clock());
                texts::last_known(&price(last.bid), &price(last.ask), &at, last.age_s)
            });
            let title = text.clone();
            return view! {
                <p class="desk__price desk__price--unknown" title=title>
                    {text}
                </p>
                {last.map(|last| {
                    let title = last.clone();
                    view! {
                        <p class="desk__last" title=title>
                            {last}
                        </p>
                    }
                })}
            }
            .into_any();
        }
    };
    view! {
        <dl class="desk__price">
            <div>
                <dt>{texts::BID}</dt>
                <dd>{price_text(symbol, price.bid)}</dd>
            </div>
            <div class="desk__ask">
                <dt>{texts::ASK}</dt>
                <dd>{price_text(symbol, price.ask)}</dd>
            </div>
            <div class="desk__spread">
                <dt>{texts::SPREAD}</dt>
                <dd>{texts::pips(price.spread_pips)}</dd>
            </div>
            <div class="desk__at" title=texts::AS_OF>
                <dt class="visually-hidden">{texts::AS_OF}</dt>
                <dd>{time::shown(&price.at, shared.clock())}</dd>
            </div>
        </dl>
    }
    .into_any()
}

/// Draws the mark that opens where the prices and the candles come from.
fn about(shared: ChartPageState) -> AnyView {
    // Not drawn again with each price: it may have the focus.
    let why = Memo::new(move |_| match shared.told_price(shared.at.read().symbol) {
        Some(PricePart::Known(price)) if price.simulated => upright(price.why),
        _ => String::new(),
    });
    let is_simulated = move || !why.read().is_empty();
    let mark = move || {
        if is_simulated() {
            texts::SIMULATED
        } else {
            texts::SOURCE
        }
    };
    view! {
        <button
            type="button"
            class="desk__mark"
            class:desk__mark--simulated=live(is_simulated)
            popovertarget=ABOUT
            title=texts::ABOUT_PRICES
            on:click=press(|| place_under(ABOUT))
        >
            {live_text(move || mark().to_owned())}
        </button>
        <div class="desk__popup desk__about" id=ABOUT popover="auto">
            <p class="desk__why">{live_text(move || why.get())}</p>
            {live_view(move || source(shared))}
        </div>
    }
    .into_any()
}

fn source(shared: ChartPageState) -> AnyView {
    let page = shared.candles.read();
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
