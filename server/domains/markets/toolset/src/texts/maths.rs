//! Sentences of the markets for people: meanings of figures, and why one is unknown.

/// Explanation of a check's fields.
pub(crate) const CHECK_MEANING: &str = "Over the newest hourly bars, simulated ones among them. touches: how often prices came \
     within 2 pips, neighbouring bars being one; distance_pips: from the close of the newest bar, which may \
     still be forming, to it, above zero if it is higher, zero inside a zone; prospective: prices \
     were never there, so it is a projection and no observation.";

pub(crate) fn line_at_now(now: &str) -> String {
    format!("the line, at {now} now or at its nearest end")
}

pub(crate) fn nearest_level_at(level: f64, price: &str) -> String {
    format!("the nearest level, {level} at {price}")
}

pub(crate) fn zone_to(low: &str, high: &str) -> String {
    format!("the zone {low} to {high}")
}

pub(crate) const SIZE_IS_ZERO: &str =
    "the size is zero: the risk does not pay for one lot step at this stop";

pub(crate) const NET: &str =
    "Long minus short contracts of a group. The nets of all groups add up to zero.";

pub(crate) const CHANGE: &str =
    "Net now minus net in the report before, if that is of the week before.";

pub(crate) const PERCENT_OF_OPEN_INTEREST: &str = "100 times net divided by the open interest.";

pub(crate) const INDEX: &str = "100 times (net - lowest) / (highest - lowest) over the named number of reports, this one \
     included. Not a percentile. Commercials are not inverted.";

pub(crate) const NO_REPORT_OF_WEEK_BEFORE: &str = "there is no report of the week before";

pub(crate) const NO_OPEN_INTEREST: &str = "there is no open interest";

pub(crate) const TOO_FEW_REPORTS: &str = "there are fewer reports than the window needs";

pub(crate) const NET_WAS_ALWAYS_THE_SAME: &str =
    "the net was the same in all reports of the window";

pub(crate) const NOT_ABOVE_ZERO: &str = "it is not above zero";

pub(crate) fn is_on_wrong_side(price: &str, side: &str, entry: &str, name: &str) -> String {
    format!("{price} is not {side} the entry {entry} of a {name} position")
}

pub(crate) fn is_far_from_entry(price: &str, most: i64) -> String {
    format!("{price} is more than {most} % from the entry")
}

pub(crate) fn is_nearer_than_spread(spread: f64) -> String {
    format!("it is nearer than the spread of {spread} pips")
}

pub(crate) fn percent_is_out_of_range(percent: f64) -> String {
    format!("{percent} % is not between 0 and 100")
}

pub(crate) fn money_is_out_of_range(money: f64) -> String {
    format!("{money} is not between 0 and the account")
}

pub(crate) const BASE: &str = "The last price before the release: the opening of its bar if it comes just then, else the \
     close of the bar before. On hourly bars that of an 08:30 release is up to 30 minutes old.";

pub(crate) const MOVE: &str =
    "Close of the last bar that has ended by release plus horizon, minus base, in pips.";

pub(crate) const RANGE: &str = "High minus low of the bar that contains the release, in pips.";

pub(crate) const RANGE_RATIO: &str =
    "That range divided by the median range of all bars of the same hour in UTC.";

pub(crate) const SURPRISE: &str =
    "(actual - forecast) divided by the standard deviation of the event's earlier surprises.";

pub(crate) const AGREEMENT: &str =
    "Part of the releases with a surprise after which the price moved its way.";

pub(crate) const NO_USUAL_RANGE: &str = "the hour has no usual range";

pub(crate) const NO_RELEASE: &str = "there is no release";

pub(crate) const NO_ACTUAL_OR_FORECAST: &str = "the release has no actual value or no forecast";

pub(crate) const EARLIER_RELEASES_NEVER_MISSED: &str = "earlier releases never missed";

pub(crate) const TOO_FEW_SURPRISES: &str = "there are fewer than two earlier surprises";

pub(crate) const NO_RELEASE_WITH_SURPRISE: &str = "there is no release with a surprise";

pub(crate) const COUNTS: &str = "Closed trades only. A win has profit and loss net of costs above zero, a loss below, a \
     breakeven is within the tolerance of zero. Open trades are counted apart.";

pub(crate) const WIN_RATE: &str = "Wins divided by all closed trades, breakevens included.";

pub(crate) const WIN_RATE_DECIDED: &str = "Wins divided by wins and losses.";

pub(crate) const PROFIT_FACTOR: &str =
    "Sum of wins divided by the absolute sum of losses, in money. Unknown without losses.";

pub(crate) const EXPECTANCY: &str = "Mean profit and loss of a closed trade, in money.";

pub(crate) const MAX_DRAWDOWN: &str = "The largest fall of the balance from a high, on a curve that starts at the initial balance \
     and has a point for each closed trade; in money and as a part of that high.";

pub(crate) const STREAKS: &str = "Wins or losses in a row by time of closing, then by id. A breakeven neither extends nor \
     breaks one. The current streak is below zero for losses.";

pub(crate) const AVERAGE_R: &str = "Mean of profit and loss divided by the initial risk, which is frozen at the entry; of the \
     trades that have one.";

pub(crate) const OPEN: &str = "Trades without a closing. They are in no other figure.";

pub(crate) const MONEY: &str = "In the currency of the account, net of costs.";

pub(crate) const BALANCE_WAS_NEVER_ABOVE_ZERO: &str = "the balance was never above zero";

pub(crate) const NO_INITIAL_BALANCE: &str = "no initial balance of the account was given";

pub(crate) const NO_CLOSED_TRADES: &str = "there are no closed trades";

pub(crate) const NEITHER_WINS_NOR_LOSSES: &str = "there are neither wins nor losses";

pub(crate) const NO_LOSSES: &str = "there are no losses";

pub(crate) const NO_INITIAL_RISK: &str = "no closed trade has an initial risk";

pub(crate) const NO_RISK_IS_KNOWN: &str =
    "no risk was given, so the size and the balances are unknown";

pub(crate) const NO_ACCOUNT_IS_KNOWN: &str =
    "no account balance was given, so the balances and a size by percent are unknown";
