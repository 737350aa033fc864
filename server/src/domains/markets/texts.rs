//! Sentences of the markets for people: their start and what an import says.

use std::fmt::Display;

pub(crate) const MARKET_TOOLS: &str = "Market tools";

pub(crate) fn file_of_prices(error: &impl Display) -> String {
    format!("the file of prices: {error}")
}

pub(crate) fn file_of_prices_has_bytes(length: u64, most: u64) -> String {
    format!("the file of prices has {length} bytes, {most} at most")
}

pub(crate) fn symbol_is_wrong(why: &impl Display, code: &str) -> String {
    format!("markets.symbols: {why} ({code})")
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

pub(crate) const NOT_A_REGULAR_FILE: &str = "it is not a regular file";

pub(crate) const LINK_LEAVES_FOLDER: &str = "it is a link that leads out of the folder";

pub(crate) const FILE_KEEPS_CHANGING: &str = "it keeps changing, and is read only once it rests";

pub(crate) fn line_is_refused(line: u64, code: &str) -> String {
    format!("line {line} is refused ({code})")
}

pub(crate) const CANDLES_OF_A_FOLDER: &str = "Candles of a folder, without prices";

pub(crate) const PRICES_AT_AN_ADDRESS: &str = "Prices that a program serves";

pub(crate) const ONLY_LOCAL_URLS: &str = "markets.price_file: expected a path, or a URL of this machine such as http://127.0.0.1:7400/prices";

pub(crate) fn program_of_prices(error: &impl Display) -> String {
    format!("the program with the prices: {error}")
}

pub(crate) fn program_of_prices_says_more(most: u64) -> String {
    format!("the program with the prices says more than {most} bytes")
}

pub(crate) const ANSWER_IS_NO_TEXT: &str = "the program with the prices does not answer in UTF-8";

pub(crate) const ANSWER_IS_NOT_HTTP: &str = "the program with the prices gives no answer of HTTP";

pub(crate) const ANSWER_IS_NOT_200: &str =
    "the program with the prices answers with a status that is not 200";

pub(crate) const ANSWER_IN_CHUNKS: &str = "the program with the prices answers HTTP/1.0 in chunks";

pub(crate) const ANSWER_HAS_ANOTHER_LENGTH: &str =
    "the answer of the program with the prices does not have the length that it says";

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

pub(crate) const NOTHING_WAS_IMPORTED: &str = "Nothing of the file was imported.";

pub(crate) const ONLY_TRADES_ARE_PRIVATE: &str =
    "only trades can be for one person; everybody sees other data";

pub(crate) const NOTHING_WAS_CHANGED: &str = "Nothing was changed.";

pub(crate) fn indicators_are(words: &[&str]) -> String {
    format!(
        "The message is {{\"indicators\": […]}}, a list of {}, each once.",
        words.join(", ")
    )
}

pub(crate) const SERVER_TAKES_NO_IMPORTS: &str = "a server is using this data folder and does not take \
     imports, because charts are off or it is of an earlier version; stop it first";
