//! Positions that follow the price: a pending one is opened at its entry, an open one is closed at
//! its stop or target.
//!
//! A round looks at the hours that have ended since the last one, then at the price now. What it
//! finds is in the record before anybody is told, and a record changes from one version to the
//! next, so a restart repeats nothing. A price that is unknown or old moves nothing.

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
        life::{Cause, Event, by_bar},
        outcome::Lines,
    },
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
    ticks: HashMap<Symbol, LastTick>,
    /// By position, the end of the last hour that was looked at.
    hours: HashMap<String, Time>,
    /// The positions that the price can move, with the number of the write before they were read.
    active: Option<(u64, Arc<Vec<Drawing>>)>,
}

#[derive(Debug, Clone, Copy)]
struct LastTick {
    time: Time,
    ask: Points,
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
                Ok(Some(quote)) => quote,
                // An unknown price moves nothing.
                Ok(None) | Err(StoreError::Source(_)) => continue,
                Err(error) => return Err(error),
            };
            let now = LastTick {
                time: quote.time,
                ask: quote.ask,
            };
            let before = self.seen().ticks.insert(symbol, now);
            for drawing in positions {
                changes += self.follow(drawing, &quote, before).await?;
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
        seen.hours
            .retain(|id, _| active.iter().any(|drawing| drawing.id == *id));
        seen.active = Some((written, Arc::clone(&active)));
        Ok(active)
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, SeenPrices> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn follow(
        &self,
        mut drawing: Drawing,
        quote: &Quote,
        before: Option<LastTick>,
    ) -> Result<usize, StoreError> {
        for done in 0..EVENTS {
            let (Some(life), Some(lines)) = (drawing.life.clone(), lines(&drawing)) else {
                return Ok(done);
            };
            if !is_active(&life) {
                return Ok(done);
            }
            let Some((event, market)) = self.event(&drawing, &life, &lines, quote, before).await?
            else {
                return Ok(done);
            };
            match self.write(&drawing, event, market).await? {
                Some(next) => drawing = next,
                // Somebody else has changed it: the next round looks at that.
                None => return Ok(done),
            }
        }
        Ok(EVENTS)
    }

    /// The next event of a position, with the market's time of it.
    async fn event(
        &self,
        drawing: &Drawing,
        life: &Life<Time>,
        lines: &Lines,
        quote: &Quote,
        before: Option<LastTick>,
    ) -> Result<Option<(Event, Time)>, StoreError> {
        let hour = Timeframe::H1.seconds();
        // Records of earlier releases may be in another clock, which is ahead of the market's.
        let since = life.planned.unwrap_or(life.since).max(life.since);
        let since = since.min(quote.time);
        let looked = self.seen().hours.get(&drawing.id).copied();
        let from = since.max(looked.unwrap_or(since));
        // Of the hour in which the state began, it is unknown what was before that.
        let first = Time((from.0 + hour - 1).div_euclid(hour) * hour);
        let forming = Time(quote.time.0.div_euclid(hour) * hour);
        if first < forming {
            let symbol = drawing.symbol;
            // Those out of a source's prices were judged with the prices, whose spread is the real one.
            let hours = self
                .live
                .given(symbol, Timeframe::H1, first, forming)
                .await?;
            for bar in &hours {
                let end = bar.time.plus(hour);
                if let Some(event) = by_bar(life, lines, bar, spread(drawing.symbol)) {
                    self.seen().hours.insert(drawing.id.clone(), end);
                    return Ok(Some((event, end)));
                }
            }
            self.seen().hours.insert(drawing.id.clone(), forming);
        }
        // What the price went through since the last round, if the state was the same then.
        let from = before.filter(|tick| tick.time >= since && tick.time <= quote.time);
        let from = from.map_or(quote.ask, |tick| tick.ask);
        let bar = Candle {
            time: quote.time,
            // The first price that was seen beyond a level is the one that counts.
            open: quote.ask,
            high: quote.ask.max(from),
            low: quote.ask.min(from),
            close: quote.ask,
            volume: 0,
        };
        let event = by_bar(life, lines, &bar, quote.ask - quote.bid);
        Ok(event.map(|event| (event, quote.time)))
    }

    async fn write(
        &self,
        drawing: &Drawing,
        event: Event,
        market: Time,
    ) -> Result<Option<Drawing>, StoreError> {
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
        let next = match happens(drawing, event, &by, at, market) {
            Ok(next) => next,
            Err(refusal) => {
                tracing::warn!(drawing = drawing.id, %refusal, "position not moved along");
                return Ok(None);
            }
        };
        match self.charts.replace(&next).await {
            Ok(()) => Ok(Some(next)),
            Err(ToolProblem::Store(error)) => Err(error),
            Err(_conflict) => Ok(None),
        }
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
