//! Sentences for people are in the `texts` of their crate, so that another language is another table.

use std::fs;

use crate::tidy::stopped_phrases;
use crate::tree::{files_ending, is_test, read, root};

/// Folders whose sentences are in their `texts`, beside the toolset of each domain.
const FOLDERS: [&str; 26] = [
    "app/crates/outbox/src",
    "app/crates/protocol/src",
    "app/crates/transcript/src",
    "app/crates/units/src",
    "app/kit/src",
    "app/src",
    "frontend/src",
    "server/crates/agent/src",
    "server/crates/agui/src",
    "server/crates/mcp-client/src",
    "server/crates/mcp-connection/src",
    "server/crates/mcp-stdio/src",
    "server/crates/mcp/src",
    "server/crates/model/src",
    "server/crates/otlp/src",
    "server/crates/rehearsal/src/planner",
    "server/crates/sign-in/src",
    "server/crates/store/src",
    "server/crates/webhooks/src",
    "server/domains/field/dispatch/src",
    "server/domains/field/package/src",
    "server/domains/field/queue/src",
    "server/domains/field/redaction/src",
    "server/domains/field/runner/src",
    "server/domains/markets/routine/src",
    "server/src",
];

const FOR_A_MODEL: &str = "for the model";

/// Files whose only job is texts, or whose texts a model reads.
const TABLES: [(&str, &str); 14] = [
    ("server/crates/agent/src/error.rs", "the table of refusals"),
    ("server/crates/agent/src/persona.rs", FOR_A_MODEL),
    ("server/crates/agent/src/prompt.rs", FOR_A_MODEL),
    (
        "server/crates/model/src/reader/replay.rs",
        "answers in the vendor's fixtures, which only tests read",
    ),
    (
        "server/domains/homelab/toolset/src/error.rs",
        "the help of each error",
    ),
    (
        "server/domains/homelab/toolset/src/task_kinds.rs",
        "the table of tasks",
    ),
    ("server/domains/homelab/toolset/src/prompt.rs", FOR_A_MODEL),
    (
        "server/domains/homelab/toolset/src/ssh/error.rs",
        "the help of each error",
    ),
    (
        "server/domains/homelab/toolset/src/ssh/grammar/table.rs",
        "the table of commands",
    ),
    ("server/domains/markets/toolset/src/prompt.rs", FOR_A_MODEL),
    (
        "server/domains/markets/toolset/src/tools/draw/say.rs",
        "the table of drawings",
    ),
    (
        "server/src/config/example.rs",
        "the head of jarvis.example.toml",
    ),
    ("server/src/feed/wording.rs", "the table of the feed"),
    (
        "server/src/feed/wording/refusals.rs",
        "the words of refusals in the feed",
    ),
];

/// Macros whose texts nobody reads on a page: logs, and what ends the process or a test. `waits` puts
/// together descriptions of tools.
const MACROS: [&str; 14] = [
    "assert",
    "assert_eq",
    "debug",
    "debug_assert",
    "error",
    "event",
    "info",
    "panic",
    "span",
    "trace",
    "unreachable",
    "waits",
    "warn",
    "include_str",
];

/// Functions whose bodies define a tool for the model, and methods whose arguments are the help of the
/// configuration's keys, a table of its own.
const DEFINITIONS: [&str; 2] = ["description", "spec"];
const DECLARATIONS: [&str; 5] = ["examples", "key", "section", "table", "under"];

/// Constants that only a model reads.
const FOR_THE_MODEL: [&str; 4] = ["DESCRIPTION", "EXAMPLES", "PROMPT", "SYSTEM"];

/// Positions in which two words are a sentence for people, even without a full stop.
const LABELS: [&str; 3] = ["label", "meaning", "with_help"];

#[test]
fn sentences_for_people_are_in_texts() {
    let files = sources();
    for (table, _) in TABLES {
        let exists = files.iter().any(|(file, _)| file == table);
        assert!(exists, "there is no table {table}");
    }
    let toolsets = domains().into_iter();
    let toolsets = toolsets.map(|domain| format!("server/domains/{domain}/toolset/src"));
    let folders: Vec<_> = FOLDERS
        .map(str::to_owned)
        .into_iter()
        .chain(toolsets)
        .collect();
    let mut elsewhere = Vec::new();
    for folder in &folders {
        let of_folder = files.iter().filter(|(file, _)| {
            file.strip_prefix(folder.as_str()).is_some_and(|rest| {
                // Of the crate, or of one of its panels or domains.
                rest.starts_with('/') && !rest.ends_with("/texts.rs") && !rest.contains("/texts/")
            }) && TABLES.iter().all(|(table, _)| file != table)
        });
        let mut seen = 0;
        for (file, text) in of_folder {
            seen += 1;
            let sentences = sentences(text).into_iter();
            elsewhere.extend(sentences.map(|(line, text)| format!("{file}:{line}: {text}")));
        }
        assert!(seen > 0, "{folder} has no files");
    }
    assert!(
        elsewhere.is_empty(),
        "move these to the crate's `texts`: {elsewhere:#?}"
    );
}

