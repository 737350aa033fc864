//! State that all parts of the page share: the board's records, the selection, the filters, the
//! state of the chart.

use futures::channel::oneshot;
use kit::{BoardParts, effect};
use leptos::prelude::*;
use markets_wire::{AlertLine, CandlesPage, Instrument, LastPrice, PricePart, Quoted, Symbol};
use protocol::{BoardPage, BoardPart, ErrorBody, FromJson};
use serde_json::{Map, Value};

use super::{
    candles,
    drawing::Drawing,
    edit::Edits,
    glue::{self, report},
    part_states::{ChartReplay, ChartTalkList, Comparison},
    place::{BOARD, ChartAt, Market},
    texts, time,
    zone::ChartZone,
};
use crate::{
    channel::{BoardNews, Channel},
    dock::Dock,
    panel_pieces::is_away,
    route::Route,
};

/// The state of the chart.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    Loading,
    Shown,
    /// There are no candles.
    Empty,
    Failed(ErrorBody),
}

/// A form that is open for the selected drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Edit,
    Delete,
}

#[derive(Clone, Copy)]
pub(super) struct ChartPageState {
    pub(super) channel: Channel,
    pub(super) route: Route,
    pub(super) dock: Dock,
    drawings: StoredValue<BoardParts<Drawing>>,
    prices: StoredValue<BoardParts<PricePart>>,
    alerts: StoredValue<BoardParts<AlertLine>>,
    /// The symbols to choose from, as the board had them: the server draws the same.
    symbols: StoredValue<Vec<Symbol>>,
    /// The chart of the address; the previous one while the page is being left.
    pub(super) at: Memo<ChartAt>,
    pub(super) state: RwSignal<State>,
    pub(super) selected: RwSignal<Option<String>>,
    pub(super) form: RwSignal<Option<Form>>,
    pub(super) hides_models: RwSignal<bool>,
    pub(super) hides_peoples: RwSignal<bool>,
    /// True while what a person draws is for them alone.
    pub(super) for_me: RwSignal<bool>,
    /// Counts what the board tells of writes of such drawings.
    pub(super) own: RwSignal<u32>,
    /// The kind of drawing in progress.
    pub(super) tool: RwSignal<Option<&'static str>>,
    /// The chart's words for the chosen indicators, with spaces between them.
    pub(super) indicators: RwSignal<String>,
    pub(super) comparison: Comparison,
    pub(super) talks: ChartTalkList,
    pub(super) replay: ChartReplay,
    /// The zone in which times are shown.
    pub(super) zone: RwSignal<ChartZone>,
    /// True while the scale of prices is logarithmic.
    pub(super) is_log: RwSignal<bool>,
    /// True while the list below the chart is unfolded.
    pub(super) list: RwSignal<bool>,
    /// True while the chart fills the window.
    pub(super) full: RwSignal<bool>,
    /// The drawing whose menu is open.
    pub(super) menu: RwSignal<Option<String>>,
    /// The candles in the chart, oldest first; none before they are loaded.
    pub(super) candles: RwSignal<Option<CandlesPage>>,
    /// Increases to load the candles again.
    pub(super) again: RwSignal<u32>,
    /// True from the loss of the connection until the candles that came meanwhile are there.
    pub(super) behind: RwSignal<bool>,
    /// The imports of candles that the board has counted, by symbol.
    imports: StoredValue<Map<String, Value>>,
    /// Numbers of the latest catching up, and of the latest one whose candles are on the chart.
    pub(super) catches: StoredValue<(u32, u32)>,
    /// Number of the latest request: answers to earlier ones are ignored.
    pub(super) question: StoredValue<u32>,
    /// Identifiers and records of the drawings in the chart.
    on_chart: StoredValue<Vec<(String, String)>>,
    /// Tasks that wait until the chart is shown.
    waiting: StoredValue<Vec<oneshot::Sender<Result<(), String>>>>,
    pub(super) edits: Edits,
}

