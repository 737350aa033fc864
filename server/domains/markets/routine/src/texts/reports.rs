//! Sentences of reports beside a chart.

use super::counted;

pub(crate) const NOT_READ: &str = "I could not read that, sir.";
pub(crate) const MADE_UP: &str = "\n\nThese figures are made up for the simulation.";

pub(crate) fn release(name: &str, currency: &str, impact: &str, at: &str) -> String {
    format!("{name} ({currency}, {impact} impact) at {at}")
}

pub(crate) fn no_release_due(symbol: &str, hours: u64) -> String {
    let span = hours_in_words(hours);
    format!("No release that moves {symbol} is due in the next {span}, sir.")
}

/// `first`: the release that matters most.
pub(crate) fn releases_due(count: usize, symbol: &str, hours: u64, first: &str) -> String {
    let span = hours_in_words(hours);
    match count {
        1 => format!("1 release that moves {symbol} is due in the next {span}, sir: {first}."),
        count => format!(
            "{count} releases that move {symbol} are due in the next {span}, sir, foremost {first}."
        ),
    }
}

fn hours_in_words(hours: u64) -> String {
    match hours {
        1 => "hour".to_owned(),
        hours => format!("{hours} hours"),
    }
}

pub(crate) fn and_more(count: usize) -> String {
    format!("\n- and {count} more")
}

pub(crate) fn traders_unknown(symbol: &str) -> String {
    format!("The positions of the large traders of {symbol} are **unknown**, sir.")
}

pub(crate) fn traders(symbol: &str, net: i64, as_of: &str) -> String {
    let (side, net) = (side(net), net.unsigned_abs());
    format!(
        "The large traders are net {side} by {net} contracts in the future of {symbol}'s currency, \
         sir, as of {as_of}.\n"
    )
}

fn side(net: i64) -> &'static str {
    if net < 0 { "short" } else { "long" }
}

pub(crate) fn group(name: &str, long: &str, short: &str) -> String {
    format!("\n- {name}: {long} long, {short} short")
}

pub(crate) fn net_change(change: &str) -> String {
    format!("\n\nTheir net position changed by {change} in the last week reported.")
}

pub(crate) fn net_on(net: i64, day: &str) -> String {
    format!("{} by {} on {day}", side(net), net.unsigned_abs())
}

pub(crate) fn no_reports(symbol: &str) -> String {
    format!("No reports on the large traders of {symbol} are stored, sir.")
}

/// Each end as in [`net_on`].
pub(crate) fn traders_over_time(
    first: &str,
    last: &str,
    reports: usize,
    least: i64,
    most: i64,
) -> String {
    format!(
        "The large traders were net {first} and are net {last}, sir.\n\nOver {} their net position \
         was between {least} and {most} contracts.",
        counted(reports, "report")
    )
}

pub(crate) fn trades_unknown(symbol: &str) -> String {
    format!("The results of your trades in {symbol} are **unknown**, sir.")
}

pub(crate) fn no_trades(symbol: &str) -> String {
    format!("You have no closed trades in {symbol}, sir.")
}

/// Closed trades, and what came of them.
pub(crate) struct TradeResults<'a> {
    pub(crate) symbol: &'a str,
    pub(crate) is_one: bool,
    pub(crate) closed: &'a str,
    pub(crate) net: f64,
    pub(crate) won: &'a str,
    pub(crate) lost: &'a str,
    pub(crate) win_rate: Option<&'a str>,
}

pub(crate) fn trades(results: &TradeResults<'_>) -> String {
    let TradeResults {
        symbol,
        is_one,
        closed,
        net,
        won,
        lost,
        win_rate,
    } = *results;
    let trades = if is_one { "trade" } else { "trades" };
    let have = if is_one { "has" } else { "have" };
    let way = if net < 0.0 { "lost" } else { "made" };
    let net = net.abs();
    let rate = win_rate.map_or(String::new(), |rate| format!(", a win rate of {rate}"));
    format!(
        "Your {closed} closed {trades} in {symbol} {have} {way} {net:.2} net of costs, sir: {won} \
         won, {lost} lost{rate}."
    )
}

