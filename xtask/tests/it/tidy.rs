//! Rules of the source tree that no compiler checks.

use std::collections::BTreeSet;
use std::path::Path;

use crate::tree::{files, files_ending, read, root};

/// Files that may be longer than `LONGEST`, and why.
const LONG_FILES: [(&str, &str); 0] = [];
const LONGEST: usize = 500;

/// Lines of ARCHITECTURE.md: a ten-minute read for a newcomer. Everything else belongs to a module,
/// a page of `docs/decisions`, or nowhere.
const OVERVIEW: usize = 220;

/// Phrases that read translated and were replaced in documents and texts.
const STOP_LIST: [&str; 34] = [
    "any more",
    "are told",
    "became of",
    "begin again",
    "begins again",
    "begins anew",
    "by itself",
    "by themselves",
    "came of it",
    "can only look",
    "counts at once",
    "counts once",
    "do not go together",
    "does not go together",
    "first asked",
    "for ever",
    "how fast it is",
    "in mid-answer",
    "in the coat of",
    "is said so",
    "is told",
    "knows everybody",
    "nobody decided",
    "nobody has said",
    "rule of two persons",
    "so full",
    "so hot",
    "so long it",
    "stands in",
    "that only looks",
    "that stand on",
    "the time to decide",
    "to be had",
    "who gave it",
];

const TOP_LEVEL: [&str; 28] = [
    ".cargo",
    ".ci",
    ".editorconfig",
    ".gitattributes",
    ".github",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "app",
    "clippy.toml",
    "deny.toml",
    "docs",
    "end2end",
    "frontend",
    "jarvis.example.toml",
    "public",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "server",
    "style",
    "xtask",
];

#[test]
fn modules_say_what_they_are() {
    let silent: Vec<_> = files_ending(&[".rs"])
        .into_iter()
        .filter(|file| !file.ends_with("/tests.rs"))
        .filter(|file| {
            let text = read(file);
            !text.starts_with("//! ")
                && !text.starts_with("#![doc = include_str!(\"../README.md\")]")
        })
        .collect();
    assert!(
        silent.is_empty(),
        "these open with no `//!` sentence: {silent:#?}"
    );
}

#[test]
fn files_stay_short() {
    let long: BTreeSet<_> = files_ending(&[".rs", ".ts", ".mjs", ".css", ".sql", ".py"])
        .into_iter()
        .filter(|file| read(file).lines().count() > LONGEST)
        .collect();
    let allowed = LONG_FILES
        .iter()
        .map(|(file, _)| (*file).to_owned())
        .collect();
    assert_eq!(
        long, allowed,
        "files over {LONGEST} lines, and those that may be"
    );
}

#[test]
fn modules_are_named_after_themselves() {
    let found: Vec<_> = files()
        .into_iter()
        .filter(|file| file.ends_with("/mod.rs"))
        .collect();
    assert!(
        found.is_empty(),
        "foo.rs beside foo/, not foo/mod.rs: {found:#?}"
    );
}

#[test]
fn the_top_level_is_the_layout() {
    let strangers: BTreeSet<_> = files()
        .into_iter()
        .filter_map(|file| file.split('/').next().map(str::to_owned))
        .filter(|entry| !TOP_LEVEL.contains(&entry.as_str()))
        .collect();
    assert!(strangers.is_empty(), "not in the layout: {strangers:?}");
}

