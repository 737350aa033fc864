//! Alerts: what is to be watched, what waits, and what is to be withdrawn.

use rehearsal::routine::{Call, Done, View, failure, units, words};
use serde_json::{Value, json};

use super::{Subject, call, once};
use crate::texts::alerts;

const SET: &str = "set_alert";
const LIST: &str = "list_alerts";
const WITHDRAW: &str = "withdraw_alert";

/// Words that ask to be told later, those that say when, and those for a crossing.
const TELLS: [&str; 5] = ["tell", "alert", "notify", "warn", "remind"];
const WHEN: [&str; 4] = ["when", "whenever", "once", "if"];
const CROSSES: [&str; 7] = [
    "crosses", "cross", "reaches", "hits", "touches", "breaks", "goes",
];
const UP: [&str; 4] = ["above", "over", "rises", "climbs"];
const DOWN: [&str; 4] = ["below", "under", "falls", "drops"];
const ENDS: [&str; 4] = ["withdraw", "cancel", "remove", "delete"];
const ASKS: [&str; 6] = ["which", "what", "list", "show", "any", "are"];
const INDICATORS: [&str; 3] = ["rsi", "ema", "sma"];

/// The words about alerts.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AlertWish {
    Set {
        level: f64,
        indicator: Option<&'static str>,
        direction: &'static str,
        timeframe: Option<String>,
    },
    List,
    Withdraw {
        level: Option<f64>,
        indicator: Option<&'static str>,
    },
}

impl AlertWish {
    /// Reads it off the words.
    pub(super) fn read(question: &str) -> Option<Self> {
        let said = words(question);
        let any = |signs: &[&str]| said.iter().any(|word| signs.contains(&word.as_str()));
        let level = said.iter().find_map(|word| word.parse::<f64>().ok());
        let level = level.filter(|level| level.is_finite() && *level > 0.0);
        let indicator = INDICATORS.into_iter().find(|name| any(&[name]));
        let names = any(&["alert", "alerts"]);
        let refused = any(&["don't", "don’t", "dont", "not", "never", "stop"]);
        if names && any(&ENDS) && !refused {
            return Some(Self::Withdraw { level, indicator });
        }
        let crosses = any(&CROSSES) || any(&UP) || any(&DOWN);
        let asks_for = any(&TELLS) && any(&WHEN) && crosses && !refused;
        if let Some(level) = level.filter(|_| asks_for) {
            let direction = match (any(&UP), any(&DOWN)) {
                (true, false) => "up",
                (false, true) => "down",
                _ => "either",
            };
            return Some(Self::Set {
                level,
                indicator,
                direction,
                timeframe: said.iter().find_map(|word| timeframe(word)),
            });
        }
        (names && any(&ASKS)).then_some(Self::List)
    }

    /// The next calls; nothing at all where the tools are missing.
    pub(super) fn calls(&self, view: &View<'_>, subject: &Subject) -> Option<Vec<Call>> {
        match self {
            Self::Set {
                level,
                indicator,
                direction,
                timeframe,
            } => {
                let mut input = json!({
                    "symbol": subject.symbol, "level": level, "direction": direction,
                });
                if let Some(indicator) = indicator {
                    input["indicator"] = json!(indicator);
                    input["timeframe"] = json!(timeframe.as_ref().unwrap_or(&subject.timeframe));
                }
                Some(once(view, view.tool(SET)?, &input))
            }
            Self::List => {
                let input = match Subject::named(view) {
                    Some(symbol) => json!({ "symbol": symbol }),
                    None => json!({}),
                };
                Some(once(view, view.tool(LIST)?, &input))
            }
            Self::Withdraw { level, indicator } => {
                let (list, withdraw) = (view.tool(LIST)?, view.tool(WITHDRAW)?);
                let Some(done) = done(view, LIST) else {
                    return Some(once(view, list, &json!({})));
                };
                if view.done.iter().any(|done| done.name == WITHDRAW) {
                    return Some(Vec::new());
                }
                let mut meant = waiting(done).filter(|alert| {
                    let subject = &alert["subject"];
                    level.is_none_or(|level| subject["level"] == json!(level))
                        && indicator.is_none_or(|name| subject["indicator"] == name)
                });
                // Which of several is for the person to say.
                let (Some(one), None) = (meant.next(), meant.next()) else {
                    return Some(Vec::new());
                };
                let input = json!({ "alert": one["id"] });
                Some(vec![call(withdraw, &input)])
            }
        }
    }

