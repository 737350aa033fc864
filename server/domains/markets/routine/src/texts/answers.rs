//! Sentences of answers about prices, levels and drawings.

pub(crate) fn unknown(symbol: &str, reason: &str) -> String {
    format!("That is **unknown** for {symbol}, sir. {reason}")
}

pub(crate) fn not_read(symbol: &str, reason: &str) -> String {
    format!("I could not read {symbol}, sir. {reason}")
}

pub(crate) fn unclear(word: &str) -> String {
    format!(
        "“{word}” leaves open what exactly is meant, sir, so I have changed nothing. Name what I \
         shall change or remove."
    )
}

/// `failures`: empty, or the list of what was refused.
pub(crate) fn chart_stays(failures: &str) -> String {
    format!("The chart stays where it is, sir.{failures}")
}

pub(crate) const CHART_MOVED: &str = "The chart is where you asked for it, sir.";
pub(crate) const NO_DRAWING_TO_REMOVE: &str =
    "I see no drawing on the chart that matches your words, sir, so I have removed none.";
pub(crate) const WHICH_DRAWING: &str =
    "Your words match no drawing or more than one, sir. Which one do you mean?";
pub(crate) const PRICE_NOT_READ: &str = "I could not read the price, sir.";

/// A price as its source gives it.
pub(crate) struct ShownPrice<'a> {
    pub(crate) symbol: &'a str,
    pub(crate) bid: &'a str,
    pub(crate) ask: &'a str,
    pub(crate) spread: &'a str,
    pub(crate) is_one_pip: bool,
    pub(crate) as_of: &'a str,
}

pub(crate) fn price(price: &ShownPrice<'_>) -> String {
    let ShownPrice {
        symbol,
        bid,
        ask,
        spread,
        is_one_pip,
        as_of,
    } = *price;
    let pips = if is_one_pip { "pip" } else { "pips" };
    format!(
        "{symbol} is at **{bid}** bid and **{ask}** ask, sir, with a spread of {spread} {pips}, as \
         of {as_of}."
    )
}

pub(crate) const NO_REASON: &str = "The result does not say why.";

pub(crate) fn simulated_price(why: &str) -> String {
    format!("\n\nThat price is simulated and no quote of a broker. {why}")
}

pub(crate) fn removed(count: usize) -> String {
    match count {
        0 => "Nothing was removed, sir.".to_owned(),
        1 => "One drawing is off the chart, sir. It stays on record.".to_owned(),
        count => format!("{count} drawings are off the chart, sir. They stay on record."),
    }
}

pub(crate) const NO_CANDLES_FOR_LEVELS: &str =
    "I could not read any candles, sir, so I name no levels.";
pub(crate) const NO_CANDLES_TO_DRAW: &str =
    "I could not read any candles, sir, so I have drawn nothing.";

/// A line of the list of levels.
pub(crate) fn no_level(name: &str) -> String {
    format!("\n- {name}: none in these candles")
}

pub(crate) fn level_line(name: &str, level: &str) -> String {
    format!("\n- {name} {level}")
}

pub(crate) fn level(price: &str, swings: usize, last: &str) -> String {
    let swings = match swings {
        1 => "one swing".to_owned(),
        swings => format!("{swings} swings"),
    };
    format!("**{price}**: {swings}, the last at {last}")
}

/// Each end: the price, and the time.
pub(crate) fn last_swing(from: [&str; 2], to: [&str; 2]) -> String {
    let ([from, from_time], [to, to_time]) = (from, to);
    format!("\n- Last swing from **{from}** at {from_time} to **{to}** at {to_time}")
}

pub(crate) const NO_LAST_SWING: &str = "\n- Last swing: none in these candles";

/// `nearest`: its price, where another level is nearer than the main one.
pub(crate) fn main_level(
    name: &str,
    symbol: &str,
    price: &str,
    swings: usize,
    last: &str,
    nearest: Option<&str>,
) -> String {
    let times = match swings {
        1 => "once".to_owned(),
        swings => format!("{swings} times"),
    };
    let near = nearest.map_or(String::new(), |price| {
        format!(" The nearest is **{price}**.")
    });
    format!(
        "The main {name} of {symbol} is **{price}**, sir, where the price turned {times}, the last \
         at {last}.{near}"
    )
}

/// Source of a list, before its colon.
pub(crate) fn opening(
    candles: usize,
    timeframe: &str,
    symbol: &str,
    last: &str,
    close: &str,
) -> String {
    let candles = match candles {
        1 => format!("1 {timeframe} candle"),
        count => format!("{count} {timeframe} candles"),
    };
    format!("From {candles} of {symbol} up to {last}, the last close being {close}")
}