#[test]
fn each_crate_has_lints_and_a_readme_that_is_its_documentation() {
    let manifests = files_ending(&["/Cargo.toml"]);
    assert!(manifests.len() > 10, "the crates were not found");
    let mut complaints = Vec::new();
    for manifest in manifests {
        let folder = manifest.trim_end_matches("/Cargo.toml");
        if !read(&manifest).contains("[lints]\nworkspace = true") {
            complaints.push(format!("{manifest} does not take the workspace's lints"));
        }
        let lines = read(&format!("{folder}/README.md")).lines().count();
        if !(10..=30).contains(&lines) {
            complaints.push(format!(
                "{folder}/README.md has {lines} lines, not 10 to 30"
            ));
        }
        let shown = ["lib.rs", "main.rs"]
            .map(|file| format!("{folder}/src/{file}"))
            .iter()
            .filter(|file| root().join(file).exists())
            .any(|file| read(file).contains("#![doc = include_str!(\"../README.md\")]"));
        if !shown {
            complaints.push(format!(
                "{folder} does not show its README as its documentation"
            ));
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// A page is data in the server and a view in `app`, with its texts beside it.
#[test]
fn only_the_interface_draws_pages() {
    let drawing: Vec<_> = files_ending(&[".rs"])
        .into_iter()
        .filter(|file| read(file).contains("view! {"))
        .filter(|file| {
            !["app/", "frontend/", "xtask/"]
                .iter()
                .any(|at| file.starts_with(at))
        })
        .collect();
    assert!(drawing.is_empty(), "these have views: {drawing:#?}");
}

/// Lock files name packages and hashes; the registry is each machine's own configuration.
#[test]
fn npm_locks_name_no_host() {
    let locks = files_ending(&["/package-lock.json"]);
    assert_eq!(
        locks,
        [
            "docs/examples/agui/package-lock.json",
            "end2end/bench/lighthouse/package-lock.json",
            "end2end/package-lock.json",
            "frontend/chart/package-lock.json",
            "server/tests/clients/package-lock.json",
            "server/tests/mcp/package-lock.json",
            "xtask/package-lock.json"
        ]
    );
    for lock in locks {
        assert!(!read(&lock).contains("\"resolved\""), "{lock} names hosts");
    }
}

/// CI runs exactly what was reviewed: a tag or a channel can be moved, a digest cannot.
#[test]
fn what_ci_fetches_is_pinned() {
    for file in files_ending(&[".yml"]) {
        if !file.starts_with(".github/workflows/") {
            continue;
        }
        for line in read(&file).lines() {
            // A partial version is whatever is newest on that day.
            if let Some((name, version)) = line.split_once("-version: ") {
                let parts: Vec<_> = version.trim().trim_matches('"').split('.').collect();
                let exact = parts.len() == 3 && parts.iter().all(|it| it.parse::<u32>().is_ok());
                assert!(exact, "{file}: {name}-version {version} is not exact");
            }
            let locked = !line.contains("cargo ") || line.contains("cargo --locked ");
            assert!(locked, "{file}: {line} may change Cargo.lock");
            let Some((_, action)) = line.split_once("uses: ") else {
                continue;
            };
            let digest = action.split_once('@').map_or("", |(_, rest)| rest);
            let digest = digest.split_whitespace().next().unwrap_or_default();
            let is_digest = digest.len() == 40 && digest.bytes().all(|b| b.is_ascii_hexdigit());
            assert!(is_digest, "{file}: {action} is not pinned by a digest");
        }
    }
    let toolchain = read("rust-toolchain.toml");
    let channel = toolchain
        .lines()
        .find_map(|line| line.strip_prefix("channel = "))
        .expect("a channel");
    assert!(
        channel.trim_matches('"').split('.').count() == 3,
        "{channel} is not a version"
    );
    let packages = read("xtask/requirements.txt");
    for line in packages.lines().filter(|line| line.contains("==")) {
        assert!(line.ends_with('\\'), "{line} has no hash");
    }
}

/// An external dependency stays as long as its reason does, so the reason is above it.
#[test]
fn dependencies_say_why_they_are_there() {
    let mut silent = Vec::new();
    let mut seen = 0;
    let manifests = files()
        .into_iter()
        .filter(|file| file.ends_with("Cargo.toml"));
    for manifest in manifests {
        let text = read(&manifest);
        let (mut section, mut above) = ("", "");
        for line in text.lines() {
            if line.starts_with('[') {
                section = line;
            }
            let name = line.split_once(" = ").map_or("", |(name, _)| name);
            let is_ours = line.contains("path = ") || line.contains("workspace = true");
            // A dot in the name: the workspace has the version and the reason.
            let is_entry = name.starts_with(|c: char| c.is_ascii_alphanumeric())
                && !name.contains('.')
                && section.ends_with("dependencies]");
            if is_entry && !is_ours {
                seen += 1;
                if above.strip_prefix("# ").is_none_or(|why| why.len() < 10) {
                    silent.push(format!("{manifest}: {name}"));
                }
            }
            above = line;
        }
    }
    assert!(seen > 40, "the dependencies were not found");
    for manifest in files_ending(&["/package.json"]) {
        let json: serde_json::Value = serde_json::from_str(&read(&manifest)).expect("JSON");
        let why = read(&manifest.replace("package.json", "README.md"));
        for kind in ["dependencies", "devDependencies"] {
            let names = json[kind].as_object().into_iter().flatten();
            silent.extend(
                names
                    .filter(|(name, _)| !why.contains(&format!("`{name}`")))
                    .map(|(name, _)| format!("{manifest}: {name}, in the README beside it")),
            );
        }
    }
    assert!(
        silent.is_empty(),
        "a line above each has to say what it is for: {silent:#?}"
    );
}

#[test]
fn the_overview_is_short() {
    let lines = read("ARCHITECTURE.md").lines().count();
    assert!(
        lines <= OVERVIEW,
        "ARCHITECTURE.md has {lines} lines, more than {OVERVIEW}"
    );
}

/// An invariant whose test was renamed or deleted is unchecked.
#[test]
fn each_invariant_names_tests_that_exist() {
    let overview = read("ARCHITECTURE.md");
    let (_, rest) = overview
        .split_once("## What must stay true")
        .expect("the invariants");
    let (table, _) = rest.split_once("\n## ").expect("what follows");
    let sources: String = files_ending(&[".rs"])
        .iter()
        .map(|file| read(file))
        .collect();
    let mut rows = 0;
    for row in table.lines().filter(|line| line.starts_with("| ")).skip(2) {
        let held_by = row.rsplit('|').nth(1).expect("a second column");
        let names: Vec<_> = quoted(held_by).filter(|name| is_function(name)).collect();
        assert!(!names.is_empty(), "no test holds: {row}");
        for name in names {
            let exists = sources.contains(&format!("fn {name}("));
            assert!(exists, "there is no test {name}, which would hold: {row}");
        }
        rows += 1;
    }
    assert!(rows > 15, "the invariants were not found");
}

/// Links between documents, and file names in backticks, must resolve.
#[test]
fn what_documents_name_is_there() {
    const FOLDERS: [&str; 7] = [
        "app/",
        "docs/",
        "end2end/",
        "frontend/",
        "public/",
        "server/",
        "xtask/",
    ];
    let mut lost = Vec::new();
    for document in files_ending(&[".md"]) {
        let text = read(&document);
        let beside = Path::new(&document).parent().expect("a folder");
        for link in text.split("](").skip(1) {
            let link = link.split([')', '#', ' ']).next().unwrap_or_default();
            let is_ours = !link.is_empty() && !link.contains("://") && !link.starts_with("mailto:");
            if is_ours && !root().join(beside).join(link).exists() {
                lost.push(format!("{document}: {link}"));
            }
        }
        let names = quoted(&text).filter(|name| {
            FOLDERS.iter().any(|folder| name.starts_with(folder))
                && name
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b))
        });
        // From the root, or from the folder of the document.
        let is_there =
            |name: &str| root().join(name).exists() || root().join(beside).join(name).exists();
        lost.extend(
            names
                .filter(|name| !is_there(name))
                .map(|name| format!("{document}: {name}")),
        );
    }
    assert!(lost.is_empty(), "these lead nowhere: {lost:#?}");
}

/// A reader should not notice the language. A phrase may be broken over two lines.
#[test]
fn documents_are_free_of_the_stop_list() {
    let mut found = Vec::new();
    for document in files_ending(&[".md", "jarvis.example.toml"]) {
        let phrases = stopped_phrases(&read(&document)).into_iter();
        found.extend(phrases.map(|phrase| format!("{document}: {phrase}")));
    }
    assert!(
        found.is_empty(),
        "write these as a native speaker would: {found:#?}"
    );
}

/// The texts that a model reads of each tool, in the snapshots of definitions, and those that the author of a
/// program reads of the interface: doc comments of inputs are a part of both.
#[test]
fn descriptions_are_free_of_the_stop_list() {
    let mut seen = 0;
    let mut found = Vec::new();
    for file in files_ending(&[".snap", "docs/openapi.json"]) {
        let text = read(&file);
        let keys = ["\"description\": \"", "\"prompt\": \"", "\"summary\": \""];
        let told = text.lines().map(str::trim_start);
        for line in told.filter(|line| keys.iter().any(|key| line.starts_with(key))) {
            seen += 1;
            // An escaped end of a line is no letter.
            let phrases = stopped_phrases(&line.replace("\\n", " ")).into_iter();
            found.extend(phrases.map(|phrase| format!("{file}: {phrase}: {line}")));
        }
    }
    assert!(seen > 500, "the descriptions were not found");
    assert!(
        found.is_empty(),
        "write these as a native speaker would: {found:#?}"
    );
}

/// Returns the phrases of the stop list that a text has.
pub(crate) fn stopped_phrases(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let text = format!(" {} ", words.join(" "));
    let phrases = STOP_LIST.iter().copied();
    phrases
        .filter(|phrase| text.contains(&format!(" {phrase} ")))
        .collect()
}

#[test]
fn each_decision_is_in_the_list() {
    let list = read("docs/decisions/README.md");
    for file in files_ending(&[".md"]) {
        let Some(name) = file.strip_prefix("docs/decisions/0") else {
            continue;
        };
        assert!(list.contains(&format!("(0{name})")), "{file} is in no list");
        for part in ["## Context", "## Decision", "## What we gave up"] {
            assert!(read(&file).contains(part), "{file} has no part {part}");
        }
    }
}

/// Iterates over the texts between backticks on one line.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2))
}

fn is_function(name: &str) -> bool {
    name.contains('_')
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b"_0123456789".contains(&b))
}
