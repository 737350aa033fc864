//! Grammar of the commands allowed on a node, each with every word that it may have.
//!
//! A text is a command only if all of it matches one row of the [table] word for word: no quotes
//! and no option missing from the row, none shortened, joined, repeated or reordered. Accepted
//! texts have no character that a shell interprets, so a shell, the node's guard and we see the
//! same words.

mod columns;
mod placeholder;
mod table;

use std::fmt;

pub(crate) use self::columns::ColumnNames;
pub use self::placeholder::PlaceholderKind;
use self::table::{CommandAccess, CommandPart, GrammarRow, ROWS};
use crate::texts;

/// Longest command in bytes.
pub const MAX_BYTES: usize = 512;

/// An accepted command. Its words come from the table and from checked values.
#[derive(Clone)]
pub struct GrammarCommand {
    row: &'static GrammarRow,
    /// The program's absolute path first, then all words of the row.
    argv: Vec<String>,
    values: Vec<(PlaceholderKind, String)>,
}

/// Parses a read-only command.
///
/// # Errors
/// Explains what is wrong with the text, and what would be possible.
pub fn parse(text: impl AsRef<[u8]>) -> Result<GrammarCommand, CommandRefusal> {
    read(text.as_ref(), |access| access == CommandAccess::Look)
}

/// Parses a read-only command or a service restart. The caller must check that the service may be
/// restarted.
///
/// # Errors
/// As [`parse`].
pub fn parse_with_restart(text: impl AsRef<[u8]>) -> Result<GrammarCommand, CommandRefusal> {
    read(text.as_ref(), |_| true)
}

/// The forms of the read-only commands, such as `journalctl -u UNIT -n N`, with descriptions.
pub fn forms() -> impl Iterator<Item = (String, &'static str)> {
    ROWS.iter()
        .filter(|row| row.access == CommandAccess::Look)
        .map(|row| (row.form(), row.about))
}

impl GrammarCommand {
    /// The program's argument vector: its absolute path, then its arguments.
    pub fn argv(&self) -> &[String] {
        &self.argv
    }

    /// The absolute path of the program.
    pub fn program(&self) -> &'static str {
        self.row.program
    }

    /// The values in the command, such as the name of a unit.
    pub fn values(&self) -> impl Iterator<Item = (PlaceholderKind, &str)> {
        self.values
            .iter()
            .map(|(placeholder, text)| (*placeholder, text.as_str()))
    }

    /// The unit, if the command is a restart.
    pub fn restarts(&self) -> Option<&str> {
        match self.row.access {
            CommandAccess::Look => None,
            CommandAccess::Restart => self.values().next().map(|(_, unit)| unit),
        }
    }

    /// The filter for its standard output, if not all columns are shown.
    pub(crate) fn columns(&self) -> Option<ColumnNames> {
        self.row.columns.map(ColumnNames::first)
    }

    /// The text sent over the wire. The grammar parses it as the same command, and a POSIX shell as
    /// [`Self::argv`].
    pub fn render(&self) -> String {
        let words: Vec<String> = self.argv.iter().map(|word| quote(word)).collect();
        words.join(" ")
    }

    /// Builds `systemctl show UNIT`.
    ///
    /// # Errors
    /// Explains what is wrong with the name of the unit.
    pub fn show(unit: &str) -> Result<Self, CommandRefusal> {
        parse(format!("systemctl show {unit}"))
    }

    /// Builds `systemctl restart UNIT`.
    ///
    /// # Errors
    /// Explains what is wrong with the name of the unit.
    pub fn restart(unit: &str) -> Result<Self, CommandRefusal> {
        parse_with_restart(format!("systemctl restart {unit}"))
    }
}

impl fmt::Debug for GrammarCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Command").field(&self.argv).finish()
    }
}

impl PartialEq for GrammarCommand {
    fn eq(&self, other: &Self) -> bool {
        self.argv == other.argv
    }
}

impl Eq for GrammarCommand {}

/// Reason that a text is not a command. Shown to the model and to people; it quotes the text only
/// with control characters escaped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandRefusal {
    #[error("there is no command")]
    Empty,
    #[error("a command has at most {MAX_BYTES} bytes, this has {bytes}")]
    TooLong { bytes: usize },
    #[error("byte {} ({}) cannot be part of a command: no shell reads it, there are no quotes, \
             variables, patterns, pipes or redirections, only plain words and spaces",
            at + 1, std::ascii::escape_default(*byte))]
    Character { byte: u8, at: usize },
    #[error(
        "words are separated by exactly one space, with none before the first or after the last"
    )]
    Spaces,
    #[error("{program:?} is not one of the programs that can be run; they are: {known}")]
    Program { program: String, known: String },
    #[error("{path:?} is another path than {expected}: give the program's name alone")]
    Path {
        path: String,
        expected: &'static str,
    },
    #[error("the option {option:?} is not possible here: {why}; possible are: {forms}")]
    Option {
        option: String,
        why: &'static str,
        forms: String,
    },
    #[error("{word:?} is not possible here; possible are: {forms}")]
    Word { word: String, forms: String },
    #[error("something is missing at the end; possible are: {forms}")]
    Missing { forms: String },
    #[error("{word:?} is no {placeholder}: expected {}", placeholder.expected())]
    Value {
        word: String,
        placeholder: PlaceholderKind,
    },
}

