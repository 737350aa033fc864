//! Reports beside a chart: releases, the positions of traders, the person's own trades.

use serde_json::{Value, json};

use super::{Subject, call};
use crate::planner::{
    Call,
    compose::{section, units},
    view::View,
};

/// Releases that an answer lists.
const MOST: usize = 8;

/// A report beside a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Report {
    Releases { hours: u64 },
    Traders,
    Trades,
}

impl Report {
    /// Reads it off the words.
    pub(super) fn read(said: &[String]) -> Option<Self> {
        let any = |signs: &[&str]| said.iter().any(|word| signs.contains(&word.as_str()));
        let moves = any(&["moves", "moving"]) && any(&["price", "market", "next"]);
        let told = any(&["news", "calendar"]) && !any(&["about", "headlines"]);
        if told || moves {
            let mut numbers = said.iter().filter_map(|word| word.parse::<u64>().ok());
            let hours = numbers.find(|hours| (1..=720).contains(hours));
            return Some(Self::Releases {
                hours: hours.unwrap_or(24),
            });
        }
        // How it was before is another tool's.
        let past = any(&["history", "changed", "year", "months", "over"]);
        if !past
            && any(&[
                "traders",
                "positioned",
                "positioning",
                "cot",
                "cftc",
                "speculators",
            ])
        {
            return Some(Self::Traders);
        }
        let listed = any(&["show", "list", "which", "last"]);
        let own = any(&["my", "mine", "our"]) && any(&["trades"]) && !listed;
        own.then_some(Self::Trades)
    }

    fn tool(self) -> &'static str {
        match self {
            Self::Releases { .. } => "get_news_events",
            Self::Traders => "get_cot_positioning",
            Self::Trades => "get_trade_stats",
        }
    }

    /// The next calls; nothing at all where the tool is missing.
    pub(super) fn calls(self, view: &View<'_>, subject: &Subject) -> Option<Vec<Call>> {
        let tool = view.tool(self.tool())?;
        if view.done.iter().any(|done| done.name == tool.name) {
            return Some(Vec::new());
        }
        let mut input = json!({ "symbol": subject.symbol });
        if let Self::Releases { hours } = self {
            input["hours_back"] = json!(0);
            input["hours_ahead"] = json!(hours);
        }
        Some(vec![call(tool, &input)])
    }

    /// The answer from what the tool brought.
    pub(super) fn told(self, view: &View<'_>, subject: &Subject) -> String {
        let mut done = view.done.iter().rev();
        let Some(done) = done.find(|done| done.name == self.tool()) else {
            return "I could not read that, sir.".to_owned();
        };
        if done.is_error {
            return format!("I could not read that, sir. {}", section::failure(done));
        }
        let data = &done.data;
        let symbol = units::safe(&subject.symbol);
        let mut text = match self {
            Self::Releases { hours } => releases(data, &symbol, hours),
            Self::Traders => traders(data, &symbol),
            Self::Trades => trades(data, &symbol),
        };
        let mut rows = data["events"].as_array().into_iter().flatten();
        if data["synthetic"] == true || rows.any(|row| row["synthetic"] == true) {
            text.push_str("\n\nThese figures are made up for the simulation.");
        }
        text
    }
}

fn releases(data: &Value, symbol: &str, hours: u64) -> String {
    let mut events: Vec<&Value> = data["events"].as_array().into_iter().flatten().collect();
    let rank = |event: &Value| match event["impact"].as_str() {
        Some("high") => 0,
        Some("medium") => 1,
        _ => 2,
    };
    // The weightiest first, and among equals what comes first.
    events.sort_by_key(|event| rank(event));
    let span = format!("{hours} hours");
    let field = |event: &Value, name: &str| units::value(name, &event[name]);
    let told = |event: &Value| {
        format!(
            "{} ({}, {} impact) at {}",
            field(event, "name"),
            field(event, "currency"),
            field(event, "impact"),
            field(event, "scheduled_at")
        )
    };
    let Some(first) = events.first() else {
        return format!("No release that moves {symbol} is due in the next {span}, sir.");
    };
    let many = match events.len() {
        1 => "1 release that moves".to_owned(),
        count => format!("{count} releases that move"),
    };
    let are = if events.len() == 1 { "is" } else { "are" };
    let mut text = format!(
        "{many} {symbol} {are} due in the next {span}, sir, foremost {}.",
        told(first)
    );
    if events.len() > 1 {
        text.push('\n');
        for event in events.iter().take(MOST) {
            text.push_str(&format!("\n- {}", told(event)));
        }
        if events.len() > MOST {
            text.push_str(&format!("\n- and {} more", events.len() - MOST));
        }
    }
    text
}

fn traders(data: &Value, symbol: &str) -> String {
    let groups = || data["groups"].as_array().into_iter().flatten();
    let large = groups().find(|group| group["group"] == "noncommercial");
    let Some((large, net)) = large.and_then(|group| Some((group, group["net"].as_i64()?))) else {
        return format!("How the large traders of {symbol} are positioned is **unknown**, sir.");
    };
    let side = if net < 0 { "short" } else { "long" };
    let mut text = format!(
        "The large traders are net {side} by {} contracts in the future of {symbol}'s currency, sir, \
         as of {}.\n",
        net.unsigned_abs(),
        units::value("as_of", &data["as_of"])
    );
    for group in groups() {
        text.push_str(&format!(
            "\n- {}: {} long, {} short",
            units::label(group["group"].as_str().unwrap_or_default()),
            units::value("long", &group["long"]),
            units::value("short", &group["short"])
        ));
    }
    let change = &large["change"];
    if change.is_number() {
        text.push_str(&format!(
            "\n\nTheir net position changed by {} in the last week reported.",
            units::value("change", change)
        ));
    }
    text
}

fn trades(data: &Value, symbol: &str) -> String {
    let figures = &data["figures"];
    let figure = |name: &str| units::value(name, &figures[name]);
    match figures["closed"].as_u64() {
        None => format!("How your trades in {symbol} have gone is **unknown**, sir."),
        Some(0) => format!("You have no closed trades in {symbol}, sir."),
        Some(_) => {
            let net = figures["net"].as_f64().unwrap_or_default();
            let way = if net < 0.0 { "lost" } else { "made" };
            format!(
                "Your {} closed trades in {symbol} have {way} {:.2} net of costs, sir: {} won, {} \
                 lost.",
                figure("closed"),
                net.abs(),
                figure("wins"),
                figure("losses")
            )
        }
    }
}
