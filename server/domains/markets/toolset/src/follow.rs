//! Positions that follow the price: a pending one is opened at its entry, an open one is closed at
//! its stop or target.
//!
//! A round looks at the hours that have ended since the last one, then at each price that has passed
//! since, in their order. What it finds is in the record before anybody is told, and a record changes
//! from one version to the next, so a restart repeats nothing. A price that is unknown or old moves
//! nothing.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use agent::ports::Env;
use markets_wire::{Life, State};

use crate::{
    Candle, Live, Points, StoreError, Symbol, Time, Timeframe,
    drawing::{Actor, Drawing, Shape, Update, happens},
    maths::{
        life::{Cause, Event, by_bar, by_bars},
        outcome::Lines,
    },
    passed_prices::{PassedPrice, PriceMark},
    simulate::{Quote, spread},
    texts,
    tools::{ToolProblem, draw::ChartDrawings},
};

/// Interval between rounds.
const PACE: Duration = Duration::from_secs(1);
/// The most events of a position in a round: it is filled and closed.
const EVENTS: usize = 2;

/// Moves positions along with the price. Clones share what was seen so far.
#[derive(Clone)]
pub struct PositionFollower {
    live: Live,
    charts: ChartDrawings,
    env: Arc<dyn Env>,
    seen: Arc<Mutex<SeenPrices>>,
}

/// What earlier rounds have seen. Nothing depends on it after a restart.
#[derive(Default)]
struct SeenPrices {
    /// The price of the last round.
    ticks: HashMap<Symbol, PassedPrice>,
    /// By position, the last price that it was judged on.
    marks: HashMap<String, PriceMark>,
    /// By position, the end of the last hour that was looked at.
    hours: HashMap<String, Time>,
    /// The positions that the price can move, with the number of the write before they were read.
    active: Option<(u64, Arc<Vec<Drawing>>)>,
}

/// The prices that a position is judged on.
struct UnjudgedPrices {
    /// The one before them.
    before: Option<PassedPrice>,
    /// At least one, oldest first.
    prices: Vec<PassedPrice>,
    /// The market's time now, if the price is known.
    now: Option<Time>,
}

/// An event of a position.
struct PositionEvent {
    event: Event,
    /// The market's time.
    market: Time,
    /// Place of the price that caused it; none if an hour did.
    place: Option<usize>,
}

impl PositionFollower {
    pub(crate) fn new(live: Live, charts: ChartDrawings, env: Arc<dyn Env>) -> Self {
        Self {
            live,
            charts,
            env,
            seen: Arc::default(),
        }
    }

