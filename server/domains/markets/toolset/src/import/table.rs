//! Rows below a header line.

use std::{collections::HashMap, io::BufRead};

use super::{
    ImportCode, ImportError,
    csv::{Row, Rows},
};
use crate::{Time, texts};

/// Rows with named columns.
pub(super) struct Table<R> {
    rows: Rows<R>,
    columns: HashMap<String, usize>,
    width: usize,
}

/// A row of a table.
pub(super) struct Cells<'a> {
    columns: &'a HashMap<String, usize>,
    row: Row,
}

impl<R: BufRead> Table<R> {
    /// Reads the header line.
    pub(super) fn new(input: R, required: &[&str], optional: &[&str]) -> Result<Self, ImportError> {
        let mut rows = Rows::new(input);
        let wrong = |line, message: String| ImportError::new(line, ImportCode::Columns, message);
        let header = match rows.next() {
            Some(row) => row?,
            None => return Err(wrong(1, texts::imports::FILE_IS_EMPTY.to_owned())),
        };
        let mut columns = HashMap::new();
        for (index, name) in header.fields.iter().enumerate() {
            let name = name.to_ascii_lowercase();
            if !required.contains(&&*name) && !optional.contains(&&*name) {
                return Err(wrong(
                    header.line,
                    texts::imports::no_column_is_called(&name),
                ));
            }
            if columns.insert(name.clone(), index).is_some() {
                return Err(wrong(
                    header.line,
                    texts::imports::column_is_there_twice(&name),
                ));
            }
        }
        if let Some(name) = required.iter().find(|name| !columns.contains_key(**name)) {
            return Err(wrong(header.line, texts::imports::column_is_missing(name)));
        }
        Ok(Self {
            rows,
            columns,
            width: header.fields.len(),
        })
    }

    pub(super) fn next(&mut self) -> Option<Result<Cells<'_>, ImportError>> {
        let row = match self.rows.next()? {
            Ok(row) => row,
            Err(error) => return Some(Err(error)),
        };
        let (found, expected) = (row.fields.len(), self.width);
        if found != expected {
            let message = texts::imports::values_stand_under_names(found, expected);
            return Some(Err(ImportError::new(
                row.line,
                ImportCode::Columns,
                message,
            )));
        }
        Some(Ok(Cells {
            columns: &self.columns,
            row,
        }))
    }
}

impl Cells<'_> {
    pub(super) fn line(&self) -> u64 {
        self.row.line
    }

    /// The text of a column; `None` if it is empty or the column does not exist.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let index = *self.columns.get(name)?;
        let text = self.row.fields.get(index)?.as_str();
        (!text.is_empty()).then_some(text)
    }

    pub(super) fn needed(&self, name: &str) -> Result<&str, ImportError> {
        let missing = || self.error(ImportCode::Columns, texts::imports::is_empty(name));
        self.text(name).ok_or_else(missing)
    }

    pub(super) fn time(&self, name: &str) -> Result<Option<Time>, ImportError> {
        let read = |text: &str| {
            Time::parse(text)
                .map_err(|error| self.error(ImportCode::Time, format!("{name}: {error}")))
        };
        self.text(name).map(read).transpose()
    }

    pub(super) fn needed_time(&self, name: &str) -> Result<Time, ImportError> {
        self.needed(name)?;
        self.time(name).map(Option::unwrap_or_default)
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, ImportError> {
        let read = |text: &str| {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| {
                self.error(
                    ImportCode::Number,
                    texts::imports::value_is_no_number(name, text),
                )
            })
        };
        self.text(name).map(read).transpose()
    }

    /// A decimal with at most `digits` decimals, as an integer in units of the last one.
    pub(super) fn fixed(&self, name: &str, digits: usize) -> Result<Option<i64>, ImportError> {
        let read = |text: &str| {
            fixed(text, digits).ok_or_else(|| {
                let message = texts::imports::value_has_too_many_decimals(name, text, digits);
                self.error(ImportCode::Number, message)
            })
        };
        self.text(name).map(read).transpose()
    }

    pub(super) fn flag(&self, name: &str) -> Result<bool, ImportError> {
        match self.text(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => {
                let message = texts::imports::value_is_no_boolean(name, other);
                Err(self.error(ImportCode::Word, message))
            }
        }
    }

    pub(super) fn error(&self, code: ImportCode, message: impl Into<String>) -> ImportError {
        ImportError::new(self.line(), code, message)
    }
}

fn fixed(text: &str, digits: usize) -> Option<i64> {
    let (negative, bare) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = bare.split_once('.').unwrap_or((bare, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) || fraction.len() > digits {
        return None;
    }
    let number: i64 = format!("{whole}{fraction:0<digits$}").parse().ok()?;
    Some(if negative { -number } else { number })
}
