//! Sentences of this panel for people in one place, so that another language is another such
//! module.

pub(crate) mod alerts;
pub(crate) mod axes;
pub(crate) mod comparison;
pub(crate) mod drawings;
pub(crate) mod imports;
pub(crate) mod indicators;
pub(crate) mod replay;
pub(crate) mod stage;
pub(crate) mod talks;
pub(crate) mod trail;

pub(crate) const CHART: &str = "Chart";

pub(crate) const GO_TO_CHART: &str = "Go to the chart";

pub(crate) const OPENING_CHART: &str = "Opening the chart…";

pub(crate) const CHART_CANNOT_BE_SHOWN: &str = "The chart cannot be shown";

pub(crate) fn chart_of(name: &str) -> String {
    format!("Chart {name}")
}

pub(crate) fn drawing_of(id: &str) -> String {
    format!("Drawing {id}")
}

pub(crate) const QUESTIONS: [&str; 4] = [
    "Mark the main support and resistance and the last swing's fibonacci.",
    "What moves the price in the next 24 hours?",
    "How are the large traders positioned?",
    "How have my trades gone?",
];

pub(crate) const SHOW_ON_CHART: &str = "Show it on the chart";

pub(crate) const ONE_MINUTE: &str = "1 minute";

pub(crate) const FIVE_MINUTES: &str = "5 minutes";

pub(crate) const QUARTER_HOUR: &str = "15 minutes";

pub(crate) const HALF_HOUR: &str = "30 minutes";

pub(crate) const ONE_HOUR: &str = "1 hour";

pub(crate) const FOUR_HOURS: &str = "4 hours";

pub(crate) const ONE_DAY: &str = "1 day";

pub(crate) const ONE_WEEK: &str = "1 week";

pub(crate) const ONE_MONTH: &str = "1 month";

/// Follows the symbol.
pub(crate) fn candles_of(timeframe: &str) -> String {
    format!(", candles of {timeframe}")
}

pub(crate) const SYMBOL: &str = "Symbol";

pub(crate) const TIMEFRAME: &str = "Timeframe";

pub(crate) const MORE_TIMEFRAMES: &str = "More timeframes";

/// The keys of the next shorter and the next longer timeframe.
pub(crate) const TIMEFRAME_KEYS: &str = ", and .";

/// The title of a button, with its key.
pub(crate) fn with_key(name: &str, key: &str) -> String {
    format!("{name} ({key})")
}

pub(crate) const FULL_SCREEN: &str = "Full screen";

pub(crate) const LEAVE_FULL_SCREEN: &str = "Leave full screen";

/// The button for where prices and candles come from.
pub(crate) const SOURCE: &str = "Source";

pub(crate) const ABOUT_PRICES: &str = "Source of the prices";

pub(crate) const NO_KNOWN_PRICE: &str = "No known price.";

pub(crate) fn no_known_price(reason: &str) -> String {
    format!("No known price: {reason}.")
}

/// The reason for a price that is not known.
pub(crate) const NO_CONNECTION: &str = "no connection to the server";

/// A price that was known once.
pub(crate) fn last_known(bid: &str, ask: &str, at: &str, age: i64) -> String {
    let age = match age {
        age if age < 120 => format!("{age} s"),
        age if age < 7_200 => format!("{} min", age / 60),
        age => format!("{} h", age / 3_600),
    };
    format!("Last known: bid {bid}, ask {ask} at {at}, {age} ago.")
}

pub(crate) const SIMULATED: &str = "Simulated";

pub(crate) const BID: &str = "Bid";

pub(crate) const ASK: &str = "Ask";

pub(crate) const SPREAD: &str = "Spread";

pub(crate) fn pips(pips: f64) -> String {
    format!("{pips:.1} pips")
}

pub(crate) const AS_OF: &str = "As of";

pub(crate) fn candles_from(source: &str) -> String {
    format!("Candles: {source}")
}

pub(crate) fn simulated_candles_from(source: &str) -> String {
    format!("Candles: {source} (simulated)")
}

pub(crate) const LOADING_CANDLES: &str = "Loading the candles…";

pub(crate) fn no_candles_of(symbol: &str, timeframe: &str) -> String {
    format!("No {timeframe} candles of {symbol}")
}

/// The command follows.
pub(crate) const NONE_IN_TIMEFRAME: &str =
    "A source's prices form them, not simulated ones. Or import a file under Drawings or with ";

pub(crate) const CHART_COULD_NOT_BE_LOADED: &str = "The chart could not be loaded";

/// The Commitments of Traders.
pub(crate) const COT_POSITIONING: &str = "COT positioning";

pub(crate) const LATEST_CANDLES: &str = "Latest closed candles";

pub(crate) const CANDLE_COLUMNS: [&str; 6] = ["Opened", "Open", "High", "Low", "Close", "From"];

pub(crate) const FROM_SIMULATION: &str = "simulation";

pub(crate) const FROM_STORE: &str = "store";
