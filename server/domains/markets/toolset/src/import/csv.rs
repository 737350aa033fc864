//! CSV reader with quotes as in RFC 4180; keeps one row in memory.
//!
//! The crate `csv` is no replacement: it reads a quote that stands within a value or is never closed
//! without an error, the latter up to the end of the file, and has no limit on a row. Wrong prices
//! would be stored without a word.

use std::io::BufRead;

use super::{ImportCode, ImportError};
use crate::texts;

/// Limit on a row in bytes: a report has about 2,000.
const LONGEST: usize = 64 * 1024;

/// A row with the number of its first line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) line: u64,
    /// Character between the fields.
    pub(super) separator: char,
    /// Fields without the surrounding spaces.
    pub(super) fields: Vec<String>,
}

/// Iterator over rows; blank lines are skipped.
pub(super) struct Rows<R> {
    input: R,
    /// `None` until the first row tells.
    separator: Option<char>,
    line: u64,
    failed: bool,
}

impl<R: BufRead> Rows<R> {
    /// Rows between whose fields are commas.
    pub(super) fn new(input: R) -> Self {
        Self::between(input, Some(','))
    }

    /// Rows between whose fields are tabs or semicolons if the first row has some, and else commas.
    pub(super) fn of_any_separator(input: R) -> Self {
        Self::between(input, None)
    }

    fn between(input: R, separator: Option<char>) -> Self {
        Self {
            input,
            separator,
            line: 0,
            failed: false,
        }
    }

    fn read(&mut self) -> Result<Option<Row>, ImportError> {
        let mut bytes = Vec::new();
        let mut first = self.line + 1;
        loop {
            let start = bytes.len();
            let room = (LONGEST + 1 - start.min(LONGEST)) as u64;
            let mut part = std::io::Read::take(&mut self.input, room);
            let error = |error: std::io::Error| {
                ImportError::new(
                    first,
                    ImportCode::Io,
                    texts::imports::file_cannot_be_read(&error),
                )
            };
            if part.read_until(b'\n', &mut bytes).map_err(error)? == 0 {
                let is_open = start > 0;
                return if is_open {
                    Err(syntax(first, texts::imports::QUOTE_IS_NEVER_CLOSED))
                } else {
                    Ok(None)
                };
            }
            self.line += 1;
            if bytes.len() > LONGEST {
                return Err(syntax(first, texts::imports::ROW_IS_TOO_LONG));
            }
            // A quoted field may contain a line break.
            if bytes.iter().filter(|byte| **byte == b'"').count() % 2 == 1 {
                continue;
            }
            if bytes.iter().all(u8::is_ascii_whitespace) {
                bytes.clear();
                first = self.line + 1;
                continue;
            }
            let text = std::str::from_utf8(&bytes)
                .map_err(|_| syntax(first, texts::imports::TEXT_IS_NOT_UTF_8))?
                .trim_end_matches(['\n', '\r']);
            let text = match first {
                1 => text.strip_prefix('\u{feff}').unwrap_or(text),
                _ => text,
            };
            let separator = match self.separator {
                Some(separator) => separator,
                None => separator_of(text).map_err(|message| syntax(first, message))?,
            };
            self.separator = Some(separator);
            let fields = fields(text, separator).map_err(|message| syntax(first, message))?;
            return Ok(Some(Row {
                line: first,
                separator,
                fields,
            }));
        }
    }
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = Result<Row, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let row = self.read();
        self.failed = row.is_err();
        row.transpose()
    }
}

fn syntax(line: u64, message: &str) -> ImportError {
    ImportError::new(line, ImportCode::Syntax, message)
}

/// The separator of a row. A comma beside semicolons or tabs belongs to a number.
fn separator_of(text: &str) -> Result<char, &'static str> {
    let (mut is_quoted, mut has_semicolons, mut has_tabs) = (false, false, false);
    for character in text.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ';' => has_semicolons |= !is_quoted,
            '\t' => has_tabs |= !is_quoted,
            _ => {}
        }
    }
    match (has_semicolons, has_tabs) {
        (true, true) => Err(texts::imports::SEMICOLONS_STAND_BESIDE_TABS),
        (true, false) => Ok(';'),
        (false, true) => Ok('\t'),
        (false, false) => Ok(','),
    }
}

