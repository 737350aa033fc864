//! The page of a chart: its head, the candles with the drawings, and the list of these.

use kit::{CodePart, ErrorCard, effect, live, live_view, press};
use leptos::{html, prelude::*, wasm_split::wasm_split};
use markets_wire::PricePart;
use protocol::{BoardPage, Reference};

use super::{
    acts::acts,
    axes::axes,
    draw_bar::{draw_bar, hint},
    folds::{alerts_fold, fails},
    glue::{self, report},
    head::head,
    keys::{follow_keys, leave_full},
    menu::menu,
    page_state::{ChartPageState, State},
    panel::{keep_list, panel},
    perform::offer_stage,
    place::with_indicators,
    replay::replay,
    table::tables,
    texts,
};
use crate::{api::ApiError, dock::Beside, texts::common};

/// The device's storage key for having opened the chat beside the chart on its own.
const WELCOMED: &str = "jarvis.dock.chart";

/// The lists below the chart.
const LISTS: CodePart = CodePart {
    load: || Box::pin(preload_chart_lists()),
    waits: || ().into_any(),
    fails,
};

/// Draws the chart of a board from a page's data; live from then on.
pub(super) fn chart_view(page: BoardPage) -> AnyView {
    let shared = ChartPageState::new(page);
    let frame = NodeRef::<html::Div>::new();
    shared.follow();
    shared.follow_edits();
    shared.start(frame);
    shared.follow_address();
    offer_stage(shared);
    beside(shared);
    tell_price(shared);
    keep_list(shared);
    follow_keys(shared);
    leave_full(shared);
    name_address(shared);
    let state = move || match shared.state.get() {
        State::Shown => ().into_any(),
        State::Loading => view! {
            <div class="desk__veil" role="status">
                <span class="reactor reactor--busy" aria-hidden="true"></span>
                {texts::LOADING_CANDLES}
            </div>
        }
        .into_any(),
        // An axis without candles would show made-up prices.
        State::Empty => view! {
            <div class="desk__veil desk__veil--empty" role="status">
                <h2>{shared.has_no_candles()}</h2>
                <p>{texts::NONE_IN_TIMEFRAME} <code>"jarvis markets import"</code> "."</p>
            </div>
        }
        .into_any(),
        State::Failed(error) => view! {
            <div class="desk__veil desk__veil--failed" role="alert">
                <h2>{texts::CHART_COULD_NOT_BE_LOADED}</h2>
                <ErrorCard error>
                    <button
                        type="button"
                        class="button"
                        on:click=press(move || shared.again.update(|again| *again += 1))
                    >
                        {common::TRY_AGAIN}
                    </button>
                </ErrorCard>
            </div>
        }
        .into_any(),
    };
    let lists = LISTS.draw(move || lists_of(shared));
    view! {
        <div class="desk" class:desk--full=live(move || shared.full.get())>
            {head(shared)}
            {acts(shared)}
            {draw_bar(shared)}
            <div
                class="desk__stage"
                class:desk__stage--drawing=live(move || shared.tool.get().is_some())
                class:desk__stage--replay=live(move || shared.replay.is_on())
            >
                <div
                    class="desk__canvas"
                    id="chart"
                    node_ref=frame
                    inert=live(move || shared.state.get() == State::Empty)
                ></div>
                {axes(shared)}
                {live_view(state)}
                {replay(shared)}
                {hint(shared)}
                {menu(shared)}
            </div>
            {lists}
        </div>
    }
    .into_any()
}

/// Draws the lists below the chart, and turns the chat beside it. The code is a part of its own: the candles
/// need none of it.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(chart_lists, wasm_split_path = ::leptos::wasm_split, preload(preload_chart_lists), fallible)]
pub(super) fn lists_of(shared: ChartPageState) -> Result<AnyView, ApiError> {
    shared.follow_indicators();
    shared.follow_talks();
    shared.follow_own();
    let lists = view! {
        {panel(shared)}
        {alerts_fold(shared)}
        {tables(shared)}
    };
    Ok(lists.into_any())
}

impl ChartPageState {
    fn has_no_candles(self) -> String {
        let at = self.at.read();
        texts::no_candles_of(at.symbol.label(), at.timeframe.name())
    }
}

/// Makes the chart the subject of the chat beside it.
fn beside(shared: ChartPageState) {
    let dock = shared.dock;
    let name = Memo::new(move |_| {
        let name = shared.at.read().name();
        with_indicators(name, &shared.indicators.read())
    });
    effect(move || {
        dock.stand_beside(Some(Beside {
            about: Reference::new("chart", name.get()),
            ask: &texts::QUESTIONS,
        }));
    });
    effect(move || {
        // The conversation about the symbol may take the place of a new one that nobody asked for.
        if untrack(|| dock.welcome(WELCOMED)) {
            shared.talks.is_ours.set_value(true);
        }
    });
    on_cleanup(move || dock.stand_beside(None));
}

/// Tells the chart whether the price is known: an old one must not look as if it were live.
fn tell_price(shared: ChartPageState) {
    let word = Memo::new(move |_| match shared.price(shared.at.read().symbol) {
        Some(PricePart::Known(_)) => "known",
        _ => "unknown",
    });
    effect(move || {
        let word = word.get();
        // The script arrives later than the page.
        if *shared.state.read() != State::Loading
            && let Some(chart) = glue::chart()
        {
            report(chart.set_price(word));
        }
    });
}

/// Replaces the address `/chart` by that of the chart on view.
fn name_address(shared: ChartPageState) {
    effect(move || {
        let at = shared.at.get();
        let here = window().location().pathname().unwrap_or_default();
        if here.starts_with("/chart") && here != at.path() {
            shared.route.become_page(at.page());
        }
    });
}
