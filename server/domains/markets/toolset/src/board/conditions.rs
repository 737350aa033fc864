//! Conditions on the board that are raised as notices: a position that the price has moved along, an
//! alert that has fired or watches nothing any more, and a price that is unknown.

use std::collections::BTreeSet;

use agent::ports::{Condition, Picture, Survey};
use markets_wire::{
    Actor, AlertPart, AlertState, AlertSubject, DrawingPart, PricePart, Shape, Side, State,
};
use protocol::Timestamp;
use serde_json::Value;

use crate::{
    Points, Time,
    drawing::{Drawing, change_words},
    maths::indicators::in_words,
    texts,
};

/// The kinds of notices.
pub const NOTICES: [&str; 3] = [POSITION, PRICES, ALERT];

const POSITION: &str = "position";
const PRICES: &str = "prices";
const ALERT: &str = "alert";

/// Seconds for which a notice says what happened to a position or an alert.
const TOLD: i64 = 24 * 3_600;

/// Conditions that are raised, by the configuration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct MarketNotices {
    /// False: the board is watched only while a page is open.
    pub(crate) are_enabled: bool,
    pub(crate) of_positions: bool,
    pub(crate) of_prices: bool,
    pub(crate) of_alerts: bool,
}

impl MarketNotices {
    /// All kinds but those that are off.
    pub(crate) fn without(off: &[String]) -> Self {
        let is_on = |kind: &str| off.iter().all(|off| off != kind);
        Self {
            are_enabled: true,
            of_positions: is_on(POSITION),
            of_prices: is_on(PRICES),
            of_alerts: is_on(ALERT),
        }
    }

    /// The notice of what the price has done to a position within the last day, if there are such notices.
    pub(crate) fn of_position(self, drawing: &Drawing, now: Timestamp) -> Option<Condition> {
        of_position(drawing, now).filter(|_| self.of_positions)
    }

    pub(super) fn survey(
        self,
        picture: &Picture,
        known: &BTreeSet<String>,
        now: Timestamp,
    ) -> Survey {
        if picture.is_empty() {
            // Not read yet, which neither raises nor resolves anything.
            return Survey {
                unknown: known.clone(),
                ..Survey::default()
            };
        }
        let of_part = |(key, part): (&String, &Value)| match key.split_once('/') {
            Some(("drawing", _)) if self.of_positions => moved(part, now),
            Some(("alert", id)) if self.of_alerts => told(id, part, now),
            Some(("price", symbol)) if self.of_prices => unknown(symbol, part),
            Some(("file", name)) if self.of_prices => unread(name, part),
            _ => None,
        };
        Survey {
            holds: picture.iter().filter_map(of_part).collect(),
            ..Survey::default()
        }
    }
}

/// A position on the board that the price has opened or closed within the last day.
fn moved(part: &Value, now: Timestamp) -> Option<Condition> {
    // Most drawings are no positions.
    part.get("life").filter(|life| life.is_object())?;
    let part = serde_json::from_value::<DrawingPart<Time>>(part.clone()).ok()?;
    of_position(&part.drawing, now)
}

/// A position that the price has opened or closed within the last day.
fn of_position(drawing: &Drawing, now: Timestamp) -> Option<Condition> {
    let (life, symbol) = (drawing.life.as_ref()?, drawing.symbol);
    let change = drawing.changes.iter().rev().find(|change| {
        change.actor == Actor::Price
            && change
                .changes
                .iter()
                .any(|it| change_words::is_state(&it.field))
    })?;
    if now.0.div_euclid(1_000) - change.time.0 > TOLD {
        return None;
    }
    let Shape::Position { side, .. } = drawing.content.shape else {
        return None;
    };
    let position = match side {
        Side::Long => texts::drawings::LONG_POSITION,
        Side::Short => texts::drawings::SHORT_POSITION,
    };
    let position = format!("{position} on {symbol}");
    let show = |price: Points| symbol.show(price);
    let text = match (life.state, life.cause) {
        (State::Open, _) => texts::drawings::notice_of_fill(&position, &show(life.opened?.price)),
        (State::Closed, Some(markets_wire::Cause::Tp)) => {
            texts::drawings::notice_of_target(&position, &show(life.closed?.price))
        }
        (State::Closed, Some(markets_wire::Cause::Sl)) => {
            texts::drawings::notice_of_stop(&position, &show(life.closed?.price))
        }
        _ => return None,
    };
    Some(Condition {
        key: format!("position/{}/{}", drawing.id, life.state),
        kind: POSITION,
        grave: false,
        about: symbol.name().to_owned(),
        text,
        happened: Some(Timestamp(change.time.0 * 1_000)),
    })
}

