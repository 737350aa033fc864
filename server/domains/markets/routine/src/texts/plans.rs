//! Labels of drawings, and the reasons for them and for what is done to them.

pub(crate) const ASKED_TO_SEE: &str = "The operator asked to see it.";
pub(crate) const ASKED_TO_REMOVE: &str = "The operator asked for its removal.";
pub(crate) const ASKED_FOR_STYLE: &str = "The operator asked for this style.";
pub(crate) const NAMED_PRICE: &str = "The operator named this price.";

pub(crate) fn asked_for_at(time: &str) -> String {
    format!("The operator asked for it at {time}.")
}

pub(crate) const SUPPORT: &str = "Support";
pub(crate) const RESISTANCE: &str = "Resistance";

/// The label of a level, with its price.
pub(crate) fn level_label(title: &str, price: &str) -> String {
    format!("{title} {price}")
}

/// Turns of the price, before the rest of the reason.
pub(crate) fn turned(swings: usize, low: &str, high: &str) -> String {
    match swings {
        1 => "The outermost swing".to_owned(),
        swings => format!("{swings} swings, where the price turned, between {low} and {high}"),
    }
}

/// A level in the candles, and the close that proves it wrong.
pub(crate) struct LevelReason<'a> {
    pub(crate) turned: &'a str,
    pub(crate) candles: usize,
    pub(crate) timeframe: &'a str,
    pub(crate) last: &'a str,
    pub(crate) side: &'a str,
    pub(crate) edge: &'a str,
}

pub(crate) fn level(reason: &LevelReason<'_>) -> String {
    let LevelReason {
        turned,
        candles,
        timeframe,
        last,
        side,
        edge,
    } = *reason;
    format!(
        "{turned} of {candles} {timeframe} candles, the last at {last}; a close {side} {edge} proves \
         it wrong."
    )
}

pub(crate) fn last_swing(way: &str) -> String {
    format!("Last swing {way}")
}

/// Each end: the price, and the time.
pub(crate) struct SwingReason<'a> {
    pub(crate) way: &'a str,
    pub(crate) timeframe: &'a str,
    pub(crate) from: &'a str,
    pub(crate) from_time: &'a str,
    pub(crate) to: &'a str,
    pub(crate) to_time: &'a str,
}

pub(crate) fn swing(reason: &SwingReason<'_>) -> String {
    let SwingReason {
        way,
        timeframe,
        from,
        from_time,
        to,
        to_time,
    } = *reason;
    format!(
        "The last swing {way} of the {timeframe} candles, from {from} at {from_time} to {to} at \
         {to_time}; a close beyond {from} proves it over."
    )
}

pub(crate) const AT_LEVEL: &str = "the level";
pub(crate) const AT_LAST_CLOSE: &str = "the last close";

pub(crate) fn position_label(side: &str, entry: &str) -> String {
    format!("{side} from {entry}")
}

pub(crate) fn position(place: &str, level: &str, stop: &str) -> String {
    format!(
        "An example: entry at {place}, stop beyond the level {level}, target at twice the risk; a \
         price of {stop} proves it wrong."
    )
}

pub(crate) fn high_of_candle(release: &str) -> String {
    format!("The high of the candle of {release}")
}

pub(crate) const HIGHEST_OF_DAY: &str = "The highest of the last day";

pub(crate) fn high(price: &str) -> String {
    format!("High {price}")
}

/// `what`: a label, which the reason begins with.
pub(crate) fn at(what: &str, time: &str) -> String {
    format!("{what}, at {time}.")
}

pub(crate) fn last_two(highs: bool) -> String {
    let what = if highs { "highs" } else { "lows" };
    format!("The last two {what}")
}

pub(crate) const NEAREST_LEVEL: &str = "The nearest level as a target";
pub(crate) const RANGE: &str = "Range";
pub(crate) const SUPPLY: &str = "Supply";
pub(crate) const DEMAND: &str = "Demand";

pub(crate) fn newest(is_high: bool) -> String {
    let side = if is_high { "high" } else { "low" };
    format!("Newest {side}")
}

pub(crate) fn false_break(level: &str) -> String {
    format!("False break of {level}")
}

pub(crate) fn price_at(what: &str, price: &str, time: &str) -> String {
    format!("{what}: {price} at {time}.")
}

/// Each end: the price, and the time.
pub(crate) fn two_prices(what: &str, from: [&str; 2], to: [&str; 2]) -> String {
    let ([from, from_time], [to, to_time]) = (from, to);
    format!("{what}: {from} at {from_time} and {to} at {to_time}.")
}

pub(crate) fn between(title: &str, low: &str, high: &str, from: &str) -> String {
    format!("{title} between {low} and {high}, from {from} on.")
}
