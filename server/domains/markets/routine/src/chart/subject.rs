//! Which chart is meant.

use rehearsal::routine::{View, is_filler, is_span, original, words};
use serde_json::Value;

/// Currencies in words, with their codes.
const CURRENCIES: [(&str, &str); 8] = [
    ("dollar", "USD"),
    ("euro", "EUR"),
    ("yen", "JPY"),
    ("pound", "GBP"),
    ("sterling", "GBP"),
    ("franc", "CHF"),
    ("loonie", "CAD"),
    ("aussie", "AUD"),
];

/// A symbol and a timeframe, as the tools name them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) symbol: String,
    pub(super) timeframe: String,
}

impl Subject {
    /// The chart that the words name, else the one that came with a message, else the first that the
    /// tools know. None where no tool knows symbols.
    pub(super) fn of(view: &View<'_>) -> Option<Self> {
        let symbols = choices(view, "symbol");
        let frames = choices(view, "timeframe");
        let attached = view
            .references
            .iter()
            .filter(|(kind, _)| kind == "chart")
            .filter_map(|(_, id)| id.split_once('/'))
            // Behind the timeframe are the indicators on the chart.
            .map(|(symbol, rest)| (symbol, rest.split('/').next().unwrap_or(rest)))
            .find(|(symbol, _)| symbols.contains(symbol));
        let named = Self::named(view).or_else(|| {
            let of_currency = |symbol: &&str| of_currency(&view.question, symbol);
            let attached = attached.map(|(symbol, _)| symbol).filter(of_currency);
            attached.or_else(|| symbols.iter().copied().find(of_currency))
        });
        let (symbol, is_attached) = match (named, attached) {
            (Some(named), _) => (named, attached.is_some_and(|(symbol, _)| symbol == named)),
            (None, Some((symbol, _))) => (symbol, true),
            (None, None) => (*symbols.first()?, false),
        };
        let said = original(&view.question);
        let frame = said.iter().find_map(|word| frame(word, &frames));
        let frame = frame.or(attached
            .filter(|(_, frame)| is_attached && frames.contains(frame))
            .map(|(_, frame)| frame));
        let usual = || {
            frames
                .iter()
                .find(|frame| **frame == "H1")
                .or(frames.first())
        };
        let frame = frame.or_else(|| usual().copied()).unwrap_or("H1");
        Some(Self {
            symbol: symbol.to_owned(),
            timeframe: frame.to_owned(),
        })
    }
}

impl Subject {
    /// The symbol that the words name.
    pub(super) fn named<'v>(view: &'v View<'_>) -> Option<&'v str> {
        let symbols = choices(view, "symbol");
        symbols
            .into_iter()
            .find(|symbol| names(&view.question, symbol))
    }
}

impl Subject {
    /// True if the words name a currency of a symbol.
    pub(super) fn means_currency(view: &View<'_>) -> bool {
        let symbols = choices(view, "symbol");
        symbols
            .into_iter()
            .any(|symbol| of_currency(&view.question, symbol))
    }
}

/// True if the words name a currency of a symbol: "the yen".
fn of_currency(question: &str, symbol: &str) -> bool {
    let said = original(question);
    CURRENCIES.iter().any(|(word, code)| {
        symbol.contains(code) && said.iter().any(|said| said.eq_ignore_ascii_case(word))
    })
}

/// The values of the first tool's field of this name that has any.
fn choices<'v>(view: &'v View<'_>, field: &str) -> Vec<&'v str> {
    let lists = view.tools.iter().filter_map(|tool| {
        let list = tool.schema["properties"][field]["enum"].as_array()?;
        Some(list.iter().filter_map(Value::as_str).collect())
    });
    lists.into_iter().next().unwrap_or_default()
}

