//! Plain orders, such as "restart VM 101".

use super::words::{stem, words};

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
    ("turn on", &["start", "wake", "enable", "switch"]),
    ("turn off", &["shutdown", "stop", "disable", "switch"]),
    ("switch on", &["start", "wake", "enable", "switch"]),
    ("switch off", &["shutdown", "stop", "disable", "switch"]),
    ("power on", &["start", "wake"]),
    ("power off", &["shutdown", "stop"]),
    ("wake", &["wake", "start"]),
    ("wake up", &["wake", "start"]),
    ("bounce", &["restart", "reboot", "reset"]),
    ("kill", &["stop", "shutdown"]),
    ("migrate", &["migrate"]),
    ("move", &["move", "migrate"]),
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
    ("draw", &["draw"]),
    ("mark", &["draw"]),
    ("run", &["run", "execute", "exec"]),
    ("execute", &["execute", "run", "exec"]),
];

/// Words that take something out of what an order is for.
const EXCEPT: &[&str] = &[
    "except",
    "excepting",
    "exclude",
    "excluding",
    "but",
    "bar",
    "barring",
    "besides",
    "save",
    "without",
    "apart",
    "aside",
    "rather",
];

/// Words that deny.
const DENY: &[&str] = &[
    "not",
    "no",
    "nothing",
    "none",
    "never",
    "don't",
    "don’t",
    "dont",
    "leave",
    "spare",
    "skip",
    "neither",
    "nor",
    "nobody",
    "nowhere",
    "hardly",
    "cannot",
    "can't",
    "won't",
    "isn't",
    "doesn't",
    "shouldn't",
    "otherwise",
    "against",
    "keep",
];

/// Words for more than one thing, or for another time than now.
const WIDE: &[&str] = &[
    "all",
    "every",
    "everything",
    "everyone",
    "each",
    "any",
    "anything",
    "both",
    "several",
    "some",
    "or",
    "instead",
    "if",
    "unless",
    "when",
    "whenever",
    "once",
    "after",
    "before",
    "until",
    "while",
    "later",
    "tomorrow",
    "tonight",
    "soon",
    "sometimes",
    "maybe",
    "perhaps",
    "possibly",
    "hourly",
    "daily",
    "nightly",
    "weekly",
    "monthly",
    "whoever",
    "whatever",
    "whichever",
    "wherever",
    "whether",
    "somebody",
    "someone",
    "something",
    "almost",
    "nearly",
    "versus",
    "between",
    "besides",
    "upon",
];

/// Of them those for another time.
const LATER: &[&str] = &[
    "when", "whenever", "once", "after", "before", "until", "while", "later", "tomorrow",
    "tonight", "soon", "hourly", "daily", "nightly", "weekly", "monthly", "at",
];

/// True if a word of doubt is for another time than now.
pub(super) fn is_later(word: &str) -> bool {
    LATER.contains(&word)
}

/// The word that takes something out of what a sentence is for.
pub fn exception(said: &[String]) -> Option<&str> {
    let mut said = said.iter().map(String::as_str);
    said.find(|word| EXCEPT.contains(word))
}

/// The word that makes more of an order than one thing done now. Who overlooks it does what nobody
/// asked for.
pub(super) fn doubt(action: &Action) -> Option<&str> {
    if action.command.is_some() {
        return None;
    }
    let mut words = action.rest.iter().map(String::as_str);
    let at = action
        .rest
        .windows(2)
        .find(|pair| pair[0] == "at" && pair[1].starts_with(|c: char| c.is_ascii_digit()));
    exception(&action.rest)
        .or_else(|| words.find(|word| DENY.contains(word) || WIDE.contains(word)))
        .or_else(|| at.map(|pair| pair[0].as_str()))
}

/// True if a statement is about something that can be ordered, such as "smbd should be restarted".
pub(super) fn speaks_of_one(said: &[String]) -> bool {
    said.iter()
        .any(|word| VERBS.iter().any(|(verb, _)| stem(verb) == stem(word)))
}

/// True if a word alone is an order.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.iter().any(|(verb, _)| *verb == word)
}

/// True if a sentence that opens with a word orders something, though no tool may be called so.
pub(super) fn opens_order(word: &str) -> bool {
    const MORE: &[&str] = &[
        "approve", "book", "change", "close", "draft", "make", "open", "pay", "prepare", "record",
        "set", "submit", "take", "update", "write",
    ];
    is_verb(word) || MORE.contains(&word)
}

/// True if a word more makes another sentence of one: it denies, widens or asks for a reason.
pub(super) fn turns(word: &str) -> bool {
    word == "why"
        || [DENY, WIDE, EXCEPT]
            .iter()
            .any(|words| words.contains(&word))
}

/// Words that may stand before the verb of an order.
const POLITE: &[&str] = &[
    "please", "kindly", "jarvis", "now", "then", "and", "so", "ok", "okay", "well", "right", "can",
    "could", "would", "will", "you", "go", "ahead", "just", "i", "want", "need", "to", "like",
    "let", "us", "sir", "yes",
];

/// True if a word before the verb of an order says nothing.
pub(super) fn is_polite(word: &str) -> bool {
    POLITE.contains(&word)
}

/// Reads an order: a verb at the beginning, after nothing but politeness, and something behind it.
pub(super) fn read(question: &str) -> Option<Action> {
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
    // "Take a snapshot of it": what is to be done is a noun.
    if matches!(first.as_str(), "take" | "make" | "create")
        && let Some((_, verbs)) = VERBS.iter().find(|(verb, _)| *verb == "snapshot")
        && let Some(at) = rest
            .iter()
            .take(3)
            .position(|word| verbs.contains(&word.as_str()))
    {
        return Some((verbs, rest[at + 1..].to_vec()));
    }
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

/// True if a happening, such as `qmstop`, may be why a thing is in a state: it ends with what can be
/// ordered, and what starts a thing does not stop it.
pub(super) fn may_lead_to(kind: &str, state: &str) -> bool {
    let ends = |verbs: &[&str]| verbs.iter().any(|verb| kind.ends_with(verb));
    match state {
        "stopped" => ends(&["stop", "shutdown", "halt", "destroy"]),
        "running" => ends(&["start", "boot", "reset", "resume", "wake"]),
        "paused" | "suspended" => ends(&[
            "suspend",
            "pause",
            "hibernate",
            "migrate",
            "snapshot",
            "rollback",
        ]),
        _ => VERBS.iter().any(|(_, tools)| ends(tools)),
    }
}

/// True if a word is what tools call something that can be ordered.
pub(super) fn is_of_tools(word: &str) -> bool {
    VERBS.iter().any(|(_, tools)| tools.contains(&word))
        || matches!(word, "update" | "draw" | "scroll" | "set")
}
