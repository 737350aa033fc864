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

/// Values of one class in some cases.
pub(crate) struct ClassQuality {
    pub(crate) class: Class,
    pub(crate) expected: usize,
    /// Found and not expected.
    pub(crate) extra: usize,
    /// Expected and not found.
    pub(crate) missed: usize,
}

impl ClassQuality {
    /// All classes that occur.
    pub(crate) fn of(cases: &[RedactionCase]) -> Vec<Self> {
        let count = |values: &CaseValues, class: Class| {
            values.iter().filter(|(of, _)| *of == class).count()
        };
        let differences: Vec<_> = cases.iter().map(RedactionCase::differences).collect();
        let all = Class::ALL.into_iter().map(|class| Self {
            class,
            expected: cases.iter().map(|case| count(&case.expected, class)).sum(),
            extra: differences.iter().map(|(it, _)| count(it, class)).sum(),
            missed: differences.iter().map(|(_, it)| count(it, class)).sum(),
        });
        all.filter(|it| it.expected + it.extra > 0).collect()
    }

    /// Share of what was found that is expected.
    pub(crate) fn precision(&self) -> f64 {
        let found = self.expected - self.missed;
        share(found, found + self.extra)
    }

    /// Share of what is expected that was found.
    pub(crate) fn recall(&self) -> f64 {
        share(self.expected - self.missed, self.expected)
    }
}

impl std::fmt::Display for ClassQuality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:8} {:4} expected, {:2} extra, {:2} missed, precision {:5.1} %, recall {:5.1} %",
            self.class.name(),
            self.expected,
            self.extra,
            self.missed,
            100.0 * self.precision(),
            100.0 * self.recall()
        )
    }
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
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
