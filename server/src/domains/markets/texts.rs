//! Sentences of the markets for people: their start and what an import says.

use std::fmt::Display;

pub(crate) fn file_of_prices(error: &impl Display) -> String {
    format!("the file of prices: {error}")
}

pub(crate) fn file_of_prices_has_bytes(length: u64, most: u64) -> String {
    format!("the file of prices has {length} bytes, {most} at most")
}

pub(crate) const OPTIONS_OF_MARKETS: &str = "options of the markets";

pub(crate) const PRICES_OF_CONFIGURED_FILE: &str = "Prices of the configured file";

/// The folder of candles, in place of the name of a file.
pub(crate) const THE_FOLDER: &str = "folder";

pub(crate) fn folder_of_candles(error: &impl Display) -> String {
    format!("it cannot be read: {error}")
}

pub(crate) fn too_many_files(most: usize) -> String {
    format!("it has more than {most} files")
}

pub(crate) fn file_of_candles_has_bytes(length: u64, most: u64) -> String {
    format!("it has {length} bytes, {most} at most")
}

pub(crate) const FILE_KEEPS_CHANGING: &str = "it keeps changing, and is read only once it rests";

pub(crate) fn line_is_refused(line: u64, code: &str) -> String {
    format!("line {line} is refused ({code})")
}

pub(crate) const CANDLES_OF_A_FOLDER: &str = "Candles of a folder, without prices";

pub(crate) const PRICES_OF_A_PROGRAM: &str = "Prices that a program sends";

pub(crate) const ONE_SOURCE_OF_PRICES: &str =
    "markets.price_file and markets.price_push exclude each other";

pub(crate) const FORM_OF_PRICES: &str =
    "Send {\"EURUSD\": {\"bid\": 1.08412, \"ask\": 1.0842, \"at\": \"2026-11-23T10:15:00Z\"}}.";

pub(crate) const SIMULATED_PRICES: &str = "Simulated prices";

pub(crate) fn rows_written_unchanged(rows: u64, written: u64, unchanged: u64) -> String {
    format!("{rows} rows: {written} written, {unchanged} unchanged")
}

pub(crate) fn rows_deleted(rows: u64) -> String {
    format!("{rows} rows deleted")
}

pub(crate) fn no_time_in_filter(name: &str, error: &impl Display) -> String {
    format!("{name}: {error}")
}
