//! Names a conversation for a list, from its first words.

use serde::Deserialize;

use super::view;
use crate::request::Request;

/// The words by which a request asks for a title: its system prompt says so, and has no tools.
const ASKS: &str = "You name conversations";
/// Words of a title.
const MOST: usize = 8;
/// Polite openings that a title leaves out, the longest first.
const OPENINGS: [&str; 14] = [
    "could you please ",
    "can you please ",
    "could you ",
    "can you ",
    "would you ",
    "please ",
    "jarvis, ",
    "show me ",
    "tell me about ",
    "tell me ",
    "give me ",
    "show ",
    "list ",
    "the ",
];
/// Words that begin a question: such a title says what was asked, not what is true for a moment.
const QUESTIONS: [&str; 14] = [
    "what", "which", "who", "how", "why", "when", "where", "is", "are", "does", "do", "did", "has",
    "have",
];

/// The beginning of a conversation.
#[derive(Deserialize)]
struct TitleInput {
    user: String,
    assistant: String,
}

/// Returns the title, if the request asks for one.
pub(super) fn asked(request: &Request) -> Option<String> {
    let system = request.system.iter();
    let mut texts = system.filter_map(|block| block["text"].as_str());
    if !request.tools.is_empty() || !texts.any(|text| text.starts_with(ASKS)) {
        return None;
    }
    let begun: TitleInput = serde_json::from_str(&view::newest_words(request)).ok()?;
    Some(title(&begun.user, &begun.assistant))
}

/// The title of an order says what came of it; that of a question, what was asked.
fn title(user: &str, assistant: &str) -> String {
    let line = user.lines().map(str::trim).find(|line| !line.is_empty());
    let line = line.unwrap_or_default();
    let about = without_openings(line.trim_end_matches(['?', '.', '!']));
    let first = about.split_whitespace().next().unwrap_or_default();
    let is_question = line.ends_with('?')
        || about.len() < line.trim_end_matches(['?', '.', '!']).len()
        || QUESTIONS
            .iter()
            .any(|word| first.eq_ignore_ascii_case(word));
    let said = (!is_question).then(|| outcome(assistant)).flatten();
    let words: Vec<_> = said
        .unwrap_or(about)
        .split_whitespace()
        .take(MOST)
        .collect();
    let title = words.join(" ");
    let mut letters = title.chars();
    match letters.next() {
        // Names of things keep their small letters.
        Some(first)
            if said.is_none() && about.len() == line.trim_end_matches(['?', '.', '!']).len() =>
        {
            first.to_uppercase().chain(letters).collect()
        }
        _ => title,
    }
}

fn without_openings(mut text: &str) -> &str {
    while let Some(rest) = OPENINGS.iter().find_map(|opening| {
        let start = text.get(..opening.len())?;
        start
            .eq_ignore_ascii_case(opening)
            .then(|| &text[opening.len()..])
    }) {
        text = rest;
    }
    text
}

/// The first sentence of an answer up to its first comma, if it is short and about a thing: what an
/// order did.
fn outcome(assistant: &str) -> Option<&str> {
    let line = assistant
        .lines()
        .find(|line| !line.trim().is_empty())?
        .trim();
    let end = line
        .char_indices()
        .find(|(at, c)| {
            matches!(c, ',' | ';' | ':') || (*c == '.' && line[at + 1..].starts_with([' ', '\n']))
        })
        .map_or(line.trim_end_matches('.').len(), |(at, _)| at);
    let sentence = &line[..end];
    let words = sentence.split_whitespace().count();
    let is_about =
        sentence.contains(" is ") || sentence.contains(" has ") || sentence.contains(" was ");
    let speaks_of_itself = ["I ", "That ", "There ", "Nothing ", "Here ", "It "]
        .iter()
        .any(|start| sentence.starts_with(start));
    let marked = sentence.contains(['*', '|', '`', '#', '[']);
    (is_about && !speaks_of_itself && !marked && (3..=MOST).contains(&words)).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_what_was_asked_or_done() {
        for (user, assistant, expect) in [
            (
                "Show me the CPU of pve over the last hour.",
                "pve is at 42 % now.",
                "CPU of pve over the last hour",
            ),
            (
                "Which node is the hottest?",
                "agent1 is the warmest, 45 °C.",
                "Which node is the hottest",
            ),
            (
                "stop media",
                "build-runner is stopped, after 3 s.",
                "build-runner is stopped",
            ),
            (
                "stop media",
                "I did not stop media: you denied it.",
                "Stop media",
            ),
            ("hi", "Good evening, sir.", "Hi"),
            (
                "please restart truenas",
                "truenas is running, after 4 s.",
                "restart truenas",
            ),
            ("", "", ""),
        ] {
            assert_eq!(title(user, assistant), expect, "{user}");
        }
    }
}
