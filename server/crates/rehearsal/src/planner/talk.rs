//! Talk that needs no tool.

use crate::planner::words::words;

/// Talk that needs no tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Talk {
    Greeting,
    Thanks,
    Identity,
    Help,
    /// Withdraws the last order.
    Cancel,
    /// Yes to what was asked back.
    Yes,
}

/// Words that take back what was asked for.
const CANCEL: &[&[&str]] = &[
    &["cancel"],
    &["cancel", "that"],
    &["cancel", "it"],
    &["cancel", "this"],
    &["never", "mind"],
    &["nevermind"],
    &["forget", "it"],
    &["forget", "that"],
    &["forget", "about", "it"],
    &["leave", "it"],
    &["scrap", "that"],
    &["don't"],
    &["don’t"],
    &["dont"],
    &["do", "not"],
    &["no", "wait"],
    &["on", "second", "thought"],
    &["changed", "my", "mind"],
];

/// True if the words take something back: they open with it, after nothing but "ok, no", and hardly go
/// on; or a part of them behind a full stop or a comma does.
fn cancels(question: &str) -> bool {
    let breaks = question.match_indices(['.', ',', ';', '!', '\n', '–', '—']);
    let later = breaks.filter_map(|(at, sign)| question.get(at + sign.len()..));
    std::iter::once(question)
        .chain(later)
        .any(|part| opens_so(&words(part)))
}

fn opens_so(said: &[String]) -> bool {
    const BEFORE: &[&str] = &[
        "ok", "okay", "no", "please", "wait", "actually", "oh", "hm", "hmm", "ah", "sorry",
        "jarvis", "then", "well", "sir", "i", "i've", "and", "but", "stop", "so",
    ];
    /// Words that may follow.
    const AFTER: usize = 5;
    let Some(from) = said
        .iter()
        .position(|word| !BEFORE.contains(&word.as_str()))
    else {
        return false;
    };
    let fitting = CANCEL.iter().filter(|sign| {
        let start = said.get(from..from + sign.len());
        start.is_some_and(|start| start.iter().eq(sign.iter()))
    });
    let Some(length) = fitting.map(|sign| sign.len()).max() else {
        return false;
    };
    let rest = said.len() - from - length;
    rest == 0 || length > 1 && rest <= AFTER
}

/// Words of thanks and of praise, with what is said around them.
const THANKS: &[&str] = &[
    "thank",
    "thanks",
    "thx",
    "ty",
    "cheers",
    "appreciated",
    "appreciate",
    "bravo",
    "grateful",
];
const PRAISE: &[&str] = &[
    "good",
    "great",
    "nice",
    "nicely",
    "well",
    "excellent",
    "perfect",
    "brilliant",
    "wonderful",
    "lovely",
    "splendid",
    "superb",
    "fantastic",
    "amazing",
    "awesome",
    "impressive",
    "marvellous",
    "helpful",
    "kind",
];
const PRAISED: &[&str] = &["work", "job", "done", "one", "stuff", "help"];
const AROUND: &[&str] = &[
    "a",
    "all",
    "and",
    "as",
    "awfully",
    "always",
    "bye",
    "day",
    "ever",
    "everything",
    "exactly",
    "for",
    "friend",
    "goodbye",
    "have",
    "i",
    "i'm",
    "is",
    "it",
    "it's",
    "jarvis",
    "just",
    "lot",
    "many",
    "me",
    "more",
    "much",
    "my",
    "needed",
    "no",
    "of",
    "oh",
    "ok",
    "okay",
    "really",
    "sir",
    "so",
    "such",
    "that",
    "that's",
    "the",
    "then",
    "there",
    "this",
    "today",
    "truly",
    "us",
    "very",
    "wanted",
    "was",
    "we",
    "what",
    "yes",
    "you",
    "your",
    "you're",
    "million",
    "again",
];

/// True if the words thank or praise, and do nothing else.
pub(super) fn only_thanks(question: &str) -> bool {
    let said = words(question);
    let of = |list: &[&str], word: &String| list.contains(&word.as_str());
    let praises = said
        .windows(2)
        .any(|pair| of(PRAISE, &pair[0]) && of(PRAISED, &pair[1]));
    let is_one = said.iter().any(|word| of(THANKS, word))
        || praises
        || said.len() == 1 && said.iter().all(|word| of(PRAISE, word));
    is_one
        && !question.contains('?')
        && said.iter().all(|word| {
            [THANKS, PRAISE, PRAISED, AROUND]
                .iter()
                .any(|list| list.contains(&word.as_str()))
        })
}

pub(super) fn read(question: &str) -> Option<Talk> {
    let said = words(question);
    let has = |word: &str| said.iter().any(|said| said == word);
    let pair = |a: &str, b: &str| said.windows(2).any(|p| p[0] == a && p[1] == b);
    if pair("who", "are") || pair("your", "name") || pair("what", "are") && has("you") {
        return Some(Talk::Identity);
    }
    if pair("can", "you") && (has("what") || has("help")) && !has("explain") || said == ["help"] {
        return Some(Talk::Help);
    }
    if cancels(question) {
        return Some(Talk::Cancel);
    }
    if only_thanks(question) {
        return Some(Talk::Thanks);
    }
    if said.len() > 4 {
        return None;
    }
    let yes = [
        "yes", "yeah", "yep", "yup", "sure", "correct", "exactly", "please", "that", "one", "it",
        "do",
    ];
    let agrees = said
        .first()
        .is_some_and(|word| yes[..7].contains(&word.as_str()));
    if agrees && said.iter().all(|word| yes.contains(&word.as_str())) {
        return Some(Talk::Yes);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thanks_are_thanks_in_any_form_and_nothing_else_is() {
        for (said, expect) in [
            ("thanks", true),
            ("Thank you, good work", true),
            ("Many thanks, Jarvis. That was very helpful!", true),
            ("well done", true),
            ("Nice job, that is exactly what I needed. Thank you", true),
            ("no thanks", true),
            ("thanks, now restart media", false),
            ("Thank you, which VMs are stopped?", false),
            ("thank you for the backups, delete them", false),
            ("is it good work?", false),
            ("good", true),
            ("one job", false),
        ] {
            assert_eq!(only_thanks(said), expect, "{said}");
        }
    }
}
