//! Readers of imported files. They read line by line and keep one row in memory, except for feeds, which are
//! small, and name the line and the kind of an error.

mod calendar;
mod candles;
mod cot;
mod csv;
mod feed;
mod headlines;
mod markup;
mod table;
mod trades;

use std::fmt;

pub(crate) use self::cot::published;
pub use self::{
    calendar::calendar,
    candles::candles,
    cot::{COLUMNS as COT_COLUMNS, cot},
    headlines::headlines,
    trades::trades,
};

/// Kind of an error. The words are stable, so that scripts may match them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportCode {
    /// The file cannot be read.
    Io,
    /// A line is malformed: quotes, length, characters.
    Syntax,
    /// A column is missing, or there are too many.
    Columns,
    /// A time is invalid.
    Time,
    /// A number is invalid.
    Number,
    /// A word is none of the allowed ones.
    Word,
    /// The values are inconsistent.
    Contradiction,
    /// A row is earlier than the one above it, or a duplicate.
    Order,
}

impl ImportCode {
    /// The word for the code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Io => "io",
            Self::Syntax => "syntax",
            Self::Columns => "columns",
            Self::Time => "time",
            Self::Number => "number",
            Self::Word => "word",
            Self::Contradiction => "contradiction",
            Self::Order => "order",
        }
    }
}

/// Reason that a file is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message} ({code})")]
pub struct ImportError {
    /// Line number, from 1.
    pub line: u64,
    pub code: ImportCode,
    pub message: String,
}

impl ImportError {
    fn new(line: u64, code: ImportCode, message: impl Into<String>) -> Self {
        Self {
            line,
            code,
            message: message.into(),
        }
    }
}

impl fmt::Display for ImportCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