impl ChartPageState {
    pub(super) fn new(page: BoardPage) -> Self {
        let channel = expect_context::<Channel>();
        let route = expect_context::<Route>();
        let mut symbols: Vec<Symbol> = Symbol::all();
        symbols.retain(|symbol| symbol.is_built_in());
        let told = page.parts.iter().filter_map(learned);
        // A built-in one that was declared otherwise has its place already.
        symbols.extend(told.filter(|symbol| !symbol.is_built_in()));
        let at = Memo::new(move |before: Option<&ChartAt>| {
            ChartAt::shown_on(&route.page())
                .or_else(|| before.cloned())
                .unwrap_or_default()
        });
        let shared = Self {
            channel,
            route,
            dock: expect_context::<Dock>(),
            drawings: StoredValue::new(BoardParts::default()),
            prices: StoredValue::new(BoardParts::default()),
            alerts: StoredValue::new(BoardParts::default()),
            symbols: StoredValue::new(symbols),
            at,
            state: RwSignal::new(State::Loading),
            selected: RwSignal::new(None),
            form: RwSignal::new(None),
            hides_models: RwSignal::new(false),
            hides_peoples: RwSignal::new(false),
            for_me: RwSignal::new(false),
            own: RwSignal::new(0),
            tool: RwSignal::new(None),
            indicators: RwSignal::new(String::new()),
            comparison: Comparison::new(),
            talks: ChartTalkList::new(),
            replay: ChartReplay::new(),
            zone: RwSignal::new(ChartZone::default()),
            is_log: RwSignal::new(false),
            list: RwSignal::new(false),
            full: RwSignal::new(false),
            menu: RwSignal::new(None),
            candles: RwSignal::new(None),
            again: RwSignal::new(0),
            behind: RwSignal::new(false),
            imports: StoredValue::new(Map::new()),
            catches: StoredValue::new((0, 0)),
            question: StoredValue::new(0),
            on_chart: StoredValue::new(Vec::new()),
            waiting: StoredValue::new(Vec::new()),
            edits: Edits::new(channel),
        };
        shared.put(page.parts);
        shared
    }

    /// Returns whether the page is still open.
    pub(super) fn is_there(self) -> bool {
        self.question.try_get_value().is_some()
    }

    /// Follows the board from now on.
    pub(super) fn follow(self) {
        let channel = self.channel;
        effect(move || channel.watch(BOARD, move |news| self.apply(news)));
        effect(move || {
            if is_away(channel) {
                self.behind.set(true);
            }
        });
        on_cleanup(move || channel.unwatch());
    }

    fn apply(self, news: BoardNews) {
        let (Some(drawings), Some(prices), Some(alerts)) = (
            self.drawings.try_get_value(),
            self.prices.try_get_value(),
            self.alerts.try_get_value(),
        ) else {
            return;
        };
        if news.whole {
            let is_new = |kind: &str, name: &str| {
                let key = format!("{kind}/{name}");
                news.put.iter().any(|part| part.key == key)
            };
            for name in untrack(|| drawings.names()) {
                // The board has none of those that this person alone sees.
                if !is_new("drawing", &name) && !is_private(&drawings, &name) {
                    drawings.remove(&name);
                }
            }
            for name in untrack(|| prices.names()) {
                if !is_new("price", &name) {
                    prices.remove(&name);
                }
            }
            for name in untrack(|| alerts.names()) {
                if !is_new("alert", &name) {
                    alerts.remove(&name);
                }
            }
            // A server that has started again counts from the beginning.
            self.imports
                .update_value(|imports| imports.retain(|name, _| is_new("candles", name)));
        }
        for key in &news.gone {
            match key.split_once('/') {
                Some(("drawing", name)) => drawings.remove(name),
                Some(("alert", name)) => alerts.remove(name),
                _ => {}
            }
        }
        let has_more = self.put(news.put);
        // The first news of a new connection are whole.
        if has_more || (news.whole && self.behind.get_untracked()) {
            leptos::task::spawn_local(self.catch_up());
        }
    }

    /// Takes over parts. Returns whether candles on the chart were imported.
    fn put(self, parts: Vec<BoardPart>) -> bool {
        let mut has_more = false;
        for part in &parts {
            learned(part);
        }
        for BoardPart { key, value } in parts {
            match key.split_once('/') {
                Some(("drawing", name)) => self.put_drawing(name, value),
                Some(("price", name)) => {
                    self.prices.with_value(|prices| prices.put(name, value));
                }
                Some(("alert", name)) => {
                    self.alerts.with_value(|alerts| alerts.put(name, value));
                }
                Some(("own", _)) => self.own.update(|count| *count += 1),
                Some(("candles", name)) => {
                    let now = Some(value.clone());
                    let count =
                        |counts: &mut Map<String, Value>| counts.insert(name.to_owned(), value);
                    let before = self.imports.try_update_value(count).flatten();
                    has_more |= before != now && self.shows(name);
                }
                // Parts of a newer server are ignored.
                _ => {}
            }
        }
        has_more
    }

