//! Reads the table of cases: a text, and what is found in it.

use field_redaction::{Class, FoundValue, find};

/// Values with their classes.
pub(crate) type CaseValues = Vec<(Class, String)>;

/// One line of the table.
pub(crate) struct RedactionCase {
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) expected: CaseValues,
}

impl RedactionCase {
    /// Values found but not expected, and values expected but not found.
    pub(crate) fn differences(&self) -> (CaseValues, CaseValues) {
        let found = find(&self.text);
        let found = found
            .into_iter()
            .map(|FoundValue { class, value, .. }| (class, value));
        let mut missing = self.expected.clone();
        let mut extra = Vec::new();
        for value in found {
            match missing.iter().position(|expected| *expected == value) {
                Some(index) => {
                    missing.remove(index);
                }
                None => extra.push(value),
            }
        }
        (extra, missing)
    }
}

/// All cases, in the order of the files.
pub(crate) fn cases() -> Vec<RedactionCase> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/table");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the table")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.file_stem().expect("a name").display().to_string();
        let text = std::fs::read_to_string(&file).expect("a text");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (text, expected) = line.split_once('\t').expect("two columns");
            let expected = expected.split('|').filter(|value| *value != "-");
            cases.push(RedactionCase {
                file: name.clone(),
                text: unescaped(text),
                expected: expected.map(value).collect(),
            });
        }
    }
    cases
}

fn value(text: &str) -> (Class, String) {
    let (class, value) = text.split_once(':').expect("a class and a value");
    (Class::named(class).expect("a class"), unescaped(value))
}

/// `\t`, `\n`, `\\` and `\u{…}`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let (sign, length) = match after.as_bytes()[0] {
            b't' => ('\t', 1),
            b'n' => ('\n', 1),
            b'\\' => ('\\', 1),
            _ => {
                let end = after.find('}').expect("the end of an escape");
                let code = u32::from_str_radix(&after[2..end], 16).expect("a code");
                (char::from_u32(code).expect("a character"), end + 1)
            }
        };
        out.push(sign);
        rest = &after[length..];
    }
    out.push_str(rest);
    out
}
