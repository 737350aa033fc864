//! Caps on how the code is named and commented. Each may only become lower.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::tree::{files_ending, is_test, read_shipped};

/// Doc comments that open with a question word, per thousand. A noun phrase or a verb in the third
/// person says sooner what a thing is.
const QUESTIONS: usize = 2;

/// Type names that are defined more than once.
const TWICE: usize = 77;

/// File names that hide what is in the file.
const VAGUE: [&str; 17] = [
    "desk", "gist", "lab", "letter", "mail", "offer", "onward", "own", "plain", "said", "see",
    "slot", "stick", "tell", "tend", "told", "wish",
];

/// Type names that hide their thing: metaphors, question words and participles. Each was replaced by
/// the standard term, or by a noun that can be searched for.
const VAGUE_TYPES: [&str; 10] = [
    "Desk", "Heard", "Judged", "Lab", "Mail", "Slot", "Standing", "Thing", "Way", "What",
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
    assert!(
        vague.is_empty(),
        "name these after what they hold: {vague:#?}"
    );
}

#[test]
fn types_are_named_after_what_they_are() {
    let mut vague = Vec::new();
    for (file, text) in sources() {
        let types = types(&text).into_iter();
        let found = types.filter(|name| VAGUE_TYPES.contains(&name.as_str()));
        vague.extend(found.map(|name| format!("{file}: {name}")));
    }
    assert!(
        vague.is_empty(),
        "name these after what they are: {vague:#?}"
    );
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
        for name in types(&text) {
            found.entry(name).or_default().insert(file.clone());
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
            let found = tuple_parameters(&text).into_iter();
            found.map(|it| format!("{file}: {it}")).collect::<Vec<_>>()
        })
        .collect();
    assert!(
        tuples.is_empty(),
        "a struct names the parts of these: {tuples:#?}"
    );
}

#[test]
fn a_tuple_is_found_and_nothing_else() {
    for (code, expect) in [
        ("fn a(b: (A, B)) {}", 1),
        ("fn a<T: Fn(A) -> B>(&self, b: &(A, B), c: C) {}", 1),
        (
            "fn a(\n    b: &'a mut (A, B),\n    (c, d): (A, B),\n) {}",
            2,
        ),
        ("fn a(b: &(dyn A + 'static), c: ()) {}", 0),
        ("fn a(b: Vec<(A, B)>, c: [(A, B); 2]) -> (A, B) {}", 0),
        ("fn a(b: impl Fn((A, B)) -> C, c: fn((A, B))) {}", 0),
        ("struct A { b: (A, B) }", 0),
        ("let a = |b: (A, B)| c(b);", 0),
        ("/// As `fn a(b: (A, B))`.", 0),
    ] {
        assert_eq!(tuple_parameters(code).len(), expect, "{code}");
    }
}

/// The names of the types that a file defines.
fn types(text: &str) -> Vec<String> {
    // A type in a trait has the name that the trait gives it.
    let defined = text.lines().filter(|line| !line.starts_with("    type "));
    let names = defined.filter_map(|line| {
        let line = line.trim_start();
        let line = line
            .strip_prefix("pub ")
            .or_else(|| line.strip_prefix("pub(crate) "))
            .or_else(|| line.strip_prefix("pub(super) "))
            .unwrap_or(line);
        let rest = ["struct ", "enum ", "trait ", "type "]
            .into_iter()
            .find_map(|kind| line.strip_prefix(kind))?;
        let name = rest.chars().take_while(|sign| sign.is_alphanumeric());
        let name = name.collect::<String>();
        // In a macro it is a variable of that.
        (!name.is_empty()).then_some(name)
    });
    names.collect()
}

/// The parameters of functions that are tuples, destructured or not. Closures and function pointers
/// are passed over.
fn tuple_parameters(text: &str) -> Vec<String> {
    let in_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for (at, keyword) in code.match_indices("fn ") {
        let rest = &code[at + keyword.len()..];
        let mut after = rest.trim_start_matches(in_word);
        if code[..at].ends_with(in_word) || after.len() == rest.len() {
            continue;
        }
        if after.starts_with('<')
            && let Some(end) = closing(after)
        {
            after = &after[end + 1..];
        }
        if after.starts_with('(')
            && let Some(end) = closing(after)
        {
            let parameters = parts(&after[1..end], ',').into_iter();
            let tuples = parameters.filter(|parameter| is_tuple(parameter));
            found.extend(tuples.map(|tuple| tuple.trim().to_owned()));
        }
    }
    found
}

fn is_tuple(parameter: &str) -> bool {
    let kind = parts(parameter, ':').get(1).map_or("", |kind| kind.trim());
    let kind = kind.trim_start_matches('&');
    let kind = match kind.split_once(' ') {
        Some((lifetime, kind)) if lifetime.starts_with('\'') => kind,
        _ => kind,
    };
    let kind = kind.strip_prefix("mut ").unwrap_or(kind);
    kind.starts_with('(') && closing(kind).is_some_and(|end| parts(&kind[1..end], ',').len() > 1)
}

/// The parts of a list, without a look into brackets.
fn parts(text: &str, separator: char) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut begin, mut before) = (0, 0, ' ');
    for (at, sign) in text.char_indices() {
        if depth == 0 && sign == separator {
            found.push(&text[begin..at]);
            begin = at + sign.len_utf8();
        }
        depth = nested(depth, before, sign);
        before = sign;
    }
    found.push(&text[begin..]);
    found
}

/// The place of the bracket that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut before) = (0, ' ');
    text.char_indices().find_map(|(at, sign)| {
        depth = nested(depth, before, sign);
        before = sign;
        (depth == 0).then_some(at)
    })
}

fn nested(depth: usize, before: char, sign: char) -> usize {
    match sign {
        '(' | '[' | '{' | '<' => depth + 1,
        // The end of an arrow closes nothing.
        '>' if matches!(before, '-' | '=') => depth,
        ')' | ']' | '}' | '>' => depth.saturating_sub(1),
        _ => depth,
    }
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