    /// Returns whether the chart has candles of a symbol: the first one or the second.
    fn shows(self, name: &str) -> bool {
        let second = self.comparison.chosen.get_untracked();
        let mut shown = std::iter::once(self.at.read_untracked().symbol).chain(second);
        shown.any(|symbol| symbol.name() == name)
    }

    fn put_drawing(self, name: &str, value: Value) {
        let drawings = self.drawings.get_value();
        drawings.put(name, value);
    }

    pub(super) fn drawings(self) -> BoardParts<Drawing> {
        self.drawings.get_value()
    }

    pub(super) fn symbols(self) -> Vec<Symbol> {
        self.symbols.get_value()
    }

    /// Returns a price as the board told it last.
    pub(super) fn told_price(self, symbol: Symbol) -> Option<PricePart> {
        let prices = self.prices.try_get_value()?;
        Some(prices.get(symbol.name())?.get())
    }

    /// Returns a price as it is known now.
    pub(super) fn price(self, symbol: Symbol) -> Option<PricePart> {
        Some(match self.told_price(symbol)? {
            PricePart::Known(price) if self.behind.get() => self.outdated(price),
            part => part,
        })
    }

    /// Returns a price as a page says it: none in a replay, whose bar is of another time.
    pub(super) fn shown_price(self, symbol: Symbol) -> Option<PricePart> {
        match self.replay.reached() {
            Some(_) => None,
            None => self.price(symbol),
        }
    }

    fn outdated(self, price: Quoted) -> PricePart {
        let now = self.channel.clock.second();
        // A simulated market has a time of its own: of that nothing tells the age.
        let now = now.filter(|_| !price.simulated);
        let age = now.zip(time::seconds(&price.at));
        let last = age.map(|(now, at)| LastPrice {
            bid: price.bid,
            ask: price.ask,
            at: price.at,
            age_s: now.0 / 1_000 - at,
        });
        PricePart::Unknown {
            symbol: price.symbol,
            unknown: texts::NO_CONNECTION.to_owned(),
            last,
        }
    }

    pub(super) fn alerts(self) -> BoardParts<AlertLine> {
        self.alerts.get_value()
    }

    /// Returns a drawing as the board has it.
    pub(super) fn drawing(self, id: &str) -> Option<Drawing> {
        let drawings = self.drawings.try_get_value()?;
        Some(drawings.get(id)?.get())
    }

    pub(super) fn market(self) -> Market {
        self.at.read().market()
    }

    /// Returns the symbol's drawings that pass the filters and that a replay has reached, newest
    /// first.
    pub(super) fn listed(self) -> Vec<Drawing> {
        self.listed_and_later().0
    }

    /// Returns the same, and the number of those that a replay has not reached.
    pub(super) fn listed_and_later(self) -> (Vec<Drawing>, usize) {
        let symbol = self.at.read().symbol;
        let (no_models, no_peoples) = (self.hides_models.get(), self.hides_peoples.get());
        let (mut found, mut later) = (Vec::<Drawing>::new(), 0);
        for (_, drawing) in self.drawings.get_value().all() {
            let filtered = if drawing.is_models() {
                no_models
            } else {
                no_peoples
            };
            let is_listed = drawing.symbol() == symbol && !drawing.is_removed() && !filtered;
            if is_listed && self.is_future(&drawing) {
                later += 1;
            } else if is_listed {
                let is_newer =
                    |it: &Drawing| (it.created(), it.id()) > (drawing.created(), drawing.id());
                let at = found.partition_point(is_newer);
                found.insert(at, drawing);
            }
        }
        (found, later)
    }

