//! Talk that needs no tool.

use crate::planner::words::words;

/// Talk that needs no tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Talk {
    Greeting,
    Thanks,
    Identity,
    Help,
}

pub(super) fn read(question: &str) -> Option<Talk> {
    let said = words(question);
    let has = |word: &str| said.iter().any(|said| said == word);
    let pair = |a: &str, b: &str| said.windows(2).any(|p| p[0] == a && p[1] == b);
    if pair("who", "are") || pair("your", "name") || pair("what", "are") && has("you") {
        return Some(Talk::Identity);
    }
    if pair("can", "you") && (has("what") || has("help")) || said == ["help"] {
        return Some(Talk::Help);
    }
    if said.len() > 4 {
        return None;
    }
    match said.first()?.as_str() {
        "hello" | "hi" | "hey" | "greetings" => Some(Talk::Greeting),
        "good"
            if ["morning", "afternoon", "evening", "day"]
                .iter()
                .any(|w| has(w)) =>
        {
            Some(Talk::Greeting)
        }
        "thanks" | "thank" | "cheers" => Some(Talk::Thanks),
        _ => None,
    }
}
