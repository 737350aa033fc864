//! Queries of chart pages: their candles, and the drawings that one person alone sees.

use markets_wire::CandlesPage;
use protocol::{ErrorBody, ErrorCode, PageQuery, Timestamp, UserId};
use serde_json::{Map, Value};

use crate::{
    Live, Points, StoreError, Symbol, Time, Timeframe, bars,
    board::{MOST_DRAWINGS, MarketNotices, candle_row, drawing_part},
    context::chart,
    drawing::{
        DrawingReader, DrawingStore,
        trail::{self, BadTrailFilter, TrailQuery},
    },
    ports::stored,
    texts,
    tools::draw::ChartDrawings,
};

/// Latest time accepted: the year 2200.
const END: i64 = 7_258_118_400;
/// Limit on the candles of an answer.
const MOST: usize = 1_000;

/// Answers `candles/COUNT` and `candles/COUNT/BEFORE`, the latter in seconds since 1970.
pub(crate) async fn page(live: &Live, query: &PageQuery) -> Result<Value, ErrorBody> {
    if query.kind != "chart" {
        return Err(nothing("page"));
    }
    let (symbol, frame) = chart(&query.name).ok_or_else(|| nothing("chart"))?;
    let part = query.part.strip_prefix("candles/");
    let part = part.ok_or_else(|| nothing(texts::PART_OF_CHART))?;
    let (count, before) = match part.split_once('/') {
        Some((count, before)) => (count, Some(before)),
        None => (part, None),
    };
    let count: usize = count.parse().map_err(|_| wrong_count())?;
    if !(1..=MOST).contains(&count) {
        return Err(wrong_count());
    }
    let before = before.map(str::parse::<i64>).transpose();
    let before = before.map_err(|_| wrong_time())?;
    if before.is_some_and(|seconds| !(0..END).contains(&seconds)) {
        return Err(wrong_time());
    }
    // One more, to learn whether there are more.
    let live = live.pinned();
    let found = bars(&live, symbol, frame, count + 1, before.map(Time)).await;
    let mut found = found.map_err(failed)?;
    let simulated_from = match stored(frame) {
        Timeframe::H1 => live.simulated(symbol).await.map_err(failed)?,
        _ => None,
    };
    let more = found.len() > count;
    let surplus = found.len().saturating_sub(count);
    found.drain(..surplus);
    let page = CandlesPage {
        symbol,
        timeframe: frame,
        digits: symbol.digits(),
        pip: symbol.number(Points(symbol.pip())),
        source: texts::prices_of_chart(day_of(symbol)),
        synthetic: false,
        simulated_from: simulated_from.map(|simulated| simulated.end().0),
        candles: found.iter().map(|bar| candle_row(symbol, bar)).collect(),
        more,
    };
    serde_json::to_value(page).map_err(|error| failed(StoreError::Damaged(error.to_string())))
}

/// Answers the page `drawings`: by identifier, those that this person alone sees, as the board has
/// everybody's. One that the price has moved lately has the sentence of its notice.
pub(crate) async fn own_drawings(
    charts: &ChartDrawings,
    notices: MarketNotices,
    person: UserId,
    now: Timestamp,
) -> Result<Value, ErrorBody> {
    let mut own = Map::new();
    for symbol in Symbol::all() {
        let all = charts.own(person, symbol).await.map_err(failed)?;
        if all.is_empty() {
            continue;
        }
        let bars = charts.bars(symbol).await.map_err(failed)?;
        for drawing in all.into_iter().rev().take(MOST_DRAWINGS) {
            let (id, notice) = (drawing.id.clone(), notices.of_position(&drawing, now));
            let mut part = drawing_part(drawing, &bars).map_err(failed)?;
            if let (Some(part), Some(notice)) = (part.as_object_mut(), notice) {
                part.insert("notice".to_owned(), notice.text.into());
            }
            own.insert(id, part);
        }
    }
    Ok(Value::Object(own))
}

/// Answers the page `trail`: the newest changes that this person sees, or those before a place, filtered as
/// the query of an address says.
pub(crate) async fn trail(
    drawings: &dyn DrawingStore,
    person: UserId,
    query: &str,
) -> Result<Value, ErrorBody> {
    let refused =
        |error: BadTrailFilter| ErrorBody::new(ErrorCode::ToolInputInvalid, error.to_string());
    let query = TrailQuery::of(query).map_err(refused)?;
    let page = trail::page(drawings, DrawingReader::Person(person), query).await;
    serde_json::to_value(page.map_err(failed)?)
        .map_err(|error| failed(StoreError::Damaged(error.to_string())))
}

/// The local time and the zone in which a symbol's days begin.
fn day_of(symbol: Symbol) -> Option<(String, &'static str)> {
    let hours = symbol.instrument().session.as_ref()?;
    let (hour, minute) = (hours.opens / 60, hours.opens % 60);
    Some((format!("{hour:02}:{minute:02}"), hours.zone.as_str()))
}

pub(crate) fn failed(error: StoreError) -> ErrorBody {
    ErrorBody::new(ErrorCode::StorageFailed, format!("{error}."))
}

fn nothing(what: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, texts::no_such(what))
}

fn wrong_time() -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, texts::NO_TIME_OF_CHART)
}

fn wrong_count() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ToolInputInvalid,
        texts::chart_asks_for_candles(MOST),
    )
}