    /// Updates the drawings in the chart.
    pub(super) fn draw(self) {
        let wanted = self.listed();
        let barred = self.channel.bars().is_some();
        if *self.state.read() != State::Shown {
            return;
        }
        let Some(chart) = glue::chart() else {
            return;
        };
        let mut before = self
            .on_chart
            .try_update_value(std::mem::take)
            .unwrap_or_default();
        let mut now = Vec::new();
        for drawing in wanted {
            let (id, record) = (drawing.id().to_owned(), drawing.chart_json(barred));
            let known = before.iter().position(|(known, _)| *known == id);
            let known = known.map(|at| before.swap_remove(at).1);
            if known.as_ref() != Some(&record)
                && let Err(error) = chart.put_drawing(&record)
            {
                leptos::logging::warn!("a drawing cannot be shown: {error}");
            }
            now.push((id, record));
        }
        for (id, _) in before {
            report(chart.remove_drawing(&id));
        }
        self.on_chart.set_value(now);
        // Only a drawing in the chart can be selected.
        report(chart.select(self.selected.get().as_deref().unwrap_or_default()));
    }

    /// Records that the chart shows other candles, and has no drawings now.
    pub(super) fn forget_drawn(self) {
        self.on_chart.set_value(Vec::new());
    }

    /// Restores a drawing to the server's state.
    pub(super) fn put_back(self, id: &str) {
        self.on_chart
            .try_update_value(|on| on.retain(|(known, _)| known != id));
        if self.is_there() {
            untrack(|| self.draw());
        }
    }

    /// Waits until the chart is shown.
    ///
    /// # Errors
    /// It cannot be shown, or the page was left.
    pub(super) async fn until_shown(self) -> Result<(), String> {
        let now = self.state.try_get_untracked();
        match now {
            None => return Err(texts::stage::USER_LEFT.to_owned()),
            Some(State::Shown) => return Ok(()),
            Some(State::Empty) => return Err(texts::stage::NO_CANDLES.to_owned()),
            Some(State::Failed(error)) => return Err(error.message),
            Some(State::Loading) => {}
        }
        let (tell, told) = oneshot::channel();
        self.waiting.try_update_value(|waiting| waiting.push(tell));
        told.await
            .unwrap_or_else(|_| Err(texts::stage::USER_LEFT.to_owned()))
    }

    /// Sets the final state: the chart is shown, or cannot be.
    pub(super) fn settle(self, state: State) {
        let result = match &state {
            State::Failed(error) => Err(error.message.clone()),
            State::Empty => Err(texts::stage::NO_CANDLES.to_owned()),
            State::Shown | State::Loading => Ok(()),
        };
        self.state.set(state);
        let waiting = self.waiting.try_update_value(std::mem::take);
        for tell in waiting.unwrap_or_default() {
            // The waiting task may have gone.
            let _gone = tell.send(result.clone());
        }
    }

    /// Updates the newest candles in the chart to the price.
    pub(super) fn tick(self) {
        let Market { symbol, timeframe } = self.market();
        let price = self.price(symbol);
        let is_empty = match *self.state.read() {
            State::Shown => false,
            State::Empty => true,
            _ => return,
        };
        let Some(PricePart::Known(price)) = price else {
            return;
        };
        if is_empty {
            // The server has the first candle then.
            if !candles::take_in(&mut Vec::new(), &price, timeframe).is_empty() {
                self.again.update(|again| *again += 1);
            }
            return;
        }
        let mut changed = Vec::new();
        // Readers see complete candles only: they follow a new one.
        self.candles.maybe_update(|page| {
            let Some(page) = page else {
                return false;
            };
            let count = page.candles.len();
            changed = candles::take_in(&mut page.candles, &price, timeframe);
            page.candles.len() > count
        });
        if let Some(chart) = glue::chart() {
            for candle in &changed {
                report(chart.push_candle(&candles::row(candle)));
            }
        }
    }
}

/// Returns whether this person alone sees one of the drawings.
pub(super) fn is_private(drawings: &BoardParts<Drawing>, id: &str) -> bool {
    let drawing = untrack(|| drawings.get(id));
    drawing.is_some_and(|drawing| drawing.with_untracked(Drawing::is_private))
}

/// Takes over what a part of the board tells of a symbol; none if it tells of something else.
fn learned(part: &BoardPart) -> Option<Symbol> {
    let (kind, name) = part.key.split_once('/')?;
    if kind != "symbol" {
        return None;
    }
    Symbol::learn(Instrument::from_json(part.value.clone())?);
    Symbol::named(name)
}
