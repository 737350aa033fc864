//! Takes keys off the file and the environment, one by one, and collects their declarations and
//! problems.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;
use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue, ValueDeserializer},
};

use super::{
    example::{Declarations, Declared},
    key::Key,
    source::Source,
    suggestion::nearest,
    value::Value,
};
use crate::texts;

/// A problem of the configuration.
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

/// Reads settings by key. Keys of the file that are left at the end are unknown.
pub(crate) struct Reader<'t> {
    path: PathBuf,
    /// True if every user of this machine can read the file.
    exposed: bool,
    text: &'t str,
    /// The keys of the file that nobody has taken yet.
    file: DeTable<'t>,
    environment: BTreeMap<String, String>,
    pub(super) declarations: Declarations,
    shown: Vec<(&'static str, String, Source)>,
    problems: Vec<Problem>,
}

/// Variables that belong to the tools around the server, not to the server.
const TOOL_VARIABLES: [&str; 8] = [
    "JARVIS_ANTHROPIC_FIXTURES",
    "JARVIS_BIN",
    "JARVIS_CLIENTS",
    "JARVIS_END2END",
    "JARVIS_MCP",
    "JARVIS_NODE",
    "JARVIS_PYTHON",
    "JARVIS_SITE",
];

impl<'t> Reader<'t> {
    /// Reads `text`, the contents of the file at `path`, which is `exposed` if everybody can read it.
    pub(super) fn new(
        path: &Path,
        text: &'t str,
        exposed: bool,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let (document, errors) = DeTable::parse_recoverable(text);
        let mut reader = Self {
            path: path.to_owned(),
            exposed,
            text,
            file: document.into_inner(),
            environment: environment.into_iter().collect(),
            declarations: Declarations::default(),
            shown: Vec::new(),
            problems: Vec::new(),
        };
        for error in errors {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            let source = reader.line(line);
            reader.refuse(&source, error.message().trim_end().replace('\n', ", "));
        }
        reader
    }

    /// Declares what a section is about, in sentences for the example file.
    pub(crate) fn section(&mut self, name: &'static str, about: &'static str) {
        self.declare(Declared::Section { name, about });
    }

    /// Declares a key with its section, such as `agent.max_steps`, and one line of help. What
    /// [`Key`] returns at the end is its value.
    pub(crate) fn key<T: Value>(
        &mut self,
        name: &'static str,
        help: impl Into<Cow<'static, str>>,
    ) -> Key<'_, 't, T> {
        Key::new(self, name, help.into())
    }

    /// Declares and takes a table whose keys the operator chooses; empty if it is absent. `example`
    /// is TOML, with the table's header.
    pub(crate) fn table<T: DeserializeOwned + Default>(
        &mut self,
        name: &'static str,
        help: &'static str,
        example: &'static str,
    ) -> T {
        self.declare(Declared::Table {
            name,
            help,
            example,
        });
        let Some((key, value)) = take(&mut self.file, name, Wanted::Anything) else {
            return T::default();
        };
        let line = line_of(self.text, key.span().start);
        let entries = entries(value.get_ref());
        match T::deserialize(ValueDeserializer::from(value)) {
            Ok(table) => {
                let source = self.line(line);
                self.show(name, entries, source);
                table
            }
            Err(error) => {
                let line = error
                    .span()
                    .map_or(line, |span| line_of(self.text, span.start));
                let source = self.line(line);
                self.refuse(&source, format!("{name}: {}", error.message().trim_end()));
                T::default()
            }
        }
    }

    /// True if a variable is set that no key has.
    pub(crate) fn has_variable(&self, name: &str) -> bool {
        let value = self.environment.get(name);
        value.is_some_and(|value| !value.is_empty())
    }

    /// Reports a problem with settings that were read.
    pub(crate) fn refuse(&mut self, source: &Source, message: impl Into<String>) {
        self.problems.push(Problem {
            source: Some(source.clone()),
            message: message.into(),
        });
    }

    /// The place of a part of the file, by its offset in the text.
    pub(crate) fn source_at(&self, offset: usize) -> Source {
        self.line(line_of(self.text, offset))
    }

    /// The refusal of a secret in a table, if every user of this machine can read the file.
    pub(super) fn exposure(&self, name: &str, instead: &str) -> Option<String> {
        let file = self.path.display();
        let refusal = || texts::config::readable_by_everybody(name, &file, instead);
        self.exposed.then(refusal)
    }

    pub(super) fn declare(&mut self, declared: Declared) {
        self.declarations.0.push(declared);
    }