pub(crate) fn no_position(symbol: &str) -> String {
    format!("There is no long or short position on {symbol}, sir.")
}

/// A position with its state, and what follows on its result.
pub(crate) fn newest_position(position: &str, result: &str) -> String {
    format!("The {position}, sir{result}.")
}

pub(crate) fn older_position(position: &str, result: &str) -> String {
    format!("\n- The {position}{result}")
}

pub(crate) fn position_in_state(side: &str, symbol: &str, state: &str) -> String {
    format!("{side} position on {symbol} {state}")
}

pub(crate) fn position_state(state: Option<&str>, cause: Option<&str>) -> String {
    match (state, cause) {
        (Some("signal"), _) => "is an idea that nobody has accepted yet".to_owned(),
        (Some("pending"), _) => "waits for its entry".to_owned(),
        (Some("closed"), Some("tp")) => "reached its target".to_owned(),
        (Some("closed"), Some("sl")) => "reached its stop".to_owned(),
        (Some("closed"), Some("manual")) => "was closed by hand".to_owned(),
        (Some(state), _) => format!("is {state}"),
        (None, _) => "is in an unknown state".to_owned(),
    }
}

pub(crate) fn result_unknown(reason: &str) -> String {
    format!("; its result is **unknown**: {reason}")
}

/// From where to where a position went, and its pips.
pub(crate) struct PositionResult<'a> {
    pub(crate) opened: &'a str,
    pub(crate) is_open: bool,
    pub(crate) price: &'a str,
    pub(crate) pips: f64,
    /// As a multiple of its risk.
    pub(crate) r: Option<f64>,
}

pub(crate) fn result(result: &PositionResult<'_>) -> String {
    let PositionResult {
        opened,
        is_open,
        price,
        pips,
        r,
    } = *result;
    let end = if is_open { "now" } else { "closed" };
    let way = if pips < 0.0 { "lost" } else { "made" };
    let pips = pips.abs();
    let r = r.map_or(String::new(), |r| format!(", {r:.2} R"));
    format!(": opened at {opened}, {end} at {price}, it has {way} {pips:.1} pips{r}")
}

pub(crate) fn reaction_unknown(symbol: &str, event: &str) -> String {
    format!("The reaction of {symbol} to {event} is **unknown**, sir.")
}

/// `ratio`: of this range to the usual one.
pub(crate) fn reaction(
    symbol: &str,
    event: &str,
    pips: &str,
    ratio: Option<f64>,
    releases: u64,
) -> String {
    let ratio = ratio.map_or(String::new(), |ratio| {
        format!(", {ratio:.1} times the usual range of that hour")
    });
    let releases = match releases {
        1 => "1 release".to_owned(),
        count => format!("{count} releases"),
    };
    format!(
        "On average {symbol} ranged over {pips} pips in the candle of {event}, sir{ratio}; that is \
         of {releases}.\n"
    )
}

/// The middle half of all is between `low` and `high`.
pub(crate) fn later(hours: &str, mean: &str, low: &str, high: &str) -> String {
    format!("\n- {hours} later: {mean} pips on average, half of the time between {low} and {high}")
}

pub(crate) fn headline(text: &str, at: &str) -> String {
    format!("“{text}” at {at}")
}

pub(crate) fn no_headlines(symbol: &str) -> String {
    format!("No headlines about {symbol} are stored, sir.")
}

pub(crate) fn newest_headline(all: usize, symbol: &str, newest: &str) -> String {
    match all {
        1 => format!("The only headline on {symbol} is {newest}, sir.\n"),
        all => format!("The newest of {all} headlines on {symbol} is {newest}, sir.\n"),
    }
}

/// A row of a list.
pub(crate) fn row(text: &str) -> String {
    format!("\n- {text}")
}
