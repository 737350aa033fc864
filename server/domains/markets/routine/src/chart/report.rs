//! Reports beside a chart: releases, headlines, the positions of traders, the person's own trades.

mod sentences;

use rehearsal::routine::{Call, View, phrase, units, words};
use serde_json::json;

use super::{Subject, call};
use crate::texts::reports;

/// A report beside a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Report {
    Releases {
        hours: u64,
    },
    Headlines,
    /// The move of the price after a release.
    Reaction {
        event: String,
    },
    Traders,
    TradersPast,
    Trades,
    /// Plans on the chart that the server follows.
    Positions,
}

/// Words for those whose positions are no plans on a chart.
const TRADERS: [&str; 6] = [
    "traders",
    "positioned",
    "positioning",
    "cot",
    "cftc",
    "speculators",
];

impl Report {
    /// Reads it off the words.
    pub(super) fn read(question: &str) -> Option<Self> {
        let said = words(question);
        let any = |signs: &[&str]| said.iter().any(|word| signs.contains(&word.as_str()));
        let after = any(&["after"]) && any(&["move", "moves", "far"]);
        if any(&["react", "reacts", "reacted", "reaction"]) || after {
            return phrase(question).map(|event| Self::Reaction { event });
        }
        if any(&["headline", "headlines"]) || any(&["news"]) && any(&["about", "on", "of"]) {
            return Some(Self::Headlines);
        }
        let moves = any(&["moves", "moving"]) && any(&["price", "market", "next"]);
        if any(&["news", "calendar"]) || moves {
            let mut numbers = said.iter().filter_map(|word| word.parse::<u64>().ok());
            let hours = numbers.find(|hours| (1..=720).contains(hours));
            return Some(Self::Releases {
                hours: hours.unwrap_or(24),
            });
        }
        let net = any(&["net"]) && any(&["position", "positions"]);
        if any(&TRADERS) || net {
            let past = any(&["history", "changed", "year", "months", "over"]);
            return Some(if past {
                Self::TradersPast
            } else {
                Self::Traders
            });
        }
        let listed = any(&["show", "list", "which", "last"]);
        let own = any(&["my", "mine", "our"]) && any(&["trades"]) && !listed;
        let rate = any(&["win"]) && any(&["rate"]);
        (own || rate).then_some(Self::Trades)
    }

    /// Reads off the words that they ask for the state or the end of positions on the chart.
    pub(super) fn of_positions(question: &str) -> Option<Self> {
        const SIDES: [&str; 2] = ["long", "short"];
        const OWNERS: [&str; 4] = ["the", "my", "our", "that"];
        let said = words(question);
        let any = |signs: &[&str]| said.iter().any(|word| signs.contains(&word.as_str()));
        // "How long" is no position.
        let is_side = said
            .windows(2)
            .any(|two| OWNERS.contains(&two[0].as_str()) && SIDES.contains(&two[1].as_str()));
        let named = any(&["position", "positions", "longs", "shorts"]) || is_side;
        let asks = any(&["how", "which", "what", "is", "are", "did", "list", "tell"]);
        let life = any(&[
            "go", "goes", "going", "gone", "went", "doing", "open", "opened", "pending", "waiting",
            "filled", "closed", "became",
        ]);
        let of_traders = any(&TRADERS) || any(&["net"]);
        (named && asks && life && !of_traders).then_some(Self::Positions)
    }

    fn tool(&self) -> &'static str {
        match self {
            Self::Releases { .. } => "get_news_events",
            Self::Headlines => "get_headlines",
            Self::Reaction { .. } => "get_event_statistics",
            Self::Traders => "get_cot_positioning",
            Self::TradersPast => "get_cot_history",
            Self::Trades => "get_trade_stats",
            Self::Positions => "get_positions",
        }
    }

    /// The next calls; nothing at all where the tool is missing.
    pub(super) fn calls(&self, view: &View<'_>, subject: &Subject) -> Option<Vec<Call>> {
        let tool = view.tool(self.tool())?;
        if view.done.iter().any(|done| done.name == tool.name) {
            return Some(Vec::new());
        }
        let mut input = json!({ "symbol": subject.symbol });
        match self {
            Self::Releases { hours } => {
                input["hours_back"] = json!(0);
                input["hours_ahead"] = json!(hours);
            }
            Self::Reaction { event } => input["event"] = json!(event),
            _ => {}
        }
        Some(vec![call(tool, &input)])
    }

    /// The answer from what the tool brought.
    pub(super) fn told(&self, view: &View<'_>, subject: &Subject) -> String {
        let mut done = view.done.iter().rev();
        let Some(done) = done.find(|done| done.name == self.tool()) else {
            return reports::NOT_READ.to_owned();
        };
        let data = &done.data;
        let symbol = units::safe(&subject.symbol);
        let mut text = match self {
            Self::Releases { hours } => sentences::releases(data, &symbol, *hours),
            Self::Headlines => sentences::headlines(data, &symbol),
            Self::Reaction { .. } => sentences::reaction(data, &symbol),
            Self::Traders => sentences::traders(data, &symbol),
            Self::TradersPast => sentences::traders_past(data, &symbol),
            Self::Trades => sentences::trades(data, &symbol),
            Self::Positions => sentences::positions(data, &symbol),
        };
        let lists = ["events", "headlines"].into_iter();
        let mut rows = lists.flat_map(|list| data[list].as_array().into_iter().flatten());
        let made_up = ["synthetic", "synthetic_values"]
            .iter()
            .any(|sign| data[sign] == true);
        if made_up || rows.any(|row| row["synthetic"] == true) {
            text.push_str(reports::MADE_UP);
        }
        text
    }
}
