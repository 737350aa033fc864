//! Sentences of the markets for people: alerts.

use std::fmt::Display;

use markets_wire::{AlertSubject, Crossing, DrawingLevel, Shape};

use crate::Time;

fn goes(way: Crossing) -> &'static str {
    match way {
        Crossing::Up => "goes above",
        Crossing::Down => "goes below",
        Crossing::Either => "crosses",
    }
}

pub(crate) fn price_goes(way: Crossing, level: &str) -> String {
    format!("the price {} {level}", goes(way))
}

/// The line of a drawing, from the condition of its alert.
pub(crate) fn line_of(condition: &str, way: Crossing) -> String {
    let line = condition.strip_prefix(&price_goes(way, ""));
    line.unwrap_or(THE_DRAWING).to_owned()
}

/// Stands for a line that cannot be read.
pub(crate) const THE_DRAWING: &str = "the drawing";

/// Names of indicators.
pub(crate) mod indicators {
    pub(crate) const RSI: &str = "RSI";
    pub(crate) const SMA: &str = "SMA";
    pub(crate) const EMA: &str = "EMA";
    pub(crate) const BOLL_UPPER: &str = "upper Bollinger band";
    pub(crate) const BOLL_LOWER: &str = "lower Bollinger band";
    pub(crate) const MACD: &str = "MACD (12, 26, 9)";
    pub(crate) const MACD_SIGNAL: &str = "signal of the MACD (12, 26, 9)";
    pub(crate) const MACD_HISTOGRAM: &str = "histogram of the MACD (12, 26, 9)";
    pub(crate) const ATR: &str = "ATR";
    pub(crate) const VOLUME: &str = "volume";
}

/// Without a number of candles where there is none to choose.
pub(crate) fn indicator_of(name: &str, period: Option<u32>, timeframe: &impl Display) -> String {
    match period {
        Some(period) => format!("the {name} of {period} {timeframe} candles"),
        None => format!("the {name} of {timeframe} candles"),
    }
}

pub(crate) fn value_goes(of: &str, way: Crossing, level: &str) -> String {
    format!("{of} {} {level}", goes(way))
}

pub(crate) fn candles_are_missing(timeframe: &impl Display, newest: Option<Time>) -> String {
    match newest {
        Some(newest) => {
            format!("the newest {timeframe} candles are missing: the last one opened at {newest}")
        }
        None => format!("there are no {timeframe} candles"),
    }
}

pub(crate) fn too_few_candles(count: usize, timeframe: &impl Display) -> String {
    format!("it cannot be computed from the {count} {timeframe} candles that there are")
}

pub(crate) const ONE_PERSON_SEES_IT: &str =
    "one person alone sees it, and alerts are for everybody";

/// Of a drawing from whose levels one is chosen, that is a level itself, or that has none.
pub(crate) fn has_no_such_level(shape: &Shape<Time>) -> String {
    match shape {
        Shape::Circle { .. } | Shape::Marker { .. } => {
            "a circle or a marker has no level that a price could cross".to_owned()
        }
        Shape::Fibonacci { levels, .. } => {
            let levels: Vec<String> = levels.iter().map(f64::to_string).collect();
            let levels = levels.join(", ");
            format!("its ratio is one of {levels}, and it has no part")
        }
        Shape::Rectangle { .. } | Shape::Position { .. } => {
            let levels = DrawingLevel::of(shape).iter();
            let names: Vec<&str> = levels.map(|level| level.name()).collect();
            let names = names.join(", ");
            format!("its part is one of {names}, and it has no ratio")
        }
        _ => "it is one line, which has neither part nor ratio".to_owned(),
    }
}

/// The level of a Fibonacci, such as `61.8 % level`.
fn ratio_level(ratio: f64) -> String {
    format!("{} % level", (ratio * 1_000.0).round() / 10.0)
}

/// The level of a drawing, or the line itself.
pub(crate) fn level_of(part: Option<DrawingLevel>, ratio: Option<f64>, drawing: String) -> String {
    match (part, ratio) {
        (Some(part), _) => format!("the {part} of {drawing}"),
        (None, Some(ratio)) => format!("the {} of {drawing}", ratio_level(ratio)),
        (None, None) => drawing,
    }
}

pub(crate) fn line_is_not_there(at: &impl Display) -> String {
    format!("the line has no price at {at}; extended to the right it has one")
}

pub(crate) const NO_PRICE: &str = "no price is known";

pub(crate) fn line_cannot_be_watched(why: &str) -> String {
    format!("That drawing cannot be watched: {why}.")
}

pub(crate) fn level(error: &impl Display) -> String {
    format!("level: {error}.")
}

pub(crate) fn is_invalid(error: &impl Display) -> String {
    format!("{error}.")
}

