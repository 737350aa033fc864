//! Sentences about the course of the price over a span of time up to now.

pub(crate) fn not_read(symbol: &str) -> String {
    format!("I could not read any candles of {symbol}, sir.")
}

pub(crate) fn none_stored(symbol: &str) -> String {
    format!("No candles of {symbol} are stored for that time, sir.")
}

/// The highest or the lowest price, and the candle that reached it.
pub(crate) fn extreme(symbol: &str, span: &str, is_high: bool, price: &str, at: &str) -> String {
    let word = if is_high { "highest" } else { "lowest" };
    format!(
        "The {word} price of {symbol} in the last {span} was **{price}**, sir, in the candle of {at}."
    )
}

/// Prices as they are shown, of the first and the last candle and of all between.
pub(crate) struct ShownPrices<'a> {
    pub(crate) open: &'a str,
    pub(crate) close: &'a str,
    pub(crate) low: &'a str,
    pub(crate) high: &'a str,
}

/// `way`: up, down or sideways.
pub(crate) fn trend(symbol: &str, span: &str, way: &str, prices: &ShownPrices<'_>) -> String {
    let ShownPrices {
        open,
        close,
        low,
        high,
    } = *prices;
    format!(
        "{symbol} is trending {way}, sir: over the last {span} it went from **{open}** to \
         **{close}**, between {low} and {high}."
    )
}

pub(crate) fn opened(symbol: &str, span: &str, way: &str, prices: &ShownPrices<'_>) -> String {
    let ShownPrices { open, close, .. } = *prices;
    format!(
        "{symbol} opened the {span} at **{open}**, sir, and is at **{close}** now, {way} from there."
    )
}

pub(crate) fn range_since(from: &str, prices: &ShownPrices<'_>) -> String {
    let ShownPrices { low, high, .. } = *prices;
    format!("\n\nSince {from} it was between {low} and {high}.")
}

pub(crate) fn course(symbol: &str, from: &str, way: &str, prices: &ShownPrices<'_>) -> String {
    let ShownPrices {
        open,
        close,
        low,
        high,
    } = *prices;
    format!(
        "From {from} on {symbol} was between **{low}** and **{high}**, sir, and went {way} from \
         {open} to {close}."
    )
}
