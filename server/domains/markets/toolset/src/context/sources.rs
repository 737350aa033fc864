//! Sources that depend on the market's time.

use serde_json::{Map, Value, json};

use super::{Found, Market, Trouble, drawings::shortened};
use crate::{
    CalendarEvent, Candle, CotReport, Headline, Points, RecordKind, RecordStore, Symbol, Time,
    bars,
    maths::{
        cot::{Group, figures},
        levels::{Swing, last_leg, levels as find_levels, swings},
        numbers::{Figure, rounded},
    },
    price::{contract, currencies},
    simulate::Quote,
    texts, typed,
};

const HOUR: i64 = 3_600;
const DAY: i64 = 86_400;
/// Candles searched for levels.
const SEARCHED: usize = 300;
/// Neighbours on either side that a swing exceeds.
const REACH: usize = 5;
/// Limit on levels.
const LEVELS: usize = 6;
/// Candles in the summary.
const SUMMED: usize = 100;
/// Candles listed individually.
const LAST: usize = 5;
/// Limit on the releases of the next day.
const EVENTS: usize = 20;
const HEADLINES: usize = 10;
/// Limit on characters of a headline, and of the name of a release.
const TEXT: usize = 140;
/// Weeks of the COT index.
const WEEKS: usize = 26;

impl Market<'_> {
    fn now(&self) -> Time {
        self.now
    }

    fn records(&self) -> &dyn RecordStore {
        &*self.sources.records
    }

    async fn candles(&self, count: usize) -> Result<Vec<Candle>, Trouble> {
        let (symbol, frame) = (self.symbol, self.frame);
        let candles = bars(&self.sources.live, symbol, frame, count, None).await?;
        if candles.is_empty() {
            Err(Trouble::None(texts::no_candles_of_frame(&frame, &symbol)))
        } else {
            Ok(candles)
        }
    }

    /// The end of a candle, or the current time if it is still forming.
    fn end(&self, candle: &Candle) -> Time {
        candle.time.plus(self.frame.seconds()).min(self.now())
    }
}

pub(super) fn price(symbol: Symbol, quote: &Quote) -> Found {
    Found {
        as_of: Some(quote.time),
        is_stale: false,
        data: json!({
            "symbol": symbol,
            "digits": symbol.digits(),
            "bid": symbol.number(quote.bid),
            "ask": symbol.number(quote.ask),
            "spread_pips": symbol.pips(quote.ask - quote.bid),
            "simulated": quote.is_simulated(),
            "why": quote.why(),
        }),
    }
}

pub(super) async fn levels(market: &Market<'_>) -> Result<Found, Trouble> {
    let symbol = market.symbol;
    let candles = market.candles(SEARCHED).await?;
    // Without a known price, distances are from the last candle.
    let close = candles.last().map(|last| last.close).unwrap_or_default();
    let price = market.quote.map_or(close, |quote| quote.ask);
    // Swings of one level are about a candle apart, so the width depends on the timeframe.
    let width = mean_range(&candles).max(symbol.pip());
    let found = find_levels(&candles, REACH, Points(width), LEVELS);
    let level = |level: &crate::maths::levels::Level| {
        json!({
            "price": symbol.number(level.price),
            "kind": if level.price < price { "support" } else { "resistance" },
            "swings": level.swings.len(),
            "last": level.swings.last().map(|swing| swing.time),
            "distance_pips": symbol.pips(level.price - price),
        })
    };
    let anchor = |swing: &Swing| format!("{} @ {}", swing.time, symbol.show(swing.price));
    let leg = last_leg(&swings(&candles, REACH));
    let leg = leg.map(|(from, to)| json!({ "from": anchor(&from), "to": anchor(&to) }));
    Ok(Found {
        as_of: candles.last().map(|last| market.end(last)),
        is_stale: false,
        data: json!({
            "timeframe": market.frame,
            "bars": candles.len(),
            "levels": found.iter().map(level).collect::<Vec<_>>(),
            "last_swing": leg,
        }),
    })
}

/// The mean range of candles, in points.
fn mean_range(candles: &[Candle]) -> i64 {
    let sum: i64 = candles.iter().map(|candle| candle.range().0).sum();
    sum / i64::try_from(candles.len()).unwrap_or(i64::MAX).max(1)
}

pub(super) async fn events(market: &Market<'_>) -> Result<Found, Trouble> {
    let now = market.now();
    let mut events: Vec<CalendarEvent> = Vec::new();
    for currency in currencies(market.symbol) {
        let until = now.plus(DAY + 1);
        let kind = RecordKind::Event;
        let rows = market
            .records()
            .between(kind, Some(currency), now, until, EVENTS + 1)
            .await?;
        events.extend(typed::<CalendarEvent>(&rows)?);
    }
    events.sort_by(|a, b| (a.scheduled_at, &a.id).cmp(&(b.scheduled_at, &b.id)));
    let is_cut = events.len() > EVENTS;
    events.truncate(EVENTS);
    // A release to come has no outcome, whatever a file says.
    let row = |event: &CalendarEvent| {
        let mut row = json!({
            "at": event.scheduled_at,
            "currency": event.currency,
            "name": shortened(&event.name, TEXT),
            "impact": event.impact,
            "forecast": event.forecast,
            "previous": event.previous,
            "unit": event.unit,
        });
        if event.synthetic {
            row["synthetic"] = json!(true);
        }
        row
    };
    Ok(Found {
        as_of: Some(now),
        is_stale: false,
        data: json!({
            "events": events.iter().map(row).collect::<Vec<_>>(),
            "incomplete": is_cut,
        }),
    })
}