pub(crate) const LEVEL_IS_ABOVE_ZERO: &str = "The level of a price is above zero.";

/// Of a value that it cannot have.
pub(crate) fn level_is_between(name: &str, least: f64, most: f64) -> String {
    if most.is_finite() {
        format!("The level of the {name} is between {least} and {most}.")
    } else {
        format!("The level of the {name} is above {least}.")
    }
}

pub(crate) fn has_no_period(name: &str) -> String {
    format!("period: the {name} has no number of candles to choose. Leave it out.")
}

pub(crate) const GIVE_ONE_SUBJECT: &str = "Give a level, a drawing, or an indicator with its level and timeframe; \
     period and timeframe only with an indicator, part and ratio only with a drawing.";

pub(crate) fn period_is_out_of_range(least: u32, most: u32) -> String {
    format!("period: it is between {least} and {most}.")
}

pub(crate) fn there_are_too_many(most: usize) -> String {
    format!("{most} alerts are waiting already: withdraw one first.")
}

pub(crate) fn is_set_already(condition: &str) -> String {
    format!("The very same alert is waiting already: {condition}.")
}

pub(crate) fn no_such_alert(id: &str) -> String {
    format!("There is no alert {id:?}.")
}

pub(crate) fn waits_no_more(condition: &str, state: &impl Display) -> String {
    format!("The alert for when {condition} waits no more: it is {state}.")
}

pub(crate) const HAS_JUST_CHANGED: &str = "The alert has just changed: look again.";

pub(crate) fn will_tell(symbol: &impl Display, condition: &str) -> String {
    format!("Tell when {condition} on {symbol}.")
}

pub(crate) fn will_withdraw(symbol: &impl Display, condition: &str) -> String {
    format!("Withdraw the alert on {symbol}: {condition}.")
}

pub(crate) fn set(symbol: &impl Display, condition: &str) -> String {
    format!("Alert set on {symbol}: {condition}")
}

pub(crate) fn withdrawn(symbol: &impl Display, condition: &str) -> String {
    format!("Alert withdrawn on {symbol}: {condition}")
}

pub(crate) fn listed(waiting: usize, all: usize) -> String {
    format!("{waiting} alerts wait, {} are over", all - waiting)
}

/// All of them, as the target of a call.
pub(crate) const ALERTS: &str = "alerts";

/// The name of one, by what it watches.
pub(crate) fn alert_on(symbol: &impl Display, condition: &str) -> String {
    format!("alert on {symbol}: {condition}")
}

/// The name of one that was not read since the start.
pub(crate) fn alert_of(id: &str) -> String {
    format!("alert {id}")
}

/// Condition of an alert, as it has happened. `watched` is the line or the indicator of one that watches such.
pub(crate) fn has_crossed(
    subject: &AlertSubject,
    watched: &str,
    level: &str,
    way: Crossing,
) -> String {
    let has = match way {
        Crossing::Down => "has fallen to",
        _ => "has risen to",
    };
    match subject {
        AlertSubject::Price { .. } => format!("the price {has} {level}"),
        // A line at a price is named by it.
        AlertSubject::Drawing { .. } if watched.ends_with(level) => {
            format!("the price {has} {watched}")
        }
        AlertSubject::Drawing { .. } => {
            format!("the price {has} {watched}, which was at {level}")
        }
        AlertSubject::Indicator { .. } => format!("{watched} {has} {level}"),
    }
}

pub(crate) fn notice_of_firing(
    symbol: &impl Display,
    happened: &str,
    value: &str,
    at: &impl Display,
) -> String {
    format!("Alert on {symbol}: {happened}. It was at {value} at {at}.")
}

/// Follows the notice of a firing.
pub(crate) const AFTER_GAP: &str =
    " The exact time of the crossing is unknown, because no value was known before.";

/// Follows a notice.
pub(crate) fn with_note(note: &str) -> String {
    format!(" Note: {note}")
}

pub(crate) fn notice_of_loss(symbol: &impl Display, condition: &str) -> String {
    format!(
        "The alert on {symbol} for when {condition} watches nothing now: its drawing was removed."
    )
}

/// Reasons in the trail.
pub(crate) mod trail {
    /// A thing that happened, with the alert that it happened to.
    pub(crate) fn of(happened: &str, condition: &str) -> String {
        format!("{happened}: {condition}")
    }

    pub(crate) fn set(note: &str) -> String {
        if note.is_empty() {
            "set".to_owned()
        } else {
            format!("set: {note}")
        }
    }

    pub(crate) fn fired(after_gap: bool) -> &'static str {
        if after_gap {
            "fired, after a time in which the value was unknown"
        } else {
            "fired"
        }
    }

    pub(crate) const WITHDRAWN: &str = "withdrawn";

    pub(crate) const LOST: &str = "the drawing that it watched was removed";
}
