//! The example file, `jarvis.example.toml`: every key in its section, from the declarations.

use std::borrow::Cow;

use super::section::DomainKey;

const HEADER: &str = "\
Jarvis reads jarvis.toml from the folder where it is started, or the file given with --config FILE. \
The environment variable named beside a setting takes precedence over the file. Every setting is \
optional; each value below is the default, or an example if there is no default. `jarvis config \
check` shows each value with its source, and `jarvis config example` prints this file.";

/// Columns of a line with comments.
const WIDTH: usize = 100;
/// Columns before the comment of a key.
const MARGIN: usize = 37;

/// All declarations, in the order of reading.
#[derive(Debug, Default)]
pub(super) struct Declarations(pub(super) Vec<Declared>);

/// A declaration.
#[derive(Debug)]
pub(super) enum Declared {
    Section {
        name: &'static str,
        /// What it is about, in sentences.
        about: &'static str,
    },
    Key {
        /// With its section.
        name: &'static str,
        is_secret: bool,
        variable: Option<&'static str>,
        /// The default or an example, as TOML.
        value: Cow<'static, str>,
        help: Cow<'static, str>,
        /// A comment above the key.
        above: &'static str,
    },
    /// A table whose keys the operator chooses.
    Table {
        name: &'static str,
        help: &'static str,
        /// TOML, with the table's header.
        example: &'static str,
    },
}

impl Declared {
    /// The section and the key in it. A table at the top is a section of its own.
    fn path(&self) -> (&'static str, &'static str) {
        match self {
            Self::Section { name, .. } => (name, ""),
            Self::Key { name, .. } | Self::Table { name, .. } => {
                name.rsplit_once('.').unwrap_or((name, ""))
            }
        }
    }
}

impl Declarations {
    /// The names of all keys and tables.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter_map(|declared| match declared {
            Declared::Key { name, .. } | Declared::Table { name, .. } => Some(*name),
            Declared::Section { .. } => None,
        })
    }

    /// Returns the keys and tables that were declared after so many others.
    pub(super) fn keys(&self, before: usize) -> Vec<DomainKey> {
        let declared = self.0.iter().skip(before);
        let keys = declared.filter_map(|declared| match declared {
            Declared::Key {
                name,
                is_secret,
                help,
                ..
            } => Some(DomainKey {
                name,
                help: help.clone().into_owned(),
                is_secret: *is_secret,
            }),
            Declared::Table { name, help, .. } => Some(DomainKey {
                name,
                help: (*help).to_owned(),
                is_secret: false,
            }),
            Declared::Section { .. } => None,
        });
        keys.collect()
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter_map(|declared| match declared {
            Declared::Key { variable, .. } => *variable,
            Declared::Section { .. } | Declared::Table { .. } => None,
        })
    }

    /// The example file: keys and tables are comments, headers of sections are not.
    pub(super) fn example(&self) -> String {
        let mut file = ExampleFile::default();
        file.comment(HEADER);
        for section in self.sections() {
            let of = || {
                let all = self.0.iter();
                all.filter(|declared| declared.path().0 == section)
            };
            file.line("");
            of().for_each(|declared| file.about(declared));
            if of().any(|declared| matches!(declared, Declared::Key { .. })) {
                file.line(&format!("[{section}]"));
            }
            of().for_each(|declared| file.key(declared));
            // A header of a table ends the keys before it.
            of().for_each(|declared| file.table(declared));
        }
        file.0
    }

    /// The sections in the order in which each was first declared.
    fn sections(&self) -> Vec<&'static str> {
        let mut sections = Vec::new();
        for declared in &self.0 {
            let (section, _) = declared.path();
            if !sections.contains(&section) {
                sections.push(section);
            }
        }
        sections
    }

    /// A file in which every key and table of the example is set.
    #[cfg(test)]
    pub(super) fn all_set(&self) -> String {
        let keys = self.0.iter().filter_map(|declared| match declared {
            Declared::Key { name, value, .. } => Some(format!("{name} = {value}\n")),
            Declared::Section { .. } | Declared::Table { .. } => None,
        });
        let tables = self.0.iter().filter_map(|declared| match declared {
            Declared::Table { example, .. } => Some(format!("{example}\n")),
            Declared::Section { .. } | Declared::Key { .. } => None,
        });
        keys.chain(tables).collect()
    }
}

/// A file that is being written.
#[derive(Default)]
struct ExampleFile(String);

impl ExampleFile {
    /// A line; an empty one after another is left out.
    fn line(&mut self, line: &str) {
        if !line.is_empty() || !self.0.ends_with("\n\n") {
            self.0.push_str(line);
            self.0.push('\n');
        }
    }

    /// A comment, wrapped except for indented lines; none if it is empty.
    fn comment(&mut self, text: &str) {
        for line in text.lines() {
            if line.starts_with(' ') {
                self.line(&format!("#{line}"))
            } else {
                self.wrapped("#".to_owned(), "#", line)
            }
        }
    }

    /// A line with a comment, which goes on below it behind `margin`.
    fn wrapped(&mut self, mut line: String, margin: &str, comment: &str) {
        for word in comment.split_whitespace() {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.line(&line);
                line = margin.to_owned();
            }
            line.push(' ');
            line.push_str(word);
        }
        self.line(&line);
    }

    fn about(&mut self, declared: &Declared) {
        if let Declared::Section { about, .. } = declared {
            self.comment(about);
        }
    }

    fn key(&mut self, declared: &Declared) {
        let Declared::Key {
            variable,
            value,
            help,
            above,
            ..
        } = declared
        else {
            return;
        };
        self.comment(above);
        let help = match variable {
            Some(variable) => format!("{variable}: {help}"),
            None => help.to_string(),
        };
        let (_, key) = declared.path();
        let setting = format!("# {key} = {value}");
        // At least two spaces before the comment.
        let setting = format!("{setting:0$}  #", MARGIN - 2);
        self.wrapped(setting, &format!("{:MARGIN$}#", "#"), &help);
    }

    fn table(&mut self, declared: &Declared) {
        if let Declared::Table { help, example, .. } = declared {
            self.line("");
            self.comment(help);
            for line in example.lines() {
                self.line(&format!("# {line}"));
            }
        }
    }
}
