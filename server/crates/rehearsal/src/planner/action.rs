//! Plain orders, such as "restart VM 101".

use super::words::{is_filler, original, words};

/// Something that the user plainly asks to have done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Action {
    /// The words that tools use for it, the likeliest first.
    pub(super) verbs: &'static [&'static str],
    /// What it is done to, when the words say.
    pub(super) object: Option<Object>,
    /// The command, for tools that run one.
    pub(super) command: Option<String>,
    /// The word after the last `on`.
    pub(super) place: Option<String>,
}

/// What an action is done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Object {
    Vm,
    Container,
    Node,
    Service,
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
    ("turn on", &["start", "wake"]),
    ("turn off", &["shutdown", "stop"]),
    ("power on", &["start", "wake"]),
    ("power off", &["shutdown", "stop"]),
    ("wake", &["wake"]),
    ("wake up", &["wake"]),
    ("migrate", &["migrate"]),
    ("snapshot", &["snapshot"]),
    ("back up", &["backup"]),
    ("suspend", &["suspend"]),
    ("resume", &["resume"]),
    ("delete", &["delete", "remove", "destroy"]),
    ("remove", &["remove", "delete"]),
    ("destroy", &["destroy", "delete", "remove"]),
    ("run", &["run", "execute", "exec"]),
    ("execute", &["execute", "run", "exec"]),
];

/// Whether a word alone is an order.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.iter().any(|(verb, _)| *verb == word)
}

/// The parts of a tool's name that mean that it changes something.
pub(super) fn changes_something(part: &str) -> bool {
    const MORE: &[&str] = &[
        "set", "create", "update", "write", "send", "add", "kill", "apply", "clone", "restore",
        "exec", "trade", "buy", "sell", "order", "place", "cancel",
    ];
    MORE.contains(&part) || VERBS.iter().any(|(_, tools)| tools.contains(&part))
}

/// Reads an order: a verb at the beginning, after nothing but politeness, and an object.
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
    let (length, verbs) = VERBS
        .iter()
        .filter_map(|(verb, tools)| {
            let length = verb.split(' ').count();
            let same = verb
                .split(' ')
                .eq(rest.iter().take(length).map(String::as_str));
            same.then_some((length, *tools))
        })
        .max_by_key(|(length, _)| *length)?;
    let rest = &rest[length..];
    let has = |signs: &[&str]| rest.iter().any(|word| signs.contains(&word.as_str()));
    let object = if has(&["container", "lxc", "ct"]) {
        Some(Object::Container)
    } else if has(&["vm", "machine", "guest"]) {
        Some(Object::Vm)
    } else if has(&["node", "host", "server"]) {
        Some(Object::Node)
    } else if has(&["service", "unit", "daemon"]) {
        Some(Object::Service)
    } else {
        None
    };
    let command = verbs
        .contains(&"execute")
        .then(|| command(question))
        .flatten();
    // "Start with the storage" orders nothing.
    let vague = object.is_none()
        && command.is_none()
        && (rest.is_empty() || matches!(rest[0].as_str(), "with" | "by" | "from" | "over"));
    (!vague).then_some(Action {
        verbs,
        object,
        command,
        place: place(question),
    })
}

fn place(question: &str) -> Option<String> {
    let said = original(question);
    let on = said
        .iter()
        .rposition(|word| word.eq_ignore_ascii_case("on"))?;
    let rest = said[on + 1..].iter();
    rest.copied()
        .find(|word| !is_filler(word) && !word.eq_ignore_ascii_case("node"))
        .map(str::to_owned)
}

/// What stands in backticks or quotes, or between the verb and the place.
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
