//! Questions after an uptime, which has many words.

use super::Ask;
use crate::planner::words::meaning;

/// Puts the uptime in the place of the words that ask for it.
pub(super) fn read(ask: &mut Ask, said: &[String]) {
    let pair = |a: &str, b: &str| said.windows(2).any(|pair| pair[0] == a && pair[1] == b);
    let any = |words: &[&str]| said.iter().any(|word| words.contains(&word.as_str()));
    let is_up = any(&["up"])
        && (pair("been", "up") || pair("up", "for") || pair("up", "since") || pair("are", "up"))
        && (ask.bound.is_some() || any(&["since", "long"]));
    let is_longest = any(&["up", "running"]) && any(&["longest", "shortest"]);
    if is_up || pair("how", "long") || is_longest {
        ask.content
            .retain(|word| !matches!(word.as_str(), "long" | "run"));
        ask.content.push(meaning("uptime"));
    }
    // "When was it last restarted?"
    let is_start = |word: &String| matches!(word.as_str(), "restart" | "start");
    let is_when = said.first().is_some_and(|word| word == "when") && any(&["last"]);
    let asks = ask.action.is_none() && ask.names_a_thing();
    if asks && is_when && ask.content.iter().any(is_start) {
        ask.content.retain(|word| !is_start(word));
        ask.content.push(meaning("uptime"));
    }
}
