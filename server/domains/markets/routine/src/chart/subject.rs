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

/// True if the words ask for the price of a pair or a currency, and for nothing else: "where is EUR/USD?" No
/// tool is needed to see that.
pub(crate) fn asks_for_price(question: &str) -> bool {
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
    let names_one = said.iter().any(|word| is_pair(word) || is_currency(word))
        || said
            .windows(2)
            .any(|two| two.iter().all(|word| is_code(word)));
    names_one
        && said.iter().any(|word| ASKS.contains(&word.as_str()))
        && said.iter().all(|word| {
            let is_name = is_pair(word) || is_currency(word) || is_code(word);
            is_name || ASKS.contains(&word.as_str()) || is_filler(word) || is_span(word)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_a_price_is_about_nothing_else() {
        for question in [
            "where is EUR/USD?",
            "What is usdjpy trading at now?",
            "how is the euro doing today?",
            "Is the dollar up?",
        ] {
            assert!(asks_for_price(question), "{question}");
        }
        for question in [
            "where is media?",
            "Where is the invoice in euro?",
            "how do I back up USD drives?",
            "what is the euro?",
            "where is support on EURUSD?",
        ] {
            assert!(!asks_for_price(question), "{question}");
        }
    }
}