pub(super) async fn cot(market: &Market<'_>) -> Result<Found, Trouble> {
    let (now, symbol) = (market.now(), market.symbol);
    let contract = contract(symbol);
    // Selected by the time of publication: before it a report is unknown.
    let rows = market
        .records()
        .newest(RecordKind::Report, Some(contract), now, WEEKS + 1)
        .await?;
    let reports: Vec<CotReport> = typed(&rows)?;
    let missing = || Trouble::None(texts::no_report(&symbol, &now));
    let last = reports.last().ok_or_else(missing)?;
    let mut groups = Map::new();
    for group in figures(&reports, &[WEEKS]) {
        let name = match group.group {
            Group::Noncommercial => "noncommercial",
            Group::Commercial => "commercial",
            Group::Nonreportable => "nonreportable",
        };
        let index = group.index.first().map(|index| short(&index.value));
        let figures = json!({
            "net": group.net,
            "change": short(&group.change),
            "percent_of_open_interest": short(&group.percent_of_open_interest),
            "index_26_weeks": index,
        });
        groups.insert(name.to_owned(), figures);
    }
    Ok(Found {
        as_of: Some(last.as_of),
        // One is published every week; a holiday shifts it by a few days.
        is_stale: now.0 - last.published_at.0 > 10 * DAY,
        data: json!({
            "report": texts::CFTC_LEGACY_FUTURES_ONLY,
            "contract": last.code,
            "published_at": last.published_at,
            "groups": groups,
            "index": texts::INDEX_OF_26_REPORTS,
            "synthetic": reports.iter().any(|report| report.synthetic),
        }),
    })
}

/// The figure to one decimal, or the reason that it is unknown.
fn short(figure: &Figure) -> Value {
    match figure {
        Figure::Known(number) => json!(rounded(*number, 1)),
        Figure::Unknown(why) => json!({ "unknown": why }),
    }
}

pub(super) async fn headlines(market: &Market<'_>) -> Result<Found, Trouble> {
    let now = market.now();
    // More than shown, because those about other currencies are dropped.
    let rows = market
        .records()
        .newest(RecordKind::Headline, None, now, HEADLINES * 10)
        .await?;
    let mut all: Vec<Headline> = typed(&rows)?;
    let currencies = currencies(market.symbol);
    all.retain(|one| {
        let mut about = one.currencies.iter();
        one.currencies.is_empty() || about.any(|name| currencies.contains(&name.as_str()))
    });
    all.reverse();
    all.truncate(HEADLINES);
    let newest = all.first().map(|one| one.published_at);
    let row = |one: &Headline| json!([one.published_at, shortened(&one.text, TEXT)]);
    Ok(Found {
        as_of: newest,
        // None for longer than a weekend.
        is_stale: newest.is_none_or(|newest| now.0 - newest.0 > 3 * DAY),
        data: json!({
            "columns": ["published_at", "text"],
            "rows": all.iter().map(row).collect::<Vec<_>>(),
            "synthetic": all.iter().any(|one| one.synthetic),
        }),
    })
}

pub(super) async fn range(market: &Market<'_>) -> Result<Found, Trouble> {
    let (symbol, now) = (market.symbol, market.now());
    let candles = market.candles(SUMMED).await?;
    let missing = || Trouble::None(texts::THERE_ARE_NO_CANDLES.to_owned());
    let (first, last) = candles.first().zip(candles.last()).ok_or_else(missing)?;
    let highest = candles.iter().max_by_key(|candle| candle.high);
    let lowest = candles.iter().min_by_key(|candle| candle.low);
    let at = |candle: Option<&Candle>, price: fn(&Candle) -> Points| {
        candle.map(|candle| format!("{} @ {}", candle.time, symbol.show(price(candle))))
    };
    let newest = candles.iter().skip(candles.len().saturating_sub(LAST));
    let mean = mean_range(&candles);
    let whole = last.time.plus(market.frame.seconds());
    Ok(Found {
        as_of: Some(market.end(last)),
        // Two candles are overdue on an open market.
        is_stale: now.0 - whole.0 > 2 * market.frame.seconds().max(HOUR) + 2 * DAY,
        data: json!({
            "timeframe": market.frame,
            "side": "ask",
            "bars": candles.len(),
            "from": first.time,
            "high": at(highest, |candle| candle.high),
            "low": at(lowest, |candle| candle.low),
            "change_pips": symbol.pips(last.close - first.open),
            "mean_range_pips": symbol.pips(Points(mean)),
            "columns": ["time", "open", "high", "low", "close"],
            "last": newest.map(|candle| row(symbol, candle)).collect::<Vec<_>>(),
            "last_is_running": whole > now,
        }),
    })
}

fn row(symbol: Symbol, candle: &Candle) -> Value {
    let number = |points| symbol.number(points);
    json!([
        candle.time,
        number(candle.open),
        number(candle.high),
        number(candle.low),
        number(candle.close),
    ])
}
