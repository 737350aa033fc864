//! Readers of files that people bring. They read line by line, hold one row, and name the line and
//! the kind of what is wrong with it.

mod calendar;
mod candles;
mod cot;
mod csv;
mod table;
mod trades;

use std::fmt;

pub(crate) use self::cot::published;
pub use self::{
    calendar::calendar,
    candles::candles,
    cot::{COLUMNS as COT_COLUMNS, cot},
    trades::trades,
};

/// What kind of mistake it is. The words are stable: scripts may look for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportCode {
    /// The file cannot be read.
    Io,
    /// A line is no line of such a file: quotes, length, signs.
    Syntax,
    /// A column is missing or there are too many.
    Columns,
    /// A time cannot be read.
    Time,
    /// A number cannot be read.
    Number,
    /// A word is none of those that may stand there.
    Word,
    /// The values contradict each other.
    Contradiction,
    /// A row comes before the one above it, or twice.
    Order,
}

impl ImportCode {
    /// The word for it.
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

/// Why a file is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message} ({code})")]
pub struct ImportError {
    /// Counted from 1.
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