pub(crate) const NOTHING_DRAWN: &str = "Nothing was drawn, sir.";

/// `from`: empty, or what the list rests on.
pub(crate) fn drawn(count: usize, symbol: &str, from: &str, lines: &str) -> String {
    let count = match count {
        1 => "One drawing is".to_owned(),
        count => format!("{count} drawings are"),
    };
    format!("{count} on the {symbol} chart, sir.{from}\n\n{lines}")
}

/// Says that a proposed position is followed once the person has accepted it, and where that is done.
pub(crate) const POSITION_IS_IDEA: &str = "\n\nNo order was placed, sir, and nothing is followed yet: it is an idea until you open it in \
     the list of drawings on the chart's page and press **Accept**. From then on its entry, stop \
     and target are followed; ask me how it went. For its size, tell me your account and what you \
     risk.";

pub(crate) fn not_in_candles(names: &[&str]) -> String {
    format!("\n\nThese candles show no {}.", names.join(" and no "))
}

pub(crate) fn no_release(name: Option<&str>) -> String {
    match name {
        Some(name) => {
            format!("I find no release called “{name}” on the chart, sir, so I have marked none.")
        }
        None => "I find no release on the chart, sir, so I have marked none.".to_owned(),
    }
}

/// `missing` and `simulated`: empty, or the next sentences.
pub(crate) fn nothing_to_draw(missing: &str, simulated: &str) -> String {
    format!("I have drawn nothing, sir.{missing}{simulated}")
}

pub(crate) fn already_there(labels: &[String]) -> String {
    format!(
        "It is all on the chart already, sir, and I do not draw it twice: {}.",
        labels.join(", ")
    )
}

pub(crate) fn point(price: &str, time: Option<&str>) -> String {
    match time {
        Some(time) => format!("**{price}** at {time}"),
        None => format!("**{price}**"),
    }
}

pub(crate) fn points(name: &str, points: &[String]) -> String {
    format!("- {name}: {}", points.join(" to "))
}

/// A drawing at one price, which its label has.
pub(crate) fn labelled(name: &str, price: &str) -> String {
    format!("- {}", name.replace(price, &format!("**{price}**")))
}

/// `prices`: entry, stop and target.
pub(crate) fn position(name: &str, prices: &[String; 3], ratio: Option<f64>) -> String {
    let [entry, stop, target] = prices;
    let ratio = ratio.map_or(String::new(), |ratio| format!(", {ratio:.2} R"));
    format!("- {name}: entry **{entry}**, stop **{stop}**, target **{target}**{ratio}")
}

pub(crate) const IT: &str = "it";
pub(crate) const ITS_ENTRY: &str = "its entry";
pub(crate) const ITS_NEAREST_LEVEL: &str = "its nearest level";

/// Approaches of the price, whether it turned there or not. `last`: the time of the last one; `bars`: the hours
/// that were looked at.
pub(crate) fn touches(near: &str, count: u64, last: Option<&str>, bars: Option<u64>) -> String {
    let came = match count {
        0 => format!("prices never came near {near}"),
        1 => format!("prices came near {near} once"),
        count => format!("prices came near {near} {count} times"),
    };
    let bars = bars.map_or(String::new(), |bars| format!(" in the newest {bars} hours"));
    let last = last.map_or(String::new(), |last| format!(", the last time at {last}"));
    format!("; {came}{bars}{last}")
}

/// The close that the opening of the same answer names.
pub(crate) const THAT_CLOSE: &str = "that close";
pub(crate) const NEWEST_PRICE: &str = "the newest price";

/// `pips`: from the base to it, above zero if it is higher.
pub(crate) fn distance(pips: f64, base: &str) -> String {
    if pips == 0.0 {
        return format!("at {base}");
    }
    let side = if pips < 0.0 { "below" } else { "above" };
    format!("{:.1} pips {side} {base}", pips.abs())
}

pub(crate) fn distance_of(part: &str, distance: &str) -> String {
    format!("{part} {distance}")
}

pub(crate) fn share_at(percent: f64, price: &str) -> String {
    format!("{percent} % at {price}")
}

pub(crate) fn levels(levels: &[String]) -> String {
    format!(". Levels: {}", levels.join(", "))
}

pub(crate) const NOT_SHOWN: &str = "Saved, not yet shown.";

pub(crate) fn refused(tool: &str, failure: &str) -> String {
    format!("- {tool} was refused: {failure}")
}
