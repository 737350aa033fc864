//! Caps on how the code is named and commented. Each may only become lower.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::tree::{files_ending, is_test, read_shipped};

/// Doc comments that open with a question word, per thousand. A noun phrase or a verb in the third
/// person says sooner what a thing is. Those that are left describe inputs of tools to the model, whose
/// wording every conversation would see change.
const QUESTIONS: usize = 17;

/// Type names that are defined more than once.
const TWICE: usize = 80;

/// Parameters that are tuples: a struct names its parts.
const TUPLES: usize = 2;

/// File names that hide what is in the file, and those that have one all the same.
const VAGUE: [&str; 17] = [
    "desk", "gist", "lab", "letter", "mail", "offer", "onward", "own", "plain", "said", "see",
    "slot", "stick", "tell", "tend", "told", "wish",
];
const STILL_VAGUE: [&str; 3] = [
    "server/crates/agent/src/slot.rs",
    "server/domains/homelab/toolset/src/lab.rs",
    "server/domains/homelab/toolset/src/ssh/grammar/slot.rs",
];

#[test]
fn files_are_named_after_what_they_hold() {
    let vague: Vec<_> = sources()
        .into_iter()
        .map(|(file, _)| file)
        .filter(|file| {
            let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str());
            stem.is_some_and(|stem| VAGUE.contains(&stem))
        })
        .collect();
    assert_eq!(vague, STILL_VAGUE);
}

#[test]
fn doc_comments_say_what_a_thing_is() {
    let mut all = 0;
    let mut questions = Vec::new();
    for (file, text) in sources() {
        let mut before = "";
        for line in text.lines().map(str::trim) {
            let opens = line.starts_with("/// ") && !before.starts_with("///");
            before = line;
            if !opens {
                continue;
            }
            all += 1;
            let first = line.split_whitespace().nth(1).unwrap_or_default();
            if ["What", "Who", "Whether", "How", "Where", "When", "Which"].contains(&first) {
                questions.push(format!("{file}: {line}"));
            }
        }
    }
    let share = questions.len() * 1000 / all;
    assert!(
        share <= QUESTIONS,
        "{share} per thousand of {all} open with a question word: {questions:#?}"
    );
}

#[test]
fn one_name_is_one_type() {
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    for (file, text) in sources() {
        // A type in a trait has the name that the trait gives it.
        let defined = text.lines().filter(|line| !line.starts_with("    type "));
        for line in defined {
            let line = line.trim_start();
            let line = line
                .strip_prefix("pub ")
                .or_else(|| line.strip_prefix("pub(crate) "))
                .or_else(|| line.strip_prefix("pub(super) "))
                .unwrap_or(line);
            let kind = ["struct ", "enum ", "trait ", "type "]
                .into_iter()
                .find_map(|kind| line.strip_prefix(kind));
            if let Some(rest) = kind {
                let name: String = rest
                    .chars()
                    .take_while(|sign| sign.is_alphanumeric())
                    .collect();
                found.entry(name).or_default().insert(file.clone());
            }
        }
    }
    let twice: Vec<_> = found.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(
        twice.len() <= TWICE,
        "{} names are defined in several files: {twice:#?}",
        twice.len()
    );
}

#[test]
fn parameters_have_names() {
    let tuples: Vec<_> = sources()
        .into_iter()
        .flat_map(|(file, text)| {
            let lines = text.lines().map(str::trim);
            let tuples = lines.filter(|line| {
                let pattern = line.starts_with('(') && line.contains("): (");
                pattern && (line.ends_with("),") || line.ends_with(')'))
            });
            let tuples = tuples.map(|line| format!("{file}: {line}"));
            tuples.collect::<Vec<_>>()
        })
        .collect();
    assert!(
        tuples.len() <= TUPLES,
        "{} tuples: {tuples:#?}",
        tuples.len()
    );
}

/// The shipped Rust files, each without its tests. Only builds for tests have the lamps.
fn sources() -> Vec<(String, String)> {
    let mut files = files_ending(&[".rs"]);
    files.retain(|file| {
        let parts = ["testkit/", "domains/lamps"];
        !is_test(file) && !parts.iter().any(|part| file.contains(part))
    });
    let with_text = |file: String| {
        let text = read_shipped(&file);
        (file, text)
    };
    files.into_iter().map(with_text).collect()
}