    /// Follows until `stop` is ready.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let follows = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "positions not followed, trying again");
                }
                tokio::time::sleep(PACE).await;
            }
        };
        tokio::select! {
            biased;
            () = stop => {}
            () = follows => {}
        }
    }

    /// Looks once at all symbols. Returns the number of changes.
    ///
    /// # Errors
    /// The store fails.
    pub async fn round(&self) -> Result<usize, StoreError> {
        let active = self.active().await?;
        let mut changes = 0;
        for symbol in Symbol::all() {
            let mut positions = Vec::new();
            for drawing in active.iter() {
                if drawing.symbol == symbol {
                    positions.push(drawing.clone());
                }
            }
            if positions.is_empty() {
                continue;
            }
            let quote = match self.live.quote(symbol).await {
                Ok(quote) => quote,
                // An unknown price moves nothing; those that were known before it do.
                Err(StoreError::Source(_)) => None,
                Err(error) => return Err(error),
            };
            let before = match &quote {
                Some(now) => self.seen().ticks.insert(symbol, now.into()),
                None => self.seen().ticks.get(&symbol).copied(),
            };
            for drawing in positions {
                changes += self.follow(drawing, quote.as_ref(), before).await?;
            }
        }
        Ok(changes)
    }

    /// The positions that the price can move, read again after each write.
    async fn active(&self) -> Result<Arc<Vec<Drawing>>, StoreError> {
        // Noted before the read, so that a write meanwhile triggers another one.
        let written = *self.charts.written().borrow();
        if let Some((at, active)) = self.seen().active.clone()
            && at == written
        {
            return Ok(active);
        }
        let mut active = Vec::new();
        for symbol in Symbol::all() {
            active.extend(self.charts.of_all_owners(symbol).await?);
        }
        active.retain(|drawing| drawing.life.as_ref().is_some_and(is_active));
        let active = Arc::new(active);
        let mut seen = self.seen();
        let is_active = |id: &String| active.iter().any(|drawing| drawing.id == *id);
        seen.hours.retain(|id, _| is_active(id));
        seen.marks.retain(|id, _| is_active(id));
        seen.active = Some((written, Arc::clone(&active)));
        Ok(active)
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, SeenPrices> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn follow(
        &self,
        mut drawing: Drawing,
        quote: Option<&Quote>,
        before: Option<PassedPrice>,
    ) -> Result<usize, StoreError> {
        let id = drawing.id.clone();
        // Of a new one, all that are kept: those from before its state do not reach it.
        let judged = self.seen().marks.get(&id).copied().unwrap_or_default();
        let (prices, mark) = self.live.passed_since(drawing.symbol, judged, quote);
        if prices.is_empty() {
            return Ok(0);
        }
        let mut unjudged = UnjudgedPrices {
            before,
            prices,
            now: quote.map(|quote| quote.time),
        };
        let mut changes = 0;
        while changes < EVENTS
            && let Some(found) = self.event(&drawing, &unjudged).await?
            && let Some(next) = self.moved(&drawing, found.event, found.market)
        {
            if let Err(problem) = self.charts.replace(&next).await {
                // The next round reads it again, and judges the same hours and prices.
                self.seen().active = None;
                self.seen().hours.remove(&id);
                return match problem {
                    ToolProblem::Store(error) => Err(error),
                    // Somebody else has changed it.
                    _ => Ok(changes),
                };
            }
            drawing = next;
            changes += 1;
            if let Some(place) = found.place {
                // The price that filled it may be beyond the stop; those before it are over.
                unjudged.prices.drain(..place);
                unjudged.before = None;
            }
        }
        self.seen().marks.insert(id, mark);
        Ok(changes)
    }

    /// The next event of a position.
    async fn event(
        &self,
        drawing: &Drawing,
        unjudged: &UnjudgedPrices,
    ) -> Result<Option<PositionEvent>, StoreError> {
        let (Some(life), Some(lines), Some(newest)) = (
            drawing.life.as_ref().filter(|life| is_active(life)),
            lines(drawing),
            unjudged.prices.last(),
        ) else {
            return Ok(None);
        };
        let hour = Timeframe::H1.seconds();
        let since = life.planned.unwrap_or(life.since).max(life.since);
        // Records of earlier releases may be in another clock, which is ahead of the market's.
        let since = unjudged.now.map_or(since, |now| since.min(now));
        let looked = self.seen().hours.get(&drawing.id).copied();
        let from = since.max(looked.unwrap_or(since));
        // Of the hour in which the state began, it is unknown what was before that.
        let first = Time((from.0 + hour - 1).div_euclid(hour) * hour);
        let forming = Time(newest.time.0.div_euclid(hour) * hour);
        if first < forming {
            let symbol = drawing.symbol;
            // Those out of a source's prices were judged with the prices, whose spread is the real one.
            let hours = self
                .live
                .given(symbol, Timeframe::H1, first, forming)
                .await?;
            for bar in &hours {
                let end = bar.time.plus(hour);
                if let Some(event) = by_bar(life, &lines, bar, spread(drawing.symbol)) {
                    self.seen().hours.insert(drawing.id.clone(), end);
                    return Ok(Some(PositionEvent {
                        event,
                        market: end,
                        place: None,
                    }));
                }
            }
            self.seen().hours.insert(drawing.id.clone(), forming);
        }
        let mut last = unjudged.before;
        for (place, price) in unjudged.prices.iter().enumerate() {
            let before = last.replace(*price);
            if price.time < since {
                continue;
            }
            // From the price before it, if the state was the same then.
            let before = before.filter(|it| it.time >= since && it.time <= price.time);
            let before = before.unwrap_or(*price);
            let ask = step(price.time, before.ask, price.ask);
            let bid = step(price.time, before.bid, price.bid);
            if let Some(event) = by_bars(life, &lines, &ask, &bid) {
                return Ok(Some(PositionEvent {
                    event,
                    market: price.time,
                    place: Some(place),
                }));
            }
        }
        Ok(None)
    }

    /// The position after an event, if that is possible.
    fn moved(&self, drawing: &Drawing, event: Event, market: Time) -> Option<Drawing> {
        let by = Update {
            patch: serde_json::Value::Null,
            reason: reason(drawing.symbol, event),
            expected_version: drawing.version,
            actor: Actor::Price,
            person: None,
            call: None,
            conversation: None,
            message: None,
            group: None,
        };
        let at = Time(self.env.now().0.div_euclid(1_000));
        match happens(drawing, event, &by, at, market) {
            Ok(next) => Some(next),
            Err(refusal) => {
                tracing::warn!(drawing = drawing.id, %refusal, "position not moved along");
                None
            }
        }
    }
}

/// One side of the market from a price to the next.
fn step(time: Time, from: Points, to: Points) -> Candle {
    Candle {
        time,
        // The first price that was seen beyond a level is the one that counts.
        open: to,
        high: from.max(to),
        low: from.min(to),
        close: to,
        volume: 0,
    }
}

fn is_active(life: &Life<Time>) -> bool {
    matches!(life.state, State::Pending | State::Open)
}

fn lines(drawing: &Drawing) -> Option<Lines> {
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
    let round = |price| drawing.symbol.round(price);
    Some(Lines {
        side,
        entry: round(entry),
        stop: round(stop),
        target: round(target),
    })
}

fn reason(symbol: Symbol, event: Event) -> String {
    match event {
        Event::Fill { price } => texts::drawings::price_reached_entry(&symbol.show(price)),
        Event::Close { cause, price } => match cause {
            Cause::Tp => texts::drawings::price_reached_target(&symbol.show(price)),
            _ => texts::drawings::price_reached_stop(&symbol.show(price)),
        },
        _ => texts::drawings::PRICE_MOVED_IT.to_owned(),
    }
}