/// The `texts` of all crates, and the tables for people and for models that are elsewhere.
#[test]
fn texts_are_free_of_the_stop_list() {
    let mut seen = 0;
    let mut found = Vec::new();
    for (file, source) in sources() {
        let in_texts = file.ends_with("/texts.rs") || file.contains("/texts/");
        if !in_texts && TABLES.iter().all(|(table, _)| file != *table) {
            continue;
        }
        seen += 1;
        for token in tokens(&source) {
            if let Kind::Text(text) = &token.kind {
                let phrases = stopped_phrases(text).into_iter();
                let line = token.line;
                found.extend(phrases.map(|phrase| format!("{file}:{line}: {phrase}: {text}")));
            }
        }
    }
    assert!(seen > 50, "the texts were not found");
    assert!(
        found.is_empty(),
        "write these as a native speaker would: {found:#?}"
    );
}

#[test]
fn a_sentence_is_found_and_nothing_else() {
    let found = |code: &str| !sentences(code).is_empty();
    for sentence in [
        r#"fn a() { refuse("The file is empty.") }"#,
        r#"fn a() { format!("{name} is stopped already.") }"#,
        "fn a() { refuse(\"The file is \\\n    empty.\") }",
        r##"const A: &str = r#"Is it empty?"#;"##,
        r#"fn a() { error.with_help("try again") }"#,
        r#"fn a() { Fact { label: "State now".to_owned() } }"#,
    ] {
        assert!(found(sentence), "{sentence}");
    }
    for other in [
        r#"fn a() { tracing::warn!(file, "The file is empty."); }"#,
        r#"#[error("The file is empty.")] struct A;"#,
        r#"fn spec() -> A { new("Reads a file, whatever it is.") }"#,
        r#"const DESCRIPTION: &str = "Reads a file, whatever it is.";"#,
        r#"fn a() { r.section("a", "All that is about a.") }"#,
        r#"fn a() { query("SELECT a FROM b WHERE c = ?") }"#,
        r#"fn a() { refuse("the file is empty") }"#,
        r#"// "The file is empty.""#,
        r#"fn a() { tool("a", &["Which file is empty?"]) }"#,
        r#"fn a() { json!({ "description": format!("Between {a} and {b}.") }) }"#,
        r#"fn a() { Fact { label: "State" } }"#,
        "#[cfg(test)]\nmod tests { fn a() { refuse(\"The file is empty.\") } }",
    ] {
        assert!(!found(other), "{other}");
    }
}

/// The sentences for people in a file, each with its line.
fn sentences(source: &str) -> Vec<(usize, String)> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some(end) = passed_over(&tokens, at) {
            at = end;
            continue;
        }
        if let Kind::Text(text) = &token.kind
            && (is_sentence(text) || (text.contains(' ') && is_label(&tokens, at)))
        {
            found.push((token.line, text.clone()));
        }
        at += 1;
    }
    found
}

fn is_sentence(text: &str) -> bool {
    let is_sql = ["SELECT", "INSERT", "UPDATE", "DELETE"]
        .iter()
        .any(|verb| text.starts_with(verb));
    text.starts_with(|first: char| first.is_uppercase() || first == '{')
        && text.ends_with(['.', '?', '!'])
        && text.split_whitespace().count() >= 3
        && !is_sql
}

/// True for the text of a label or a line of help: `label: "…"`, `with_help("…")`.
fn is_label(tokens: &[Token], at: usize) -> bool {
    // A formatted one begins with `format!(`.
    let formatted = at.checked_sub(3).is_some_and(|it| tokens[it].is("format"));
    let at = if formatted { at - 3 } else { at };
    let Some(name) = at.checked_sub(2).map(|it| &tokens[it]) else {
        return false;
    };
    (tokens[at - 1].is("(") || tokens[at - 1].is(":")) && LABELS.iter().any(|it| name.is(it))
}

/// The end of what nobody reads on a page and begins here.
fn passed_over(tokens: &[Token], at: usize) -> Option<usize> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let token = &tokens[at];
    if token.is("#") {
        let open = if is(at + 1, "!") { at + 2 } else { at + 1 };
        let end = is(open, "[").then(|| closed(tokens, open))?;
        let of_tests = is(open + 1, "cfg") && is(open + 3, "test");
        return Some(if of_tests {
            end_of_item(tokens, end)
        } else {
            end
        });
    }
    if token.is("&") && is(at + 1, "[") {
        // A list of texts only: the examples of a tool.
        let end = closed(tokens, at + 1);
        let items = &tokens[at + 2..end - 1];
        let of_texts = |it: &Token| matches!(it.kind, Kind::Text(_)) || it.is(",");
        return items.iter().all(of_texts).then_some(end);
    }
    if matches!(&token.kind, Kind::Text(key) if key == "description") && is(at + 1, ":") {
        // The schema of a tool's input.
        return Some(end_of_value(tokens, at));
    }
    let Kind::Word(word) = &token.kind else {
        return None;
    };
    let word = word.as_str();
    if MACROS.contains(&word) && is(at + 1, "!") {
        return Some(closed(tokens, at + 2));
    }
    let crash_point = word == "point" && at > 2 && is(at - 3, "crash");
    if (DECLARATIONS.contains(&word) && is(at.wrapping_sub(1), "."))
        || matches!(word, "examples" | "ToolExample")
        || crash_point
    {
        // A generic one has its types before the arguments.
        let open = (at..at + 12).find(|at| is(*at, "(") || is(*at, ";") || is(*at, "{"));
        return open
            .filter(|open| is(*open, "("))
            .map(|open| closed(tokens, open));
    }
    if word == "fn" && DEFINITIONS.iter().any(|name| is(at + 1, name)) {
        return Some(end_of_item(tokens, at));
    }
    if matches!(word, "const" | "static") && FOR_THE_MODEL.iter().any(|name| is(at + 1, name)) {
        return Some(end_of_item(tokens, at));
    }
    None
}

