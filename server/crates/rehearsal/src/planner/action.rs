//! Plain orders, such as "restart VM 101".

use super::words::words;

/// Something that the person plainly asks to have done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Action {
    /// The words that tools use for it, the likeliest first.
    pub(super) verbs: &'static [&'static str],
    /// The words behind the verb.
    pub(super) rest: Vec<String>,
    /// The text in quotes, or between the verb and the place, where it is to be run.
    pub(super) command: Option<String>,
}

const VERBS: &[(&str, &[&str])] = &[
    ("restart", &["restart", "reboot", "reset"]),
    ("reboot", &["reboot", "restart", "reset"]),
    ("start", &["start", "boot"]),
    ("boot", &["start", "boot"]),
    ("stop", &["stop", "shutdown", "halt"]),
    ("halt", &["stop", "halt", "shutdown"]),
    ("shutdown", &["shutdown", "stop"]),
    ("shut down", &["shutdown", "stop"]),
    ("turn on", &["start", "wake", "enable"]),
    ("turn off", &["shutdown", "stop", "disable"]),
    ("switch on", &["start", "wake", "enable"]),
    ("switch off", &["shutdown", "stop", "disable"]),
    ("power on", &["start", "wake"]),
    ("power off", &["shutdown", "stop"]),
    ("wake", &["wake"]),
    ("wake up", &["wake"]),
    ("migrate", &["migrate"]),
    ("snapshot", &["snapshot"]),
    ("suspend", &["suspend"]),
    ("resume", &["resume"]),
    ("delete", &["delete", "remove", "destroy"]),
    ("remove", &["remove", "delete"]),
    ("destroy", &["destroy", "delete", "remove"]),
    ("create", &["create", "add"]),
    ("add", &["add", "create"]),
    ("send", &["send"]),
    ("cancel", &["cancel"]),
    ("undo", &["undo"]),
    ("run", &["run", "execute", "exec"]),
    ("execute", &["execute", "run", "exec"]),
];

/// True if a word alone is an order.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.iter().any(|(verb, _)| *verb == word)
}

/// Reads an order: a verb at the beginning, after nothing but politeness, and something behind it.
pub(super) fn read(question: &str) -> Option<Action> {
    const POLITE: &[&str] = &[
        "please", "kindly", "jarvis", "now", "then", "and", "so", "ok", "okay", "well", "right",
        "can", "could", "would", "will", "you", "go", "ahead", "just", "i", "want", "need", "to",
        "like", "let", "us", "sir", "yes",
    ];
    let said = words(question);
    let start = said
        .iter()
        .position(|word| !POLITE.contains(&word.as_str()))?;
    let rest = &said[start..];
    let (verbs, rest) = verb(rest)?;
    let command = verbs
        .contains(&"execute")
        .then(|| command(question))
        .flatten();
    // "Start with the storage" orders nothing.
    let vague = matches!(
        rest.first().map(String::as_str),
        None | Some("with" | "by" | "from" | "over")
    );
    (!vague || command.is_some()).then_some(Action {
        verbs,
        rest,
        command,
    })
}

/// The verb, which may stand around its object (`switch it on`), and the other words.
fn verb(said: &[String]) -> Option<(&'static [&'static str], Vec<String>)> {
    let (first, rest) = said.split_first()?;
    for particle in ["off", "down", "up", "on"] {
        let Some(at) = rest.iter().position(|word| word == particle) else {
            continue;
        };
        let pair = format!("{first} {particle}");
        if let Some((_, verbs)) = VERBS.iter().find(|(verb, _)| *verb == pair) {
            let mut rest = rest.to_vec();
            rest.remove(at);
            return Some((verbs, rest));
        }
    }
    let (_, verbs) = VERBS.iter().find(|(verb, _)| verb == first)?;
    Some((verbs, rest.to_vec()))
}

/// The text in backticks or quotes, or between the verb and the place.
fn command(question: &str) -> Option<String> {
    for quote in ['`', '"', '\''] {
        if let Some((_, rest)) = question.split_once(quote)
            && let Some((command, _)) = rest.split_once(quote)
            && !command.trim().is_empty()
        {
            return Some(command.trim().to_owned());
        }
    }
    let lower = question.to_ascii_lowercase();
    let start = ["run ", "execute "]
        .iter()
        .find_map(|verb| Some(lower.find(verb)? + verb.len()))?;
    let end = lower[start..].rfind(" on ").map(|at| start + at)?;
    let command = question.get(start..end)?.trim();
    (!command.is_empty()).then(|| command.to_owned())
}

/// True if the name of a happening ends with what can be ordered, such as `qmstop`.
pub(super) fn ends_with_verb(kind: &str) -> bool {
    VERBS
        .iter()
        .flat_map(|(_, tools)| tools.iter())
        .any(|verb| kind.ends_with(verb))
}

/// True if a word is what tools call something that can be ordered.
pub(super) fn is_of_tools(word: &str) -> bool {
    VERBS.iter().any(|(_, tools)| tools.contains(&word))
        || matches!(word, "update" | "draw" | "scroll" | "set")
}