fn fields(text: &str, separator: char) -> Result<Vec<String>, &'static str> {
    let is_padding = |character: char| matches!(character, ' ' | '\t') && character != separator;
    let mut fields = Vec::new();
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start_matches(is_padding);
        let end = match trimmed.strip_prefix('"') {
            Some(quoted) => {
                let mut value = String::new();
                let mut inside = quoted;
                loop {
                    let (before, after) = inside
                        .split_once('"')
                        .ok_or(texts::imports::QUOTE_IS_NEVER_CLOSED)?;
                    value.push_str(before);
                    match after.strip_prefix('"') {
                        Some(more) => {
                            value.push('"');
                            inside = more;
                        }
                        None => {
                            inside = after;
                            break;
                        }
                    }
                }
                fields.push(value.trim().to_owned());
                inside.trim_start_matches(is_padding)
            }
            None => {
                let end = rest.find(separator).unwrap_or(rest.len());
                let (value, after) = rest.split_at(end);
                if value.contains('"') {
                    return Err(texts::imports::QUOTE_STANDS_WITHIN_VALUE);
                }
                fields.push(value.trim().to_owned());
                after
            }
        };
        match end.strip_prefix(separator) {
            Some(next) => rest = next,
            None if end.is_empty() => return Ok(fields),
            None => return Err(texts::imports::SOMETHING_STANDS_BEHIND_CLOSED_QUOTE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Result<Vec<String>, String>> {
        let rows = Rows::new(text.as_bytes());
        rows.map(|row| {
            let row = row.map_err(|error| error.to_string())?;
            let line = std::iter::once(row.line.to_string());
            Ok(line.chain(row.fields).collect())
        })
        .collect()
    }

    #[test]
    fn rows_come_as_they_were_meant() {
        let fine = |fields: &[&str]| Ok(fields.iter().map(|field| (*field).to_owned()).collect());
        assert_eq!(
            rows("\u{feff}a, b ,\"c, \"\"d\"\"\"\r\n\n  \n,\n\"x\ny\" , 7"),
            [
                fine(&["1", "a", "b", "c, \"d\""]),
                fine(&["4", "", ""]),
                fine(&["5", "x\ny", "7"]),
            ]
        );
        assert_eq!(
            rows("a\n\"b\nc"),
            [
                fine(&["1", "a"]),
                Err("line 2: a quote is never closed (syntax)".to_owned())
            ]
        );
        let long = format!("{}\n", "x".repeat(LONGEST + 10));
        let expect = "line 1: the row is longer than 65536 bytes (syntax)";
        assert_eq!(rows(&long), [Err(expect.to_owned())]);
        assert_eq!(rows(&"\n".repeat(1_000_000)), []);
        assert!(rows("\"a\"b,c")[0].is_err());
        assert!(rows("a\"b\",c")[0].is_err());
    }

    #[test]
    fn the_first_row_tells_the_separator() {
        for (text, expect) in [
            ("a;1,5\n;\t\"b;c\"", Ok("a|1,5\n|b;c")),
            ("a\t1,5\r\n\t\"b\"\n\"c\td\" \t", Ok("a|1,5\n|b\nc\td|")),
            ("\u{feff}\"a;b\tc\",d\n1;2,3", Ok("a;b\tc|d\n1;2|3")),
            (
                "\na;b\tc\n",
                Err(
                    "line 2: semicolons stand beside tabs, and only one of them can separate values \
                     (syntax)",
                ),
            ),
        ] {
            let rows: Result<Vec<_>, _> = Rows::of_any_separator(text.as_bytes())
                .map(|row| row.map(|row| row.fields.join("|")))
                .collect();
            let found = rows.map(|rows| rows.join("\n"));
            let found = found.map_err(|error| error.to_string());
            assert_eq!(found.as_deref().map_err(String::as_str), expect, "{text}");
        }
    }
}
