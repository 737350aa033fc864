//! The import of a file.

pub(crate) const IMPORT_FILE: &str = "Import a file";

pub(crate) const IMPORT: &str = "Import";

pub(crate) const KIND: &str = "Kind of data";

pub(crate) const FILE: &str = "File";

/// The forms of docs/prices.md in short.
pub(crate) const FORM_OF_CANDLES: &str = "Candles: a header with time, open, high, low, close, volume; \
    commas, semicolons or tabs; oldest first, UTC.";

/// Of the symbol and the timeframe on view.
pub(crate) const CANDLES: &str = "Candles of this chart";

pub(crate) const TRADES: &str = "Trades";

pub(crate) const HEADLINES: &str = "Headlines";

pub(crate) const CALENDAR: &str = "Economic calendar";

pub(crate) const REPORTS: &str = "COT reports";

/// Of trades that nobody else sees.
pub(crate) const ONLY_FOR_ME: &str = "Only for me";

pub(crate) const CHOOSE_FILE: &str = "Choose a file first.";

pub(crate) const IMPORTING: &str = "Importing…";

pub(crate) fn imported(written: u64, unchanged: u64) -> String {
    let rows = if written == 1 { "row" } else { "rows" };
    format!("Imported {written} {rows}; {unchanged} unchanged.")
}

pub(crate) const NO_ANSWER: &str = "Can't reach the server. Importing the file again is safe.";
