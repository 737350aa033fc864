//! Conversations about charts.

pub(crate) const CONVERSATIONS: &str = "Conversations about charts";

pub(crate) const OF_ALL_SYMBOLS: &str = "Of all symbols";

pub(crate) const OPEN: &str = "Open";

/// Follows the title of a conversation.
pub(crate) fn about(symbol: &str, timeframe: &str) -> String {
    format!(" · {symbol} {timeframe}")
}