fn read(
    text: &[u8],
    may: impl Fn(CommandAccess) -> bool,
) -> Result<GrammarCommand, CommandRefusal> {
    if text.is_empty() {
        return Err(CommandRefusal::Empty);
    }
    if text.len() > MAX_BYTES {
        return Err(CommandRefusal::TooLong { bytes: text.len() });
    }
    if let Some(at) = text.iter().position(|byte| !is_plain(*byte)) {
        return Err(CommandRefusal::Character { byte: text[at], at });
    }
    // All bytes are ASCII here.
    let text = String::from_utf8_lossy(text);
    let words: Vec<&str> = text.split(' ').collect();
    if words.iter().any(|word| word.is_empty()) {
        return Err(CommandRefusal::Spaces);
    }
    let rows: Vec<&'static GrammarRow> = ROWS.iter().filter(|row| may(row.access)).collect();
    let candidates = of_program(&rows, words[0])?;
    let mut misfits = Vec::new();
    for row in candidates {
        match fit(row, &words) {
            Ok(command) => return Ok(command),
            Err(misfit) => misfits.push((row, misfit)),
        }
    }
    Err(explain(&words, misfits))
}

/// Returns whether a shell leaves the byte alone in any position, or it is the space. The equals
/// sign is included to be refused with a better reason: no word of the table has one.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" -_.,:/@=".contains(&byte)
}

fn of_program(
    rows: &[&'static GrammarRow],
    first: &str,
) -> Result<Vec<&'static GrammarRow>, CommandRefusal> {
    let base = first.rsplit('/').next().unwrap_or(first);
    let found: Vec<&'static GrammarRow> = rows
        .iter()
        .copied()
        .filter(|row| row.name() == base)
        .collect();
    let Some(row) = found.first() else {
        let mut known: Vec<&str> = rows.iter().map(|row| row.name()).collect();
        known.dedup();
        return Err(CommandRefusal::Program {
            program: first.to_owned(),
            known: known.join(", "),
        });
    };
    if first != base && first != row.program {
        return Err(CommandRefusal::Path {
            path: first.to_owned(),
            expected: row.program,
        });
    }
    Ok(found)
}

/// The place where a row stops matching.
struct Misfit {
    /// Number of words that match.
    depth: usize,
    /// The placeholder with the wrong value, if it is one.
    placeholder: Option<PlaceholderKind>,
}

fn fit(row: &'static GrammarRow, words: &[&str]) -> Result<GrammarCommand, Misfit> {
    let mut argv = vec![row.program.to_owned()];
    let mut values = Vec::new();
    let mut at = 1;
    for part in row.parts {
        let misfit = |placeholder| Misfit {
            depth: at,
            placeholder,
        };
        match part {
            CommandPart::Word(expected) => {
                if words.get(at) != Some(expected) {
                    return Err(misfit(None));
                }
                argv.push((*expected).to_owned());
                at += 1;
            }
            CommandPart::Added(added) => {
                // All of it or nothing, so that a command has two spellings at most.
                if words[at..].starts_with(added) {
                    at += added.len();
                }
                argv.extend(added.iter().map(|word| (*word).to_owned()));
            }
            CommandPart::Value(placeholder) => {
                let word = words.get(at).ok_or(misfit(None))?;
                if !placeholder.accepts(word) {
                    return Err(misfit(Some(*placeholder)));
                }
                argv.push((*word).to_owned());
                values.push((*placeholder, (*word).to_owned()));
                at += 1;
            }
        }
    }
    if at < words.len() {
        return Err(Misfit {
            depth: at,
            placeholder: None,
        });
    }
    Ok(GrammarCommand { row, argv, values })
}

/// Explains the error by the rows that match furthest.
fn explain(words: &[&str], misfits: Vec<(&'static GrammarRow, Misfit)>) -> CommandRefusal {
    let depth = misfits.iter().map(|(_, misfit)| misfit.depth).max();
    let depth = depth.unwrap_or_default();
    let nearest: Vec<_> = misfits
        .iter()
        .filter(|(_, misfit)| misfit.depth == depth)
        .collect();
    let forms: Vec<String> = nearest.iter().map(|(row, _)| row.form()).collect();
    let forms = forms.join("; ");
    let Some(word) = words.get(depth).map(|word| (*word).to_owned()) else {
        return CommandRefusal::Missing { forms };
    };
    if word.starts_with('-') {
        let why = if word.contains('=') {
            texts::ssh::VALUE_AFTER_EQUALS_SIGN
        } else if words[..depth].contains(&word.as_str()) {
            texts::ssh::IT_IS_GIVEN_ALREADY
        } else {
            texts::ssh::OPTIONS_STAND_AS_LISTED
        };
        return CommandRefusal::Option {
            option: word,
            why,
            forms,
        };
    }
    let placeholders: Option<Vec<PlaceholderKind>> = nearest
        .iter()
        .map(|(_, misfit)| misfit.placeholder)
        .collect();
    match placeholders.as_deref() {
        Some([placeholder, others @ ..]) if others.iter().all(|other| other == placeholder) => {
            CommandRefusal::Value {
                word,
                placeholder: *placeholder,
            }
        }
        _ => CommandRefusal::Word { word, forms },
    }
}

/// Quotes a word for a POSIX shell. No word of the grammar needs it; this ensures that a future row
/// that does cannot turn into something else on its way.
fn quote(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.,:/@".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests;