/// `EURUSD`, `eurusd` and `EUR/USD` are the same.
fn names(question: &str, symbol: &str) -> bool {
    let said = original(question);
    let pairs = said.windows(2).map(|pair| pair.concat());
    said.iter().any(|word| word.eq_ignore_ascii_case(symbol))
        || pairs
            .into_iter()
            .any(|pair| pair.eq_ignore_ascii_case(symbol))
}

fn frame<'v>(word: &str, frames: &[&'v str]) -> Option<&'v str> {
    let word = match word.to_lowercase().as_str() {
        "hourly" => "H1".to_owned(),
        "daily" => "D1".to_owned(),
        "weekly" => "W1".to_owned(),
        "monthly" => "MN".to_owned(),
        other => other.to_uppercase(),
    };
    frames.iter().copied().find(|frame| *frame == word)
}

/// True if the words ask for the price of a pair, a currency or one of these symbols, and for nothing else:
/// "where is EUR/USD?" No tool is needed to see that.
pub(crate) fn asks_for_price(question: &str, symbols: &[String]) -> bool {
    const ASKS: [&str; 16] = [
        "where", "how", "at", "price", "quote", "quoted", "bid", "ask", "spread", "trading",
        "trade", "worth", "up", "down", "standing", "stand",
    ];
    let said = words(question);
    let is_code = |word: &str| {
        let mut codes = CURRENCIES.iter();
        codes.any(|(_, code)| code.eq_ignore_ascii_case(word))
    };
    let is_pair = |word: &str| {
        let halves = word.split_at_checked(3);
        halves.is_some_and(|(base, quote)| is_code(base) && is_code(quote))
    };
    let is_currency = |word: &str| CURRENCIES.iter().any(|(name, _)| *name == word);
    // A share may be called like a word that everybody says.
    let is_plain = |name: &&String| ASKS.contains(&name.as_str()) || is_filler(name);
    let symbols: Vec<String> = symbols.iter().map(|name| name.to_lowercase()).collect();
    let names: Vec<&String> = symbols.iter().filter(|name| !is_plain(name)).collect();
    let mut named = vec![false; said.len()];
    for length in 1..=2 {
        for (at, part) in said.windows(length).enumerate() {
            let part = part.concat();
            if names.iter().any(|name| **name == part) {
                let places = named.iter_mut().skip(at).take(length);
                places.for_each(|is| *is = true);
            }
        }
    }
    let names_one = named.contains(&true)
        || said.iter().any(|word| is_pair(word) || is_currency(word))
        || said
            .windows(2)
            .any(|two| two.iter().all(|word| is_code(word)));
    names_one
        && said.iter().any(|word| ASKS.contains(&word.as_str()))
        && said.iter().zip(named).all(|(word, is_named)| {
            let is_name = is_named || is_pair(word) || is_currency(word) || is_code(word);
            is_name || ASKS.contains(&word.as_str()) || is_filler(word) || is_span(word)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_a_price_is_about_nothing_else() {
        let declared = ["XAUUSD", "BTCUSD", "ACME", "BRK.B", "UP", "IT"].map(str::to_owned);
        let (none, declared): (&[String], &[String]) = (&[], &declared);
        for (question, symbols, expect) in [
            ("where is EUR/USD?", none, true),
            ("What is usdjpy trading at now?", none, true),
            ("how is the euro doing today?", none, true),
            ("Is the dollar up?", none, true),
            ("where is media?", none, false),
            ("Where is the invoice in euro?", none, false),
            ("how do I back up USD drives?", none, false),
            ("what is the euro?", none, false),
            ("where is support on EURUSD?", none, false),
            // What an installation has declared is named like what is built in.
            ("where is XAU/USD?", declared, true),
            ("How is Acme doing today?", declared, true),
            ("what is brk.b trading at?", declared, true),
            ("where is BTCUSD?", declared, true),
            ("where is BTCUSD?", none, false),
            ("where is the Acme invoice?", declared, false),
            ("what is ACME?", declared, false),
            ("is it up?", declared, false),
        ] {
            assert_eq!(asks_for_price(question, symbols), expect, "{question}");
        }
    }
}