/// The end of an item: of its block, or after its semicolon.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        if token.is(";") {
            return at + 1;
        }
        if token.is("(") || token.is("[") {
            at = closed(tokens, at);
        } else if token.is("{") {
            return closed(tokens, at);
        } else {
            at += 1;
        }
    }
    at
}

/// The place after a value in an object.
fn end_of_value(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        if ["(", "[", "{"].iter().any(|open| token.is(open)) {
            at = closed(tokens, at);
        } else if [",", ")", "]", "}"].iter().any(|end| token.is(end)) {
            return at;
        } else {
            at += 1;
        }
    }
    at
}

/// The place after the bracket that closes the one here.
fn closed(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match &token.kind {
            Kind::Sign('(' | '[' | '{') => depth += 1,
            Kind::Sign(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

struct Token {
    kind: Kind,
    line: usize,
}

impl Token {
    fn is(&self, text: &str) -> bool {
        match &self.kind {
            Kind::Word(word) => word == text,
            Kind::Sign(sign) => text.chars().eq([*sign]),
            Kind::Text(_) => false,
        }
    }
}

enum Kind {
    Word(String),
    /// A string literal as it is written, its continued lines joined.
    Text(String),
    Sign(char),
}

/// The tokens of a Rust file without its comments, characters and lifetimes.
fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let start = line;
        let (kind, length) = token(rest, first);
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
        tokens.extend(kind.map(|kind| Token { kind, line: start }));
    }
    tokens
}

/// The next token, if it counts, and its length.
fn token(rest: &str, first: char) -> (Option<Kind>, usize) {
    if rest.starts_with("//") {
        return (None, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (None, rest.find("*/").map_or(rest.len(), |end| end + 2));
    }
    let raw = rest.strip_prefix('r').map(|rest| {
        let hashes = rest.chars().take_while(|sign| *sign == '#').count();
        (hashes, rest[hashes..].starts_with('"'))
    });
    if let Some((hashes, true)) = raw {
        let from = 2 + hashes;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = rest[from..].find(&end).expect("the end of a raw text");
        let text = rest[from..from + length].to_owned();
        return (Some(Kind::Text(text)), from + length + end.len());
    }
    if first == '"' {
        let mut escaped = false;
        let inner = &rest[1..];
        let length = inner
            .find(|sign| {
                let ends = sign == '"' && !escaped;
                escaped = sign == '\\' && !escaped;
                ends
            })
            .expect("the end of a text");
        let mut lines = inner[..length].split("\\\n");
        let mut text = lines.next().unwrap_or_default().to_owned();
        lines.for_each(|line| text.push_str(line.trim_start()));
        return (Some(Kind::Text(text)), length + 2);
    }
    if first == '\'' {
        let escaped = rest[1..].starts_with('\\');
        let mut signs = rest.char_indices().skip(if escaped { 3 } else { 2 });
        let end = if escaped {
            signs.find(|(_, sign)| *sign == '\'')
        } else {
            signs.next().filter(|(_, sign)| *sign == '\'')
        };
        // Otherwise it is a lifetime.
        return (None, end.map_or(1, |(at, _)| at + 1));
    }
    if first.is_alphanumeric() || first == '_' {
        let ends = |sign: char| !sign.is_alphanumeric() && sign != '_';
        let length = rest.find(ends).unwrap_or(rest.len());
        return (Some(Kind::Word(rest[..length].to_owned())), length);
    }
    let sign = (!first.is_whitespace()).then_some(Kind::Sign(first));
    (sign, first.len_utf8())
}

/// The domains of the server, by their folders.
pub(crate) fn domains() -> Vec<String> {
    let folder = root().join("server/domains");
    let found = fs::read_dir(folder).expect("a folder of domains");
    let names = found.map(|entry| entry.expect("an entry").file_name().display().to_string());
    names.collect()
}

/// The shipped Rust files, each with its text.
fn sources() -> Vec<(String, String)> {
    let mut files = files_ending(&[".rs"]);
    files.retain(|file| !is_test(file));
    let with_text = |file: String| {
        let text = read(&file);
        (file, text)
    };
    files.into_iter().map(with_text).collect()
}
