//! Alerts: their list, their states, and the form that sets one.

use markets_wire::{AlertState, Crossing, DrawingLevel, Indicator};

pub(crate) const ALERTS: &str = "Alerts";

pub(crate) fn counted(waiting: usize) -> String {
    match waiting {
        0 => "None waits.".to_owned(),
        1 => "1 waits".to_owned(),
        count => format!("{count} wait"),
    }
}

pub(crate) fn state(state: AlertState) -> &'static str {
    match state {
        AlertState::Waiting => "waiting",
        AlertState::Fired => "fired",
        AlertState::Withdrawn => "withdrawn",
        AlertState::Lost => "its drawing was removed",
    }
}

/// Of an alert that waits again after it has fired.
pub(crate) fn repeats(fired: u64) -> String {
    match fired {
        0 => "repeats".to_owned(),
        1 => "repeats, fired once".to_owned(),
        count => format!("repeats, fired {count} times"),
    }
}

pub(crate) fn fired_at(value: &str, time: &str) -> String {
    format!("fired at {value}, {time}")
}

pub(crate) const AFTER_GAP: &str = "crossed while no value was known";

pub(crate) fn cannot_be_judged(why: &str) -> String {
    format!("Not judged now: {why}.")
}

pub(crate) const WITHDRAW: &str = "Withdraw";

/// Follows the name of the button, for readers who do not see the line.
pub(crate) fn the_alert(condition: &str) -> String {
    format!("the alert: {condition}")
}

pub(crate) const SET_ALERT: &str = "Set an alert";

pub(crate) const PRICE: &str = "Price";

/// Of the field for the level.
pub(crate) fn level_of(has_indicator: bool) -> &'static str {
    if has_indicator { "Level" } else { PRICE }
}

pub(crate) fn lacks_level(has_indicator: bool) -> &'static str {
    if has_indicator {
        "Give the level of the indicator."
    } else {
        "Give a price, or select a line on the chart."
    }
}

pub(crate) const WATCHED: &str = "Watch";

/// Each is computed from the candles of the timeframe on the chart.
pub(crate) fn indicator(indicator: Indicator) -> &'static str {
    match indicator {
        Indicator::Rsi => "RSI of the chart",
        Indicator::Sma => "Moving average of the chart",
        Indicator::Ema => "Exponential average of the chart",
        Indicator::BollUpper => "Upper Bollinger band of the chart",
        Indicator::BollLower => "Lower Bollinger band of the chart",
        Indicator::Macd => "MACD of the chart",
        Indicator::MacdSignal => "MACD signal of the chart",
        Indicator::MacdHistogram => "MACD histogram of the chart",
        Indicator::Atr => "ATR of the chart",
        Indicator::Volume => "Volume of the chart",
    }
}

pub(crate) const PERIOD: &str = "Number of candles";

pub(crate) const USUAL_PERIOD: &str = "The usual number";

/// The selected line, in place of a price.
pub(crate) fn at_line(title: &str) -> String {
    format!("At “{title}” instead")
}

pub(crate) const AT_LEVEL: &str = "At its";

pub(crate) fn part(part: DrawingLevel) -> &'static str {
    match part {
        DrawingLevel::Top => "top edge",
        DrawingLevel::Bottom => "bottom edge",
        DrawingLevel::Entry => "entry",
        DrawingLevel::Stop => "stop",
        DrawingLevel::Target => "target",
    }
}

/// Of a level of a Fibonacci, as the chart names it.
pub(crate) fn ratio(ratio: f64) -> String {
    format!("{} %", (ratio * 1_000.0).round() / 10.0)
}

/// Of the field for the direction.
pub(crate) fn way_of(has_indicator: bool) -> &'static str {
    if has_indicator {
        "When its value"
    } else {
        "When the price"
    }
}

pub(crate) fn direction(way: Crossing) -> &'static str {
    match way {
        Crossing::Up => "goes above",
        Crossing::Down => "goes below",
        Crossing::Either => "crosses either way",
    }
}

pub(crate) const NOTE: &str = "Note";

pub(crate) const REPEAT: &str = "Each time, not once";

pub(crate) const SET: &str = "Set";