    /// The answer.
    pub(super) fn told(&self, view: &View<'_>) -> String {
        let failed = || view.done.iter().rev().find(|done| done.is_error);
        let (tool, without) = match self {
            Self::Set { .. } => (SET, alerts::NONE_SET),
            Self::List => (LIST, alerts::UNKNOWN),
            Self::Withdraw { .. } => (WITHDRAW, alerts::NOT_ONE),
        };
        let Some(done) = done(view, tool) else {
            return match failed() {
                Some(failed) => alerts::not_changed(&failure(failed)),
                None => without.to_owned(),
            };
        };
        let alert = &done.data["alert"];
        let said = |name: &str| units::safe(alert[name].as_str().unwrap_or_default());
        match self {
            Self::Set { .. } => alerts::set(&said("symbol"), &said("condition")),
            Self::Withdraw { .. } => alerts::withdrawn(&said("symbol"), &said("condition")),
            Self::List => list(done),
        }
    }
}

fn list(done: &Done) -> String {
    let lines: Vec<String> = waiting(done).map(line).collect();
    alerts::waiting(&lines)
}

fn line(alert: &Value) -> String {
    let text = |name: &str| units::safe(alert[name].as_str().unwrap_or_default());
    alerts::line(&text("symbol"), &text("condition"))
}

/// The result of a tool, if it has one since the newest words.
fn done<'v>(view: &'v View<'_>, tool: &str) -> Option<&'v Done> {
    let mut done = view.done.iter().rev();
    done.find(|done| done.name == tool && !done.is_error)
}

fn waiting(done: &Done) -> impl Iterator<Item = &Value> {
    let alerts = done.data["alerts"].as_array().into_iter().flatten();
    alerts.filter(|alert| alert["state"] == "waiting")
}

/// `1h` and `h1` are H1.
fn timeframe(word: &str) -> Option<String> {
    let count: String = word.chars().filter(char::is_ascii_digit).collect();
    let unit: String = word.chars().filter(|c| !c.is_ascii_digit()).collect();
    let is_one = !count.is_empty() && ["m", "h", "d", "w"].contains(&unit.as_str());
    is_one.then(|| format!("{}{count}", unit.to_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_about_alerts_are_understood() {
        let set = |level, indicator, direction, timeframe: Option<&str>| {
            Some(AlertWish::Set {
                level,
                indicator,
                direction,
                timeframe: timeframe.map(str::to_owned),
            })
        };
        for (question, expect) in [
            (
                "Tell me when EURUSD crosses 1.09.",
                set(1.09, None, "either", None),
            ),
            (
                "Alert me when the RSI goes above 70 on 1h.",
                set(70.0, Some("rsi"), "up", Some("H1")),
            ),
            (
                "notify me if the price falls below 1.1",
                set(1.1, None, "down", None),
            ),
            ("Which alerts are set?", Some(AlertWish::List)),
            (
                "Withdraw the alert at 1.09.",
                Some(AlertWish::Withdraw {
                    level: Some(1.09),
                    indicator: None,
                }),
            ),
            (
                "Cancel the alert on the RSI.",
                Some(AlertWish::Withdraw {
                    level: None,
                    indicator: Some("rsi"),
                }),
            ),
            ("Don't alert me when EURUSD crosses 1.09.", None),
            ("Tell me when the market opens.", None),
            ("Draw a line at 1.09.", None),
        ] {
            assert_eq!(AlertWish::read(question), expect, "{question}");
        }
    }
}