    /// Takes the value of a key from the environment or the file; the environment takes precedence.
    /// None if it is set nowhere, or wrong and reported.
    pub(super) fn value<T: Value>(
        &mut self,
        name: &'static str,
        variable: Option<&'static str>,
    ) -> Option<(T, Source)> {
        let in_file = take(&mut self.file, name, Wanted::NoTable);
        let in_file = in_file.map(|(key, value)| {
            let line = line_of(self.text, key.span().start);
            (value.into_inner(), self.line(line))
        });
        let in_environment = variable.and_then(|variable| {
            let text = self.environment.remove(variable)?;
            // An empty variable is how scripts unset one.
            (!text.is_empty()).then_some((variable, text))
        });
        if T::IS_SECRET
            && self.exposed
            && let Some((_, source)) = &in_file
        {
            let file = self.path.display();
            let instead = variable.map(texts::config::or_set_variable);
            let instead = instead.unwrap_or_default();
            let message = texts::config::readable_by_everybody(name, &file, &instead);
            self.refuse(source, message);
            return None;
        }
        let (value, source) = match (in_environment, in_file) {
            (Some((variable, text)), _) => (T::from_text(&text), Source::Environment(variable)),
            (None, Some((value, source))) => (T::from_toml(&value), source),
            (None, None) => return None,
        };
        if value.is_none() {
            // The wrong value itself stays out of the message: it may be a secret.
            self.refuse(&source, texts::config::expected(name, &T::expected()));
        }
        Some((value?, source))
    }

    /// Records what `jarvis config check` shows of a setting.
    pub(super) fn show(&mut self, name: &'static str, value: String, source: Source) {
        self.shown.push((name, value, source));
    }

    /// All settings with their values and sources, or all problems.
    pub(super) fn finish(mut self) -> Result<Vec<(&'static str, String, Source)>, Vec<Problem>> {
        let known: Vec<_> = self.declarations.names().collect();
        for (name, line) in self.unknown() {
            let expected = nearest(&name, &known);
            let source = self.line(line);
            self.refuse(&source, texts::config::unknown_key(&name, &expected));
        }
        let known: Vec<_> = self.declarations.variables().collect();
        for name in self.environment.keys() {
            if name.starts_with("JARVIS_") && !TOOL_VARIABLES.contains(&name.as_str()) {
                let expected = nearest(name, &known);
                self.problems.push(Problem {
                    source: None,
                    message: texts::config::unknown_environment_variable(name, &expected),
                });
            }
        }
        if self.problems.is_empty() {
            Ok(self.shown)
        } else {
            Err(self.problems)
        }
    }

    /// The keys of the file that nobody took, with their lines.
    fn unknown(&self) -> Vec<(String, usize)> {
        let mut found = Vec::new();
        let mut tables = vec![(String::new(), &self.file)];
        while let Some((prefix, table)) = tables.pop() {
            for (key, value) in table {
                let name = format!("{prefix}{}", key.get_ref());
                match value.get_ref() {
                    DeValue::Table(inner) => tables.push((format!("{name}."), inner)),
                    _ => found.push((name, line_of(self.text, key.span().start))),
                }
            }
        }
        found.sort();
        found
    }

    fn line(&self, line: usize) -> Source {
        Source::File {
            path: self.path.clone(),
            line,
        }
    }
}

/// Kinds of values that a key takes off the file.
#[derive(Clone, Copy)]
enum Wanted {
    Anything,
    /// Keys within a table are reported by their own names.
    NoTable,
}

/// A key and its value, as the file has them.
type Entry<'t> = (Spanned<DeString<'t>>, Spanned<DeValue<'t>>);

/// Takes a key such as `ssh.nodes` off a table.
fn take<'t>(table: &mut DeTable<'t>, name: &str, wanted: Wanted) -> Option<Entry<'t>> {
    if let Some((section, rest)) = name.split_once('.') {
        return match table.get_mut(section)?.get_mut() {
            DeValue::Table(inner) => take(inner, rest, wanted),
            _ => None,
        };
    }
    match (wanted, table.get(name)?.get_ref()) {
        (Wanted::NoTable, DeValue::Table(_)) => None,
        _ => table.remove_entry(name),
    }
}

/// The entries of a table for people: the names alone, as a value may be a secret.
fn entries(table: &DeValue<'_>) -> String {
    let names: Vec<&str> = match table {
        DeValue::Table(table) => table.iter().map(|(name, _)| &**name.get_ref()).collect(),
        DeValue::Array(list) => return texts::config::entries(list.len()),
        _ => Vec::new(),
    };
    if names.is_empty() {
        texts::config::entries(0)
    } else {
        names.join(", ")
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    before.filter(|byte| **byte == b'\n').count() + 1
}
