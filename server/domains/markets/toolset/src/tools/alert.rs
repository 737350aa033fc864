//! Alerts: what people and the assistant want to be told, judged on each price.
//!
//! An alert remembers on which side of its level the value was seen last. It fires when a known value
//! is on the other side, so neither a start, nor an unknown price, nor a moved line fires it. Each price
//! that passed between two looks is a value. State and firing are one write from a version to the next,
//! and a notice follows from the record.

mod chart_alerts;
mod indicator;
mod store;
mod trail_rows;
mod value;
mod watch;

use markets_wire as wire;
pub use wire::{AlertState, AlertSubject, Crossing, DrawingLevel, Firing, Indicator, LevelSide};

pub(crate) use self::chart_alerts::{ChartAlerts, WantedAlert};
pub use self::{store::AlertStore, watch::AlertWatcher};
use crate::Time;

/// An alert, with checked times.
pub type Alert = wire::AlertRecord<Time>;

/// Seconds for which an alert that repeats rests after it has fired.
const REST: i64 = 300;

/// A value beside its level, as they are now.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Reading {
    /// The market's time.
    time: Time,
    value: f64,
    level: f64,
    /// Version of the drawing that has the level; the one that the alert knows, if the level has not moved.
    drawing: Option<u64>,
}

impl Reading {
    fn side(&self) -> LevelSide {
        if self.value < self.level {
            LevelSide::Below
        } else if self.value > self.level {
            LevelSide::Above
        } else {
            LevelSide::At
        }
    }
}

/// The way in which a value has reached a level, or passed it.
fn crossed(before: LevelSide, now: LevelSide) -> Option<Crossing> {
    match (before, now) {
        (LevelSide::Below, LevelSide::At | LevelSide::Above) => Some(Crossing::Up),
        (LevelSide::Above, LevelSide::At | LevelSide::Below) => Some(Crossing::Down),
        _ => None,
    }
}

/// The alert after a look at its value; `None` if that changes nothing. `is_gap`: the value before
/// was unknown for a while.
fn after(alert: &Alert, seen: &Reading, is_gap: bool, at: Time) -> Option<Alert> {
    let now = seen.side();
    // A line that was moved past the price has not been crossed.
    let is_moved = alert.drawing_version != seen.drawing;
    let before = alert.side.filter(|_| !is_moved);
    let rests = alert.fired > 0 && at.0 - alert.since.0 < REST;
    let way = before.and_then(|before| crossed(before, now));
    let way =
        way.filter(|way| !rests && (alert.crossing == Crossing::Either || alert.crossing == *way));
    if way.is_none() && alert.side == Some(now) && !is_moved {
        return None;
    }
    let mut next = Alert {
        side: Some(now),
        drawing_version: seen.drawing,
        version: alert.version + 1,
        ..alert.clone()
    };
    if let Some(way) = way {
        next.since = at;
        next.fired += 1;
        next.last = Some(Firing {
            time: seen.time,
            value: seen.value,
            level: seen.level,
            way,
            after_gap: is_gap,
        });
        if !alert.repeats {
            next.state = AlertState::Fired;
        }
    }
    Some(next)
}

/// The alert after looks at its value, oldest first, as one change; `None` if they change nothing. `is_gap`:
/// the value before the first was unknown for a while.
fn after_each(alert: &Alert, seen: &[Reading], is_gap: bool, at: Time) -> Option<Alert> {
    let mut now = alert.clone();
    for (place, reading) in seen.iter().enumerate() {
        if let Some(next) = after(&now, reading, is_gap && place == 0, at) {
            now = Alert {
                version: alert.version,
                ..next
            };
        }
        if now.state != AlertState::Waiting {
            break;
        }
    }
    if now == *alert {
        return None;
    }
    now.version += 1;
    Some(now)
}

/// The alert in a state that it does not leave.
fn ended(alert: &Alert, state: AlertState, at: Time) -> Alert {
    Alert {
        state,
        since: at,
        version: alert.version + 1,
        ..alert.clone()
    }
}

#[cfg(test)]
mod tests;