/// An alert that has fired or lost its drawing within the last day.
fn told(id: &str, part: &Value, now: Timestamp) -> Option<Condition> {
    let part = serde_json::from_value::<AlertPart<Time>>(part.clone()).ok()?;
    let AlertPart {
        alert, condition, ..
    } = part;
    if now.0.div_euclid(1_000) - alert.since.0 > TOLD {
        return None;
    }
    let symbol = alert.symbol;
    let mut text = match (alert.state, &alert.last) {
        (AlertState::Lost, _) => texts::alerts::notice_of_loss(&symbol, &condition),
        (AlertState::Fired | AlertState::Waiting, Some(last)) => {
            let show = |number: f64| match &alert.subject {
                AlertSubject::Indicator { .. } => number.to_string(),
                _ => symbol.show(symbol.round(number)),
            };
            let watched = match alert.subject {
                AlertSubject::Indicator {
                    indicator,
                    period,
                    timeframe,
                    ..
                } => in_words(indicator, period, timeframe),
                AlertSubject::Drawing { .. } => texts::alerts::line_of(&condition, alert.crossing),
                AlertSubject::Price { .. } => String::new(),
            };
            let happened =
                texts::alerts::has_crossed(&alert.subject, &watched, &show(last.level), last.way);
            let text =
                texts::alerts::notice_of_firing(&symbol, &happened, &show(last.value), &last.time);
            let gap = if last.after_gap {
                texts::alerts::AFTER_GAP
            } else {
                ""
            };
            format!("{text}{gap}")
        }
        _ => return None,
    };
    if !alert.note.is_empty() {
        text.push_str(&texts::alerts::with_note(&alert.note));
    }
    Some(Condition {
        // Each firing is told once, and a repetition of this look is the same one.
        key: format!("alert/{id}/{}{}", alert.state, alert.fired),
        kind: ALERT,
        grave: false,
        about: symbol.name().to_owned(),
        text,
        happened: Some(Timestamp(alert.since.0 * 1_000)),
    })
}

/// A price of which nobody knows where it is.
fn unknown(symbol: &str, part: &Value) -> Option<Condition> {
    let part: PricePart<Time> = serde_json::from_value(part.clone()).ok()?;
    let PricePart::Unknown { unknown, .. } = part else {
        return None;
    };
    if [texts::MARKET_IS_CLOSED, texts::NO_SOURCE_OF_PRICES]
        .iter()
        .any(|harmless| unknown.starts_with(harmless))
    {
        return None;
    }
    Some(Condition {
        key: format!("price/{symbol}/unknown"),
        kind: PRICES,
        grave: true,
        about: symbol.to_owned(),
        text: texts::price_is_unknown(symbol, &unknown),
        happened: None,
    })
}

/// A file of candles that is not read.
fn unread(file: &str, part: &Value) -> Option<Condition> {
    let why = part.get("problem")?.as_str()?;
    Some(Condition {
        key: format!("file/{file}/unread"),
        kind: PRICES,
        grave: true,
        about: file.to_owned(),
        text: texts::candle_file_has_problem(file, why),
        happened: None,
    })
}
