//! Takes settings out of the file and the environment, one by one, and collects what is wrong.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;
use toml::{
    Spanned,
    de::{DeTable, DeValue, ValueDeserializer},
};

use super::{
    section::Section,
    source::{Setting, Source},
    value::Value,
};

/// One thing that is wrong with the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, if it is at one place.
    pub source: Option<Source>,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(source) => write!(f, "{source}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Reads settings by key. What nobody took at the end is a wrong key.
pub(crate) struct Reader<'t> {
    path: PathBuf,
    /// True if every user of this machine can read the file.
    exposed: bool,
    file: BTreeMap<String, (DeValue<'t>, usize)>,
    environment: BTreeMap<String, String>,
    /// The names of tables that are read whole.
    whole: Vec<&'static str>,
    /// Those of them that are in the file.
    tables: BTreeMap<&'static str, (Spanned<DeValue<'t>>, usize)>,
    text: &'t str,
    known: Vec<&'static str>,
    known_variables: Vec<&'static str>,
    shown: Vec<(&'static str, String, Source)>,
    problems: Vec<Problem>,
}

/// Variables that belong to the tools around the server, not to the server.
const TOOL_VARIABLES: [&str; 6] = [
    "JARVIS_ANTHROPIC_FIXTURES",
    "JARVIS_BIN",
    "JARVIS_END2END",
    "JARVIS_NODE",
    "JARVIS_PYTHON",
    "JARVIS_SITE",
];

/// Tables with keys that the operator chooses, beside those of the domains.
const TABLES: [&str; 1] = ["models"];

impl<'t> Reader<'t> {
    /// Reads `text`, the contents of the file at `path`, which is `exposed` if everybody can read it.
    pub(super) fn new(
        path: &Path,
        text: &'t str,
        exposed: bool,
        environment: impl IntoIterator<Item = (String, String)>,
        sections: &[Section],
    ) -> Self {
        let tables = sections.iter().flat_map(|section| section.tables).copied();
        let mut reader = Self {
            path: path.to_owned(),
            exposed,
            file: BTreeMap::new(),
            tables: BTreeMap::new(),
            whole: TABLES.into_iter().chain(tables).collect(),
            text,
            environment: environment.into_iter().collect(),
            known: Vec::new(),
            known_variables: Vec::new(),
            shown: Vec::new(),
            problems: Vec::new(),
        };
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            reader.problem(line, error.message().trim_end().replace('\n', ", "));
        }
        reader.flatten("", document.into_inner());
        reader
    }

    fn flatten(&mut self, prefix: &str, table: DeTable<'t>) {
        for (key, value) in table {
            let line = line_of(self.text, key.span().start);
            let name = format!("{prefix}{}", key.get_ref());
            if let Some(name) = self.whole.iter().copied().find(|table| *table == name) {
                self.tables.insert(name, (value, line));
                continue;
            }
            match value.into_inner() {
                DeValue::Table(table) => self.flatten(&format!("{name}."), table),
                value => {
                    self.file.insert(name, (value, line));
                }
            }
        }
    }

    /// Takes a setting that may be absent.
    pub(crate) fn optional<T: Value>(
        &mut self,
        key: &'static str,
        variable: Option<&'static str>,
    ) -> Option<Setting<T>> {
        self.known.push(key);
        let from_file = self.file.remove(key);
        let from_environment = variable.and_then(|name| {
            self.known_variables.push(name);
            // An empty variable is how scripts unset one.
            let text = self
                .environment
                .remove(name)
                .filter(|text| !text.is_empty())?;
            Some((name, text))
        });
        if T::IS_SECRET
            && self.exposed
            && let Some((_, line)) = &from_file
        {
            let file = self.path.display().to_string();
            let instead = variable.map(|name| format!(", or set {name} in the environment"));
            let instead = instead.unwrap_or_default();
            self.problem(
                *line,
                format!(
                    "{key}: every user of this machine can read it here; run chmod 600 {file}{instead}"
                ),
            );
            return None;
        }
        let (read, source) = match (from_environment, from_file) {
            (Some((name, text)), _) => (T::from_text(&text), Source::Environment(name)),
            (None, Some((value, line))) => (
                T::from_toml(&value),
                Source::File {
                    path: self.path.clone(),
                    line,
                },
            ),
            (None, None) => return None,
        };
        let Some(value) = read else {
            // The wrong value itself stays out of the message: it may be a secret.
            let message = format!("{key}: expected {}", T::expected());
            self.problems.push(Problem {
                source: Some(source),
                message,
            });
            return None;
        };
        self.shown.push((key, value.show(), source.clone()));
        Some(Setting { value, source })
    }

    /// Takes a setting that has a default.
    pub(crate) fn with_default<T: Value>(
        &mut self,
        key: &'static str,
        variable: Option<&'static str>,
        default: T,
    ) -> Setting<T> {
        if let Some(setting) = self.optional(key, variable) {
            return setting;
        }
        self.shown.push((key, default.show(), Source::Default));
        Setting {
            value: default,
            source: Source::Default,
        }
    }

    /// Takes a table that is read whole; empty if it is absent.
    pub(crate) fn table<T: DeserializeOwned + Default>(&mut self, key: &'static str) -> T {
        self.known.push(key);
        let Some((value, line)) = self.tables.remove(key) else {
            return T::default();
        };
        match T::deserialize(ValueDeserializer::from(value)) {
            Ok(table) => {
                let source = Source::File {
                    path: self.path.clone(),
                    line,
                };
                self.shown.push((key, "(table)".to_owned(), source));
                table
            }
            Err(error) => {
                let line = error
                    .span()
                    .map_or(line, |span| line_of(self.text, span.start));
                self.problem(line, format!("{key}: {}", error.message().trim_end()));
                T::default()
            }
        }
    }

    /// Reports something that is wrong with settings that were read.
    pub(crate) fn refuse(&mut self, source: &Source, message: impl Into<String>) {
        self.problems.push(Problem {
            source: Some(source.clone()),
            message: message.into(),
        });
    }

    /// All settings with their values and sources, or all that is wrong.
    pub(super) fn finish(mut self) -> Result<Vec<(&'static str, String, Source)>, Vec<Problem>> {
        for (key, (_, line)) in std::mem::take(&mut self.file) {
            let expected = nearest(&key, &self.known);
            self.problem(line, format!("unknown key {key}; {expected}"));
        }
        for name in self.environment.keys() {
            if name.starts_with("JARVIS_") && !TOOL_VARIABLES.contains(&name.as_str()) {
                let expected = nearest(name, &self.known_variables);
                self.problems.push(Problem {
                    source: None,
                    message: format!("unknown environment variable {name}; {expected}"),
                });
            }
        }
        if self.problems.is_empty() {
            Ok(self.shown)
        } else {
            Err(self.problems)
        }
    }

    fn problem(&mut self, line: usize, message: String) {
        let source = Some(Source::File {
            path: self.path.clone(),
            line,
        });
        self.problems.push(Problem { source, message });
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()
        .iter()
        .take(offset)
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}

/// Names the known name that is most like a wrong one.
fn nearest(wrong: &str, known: &[&'static str]) -> String {
    let section = wrong.rsplit_once('.').map_or("", |(section, _)| section);
    let like = known.iter().min_by_key(|name| {
        let other = name.rsplit_once('.').map_or("", |(section, _)| section);
        (distance(wrong, name), usize::from(section != other))
    });
    match like {
        Some(name) if distance(wrong, name) <= 4 => format!("did you mean {name}?"),
        _ => format!("expected one of: {}", known.join(", ")),
    }
}

/// Edits (insert, delete, replace) between two short names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
