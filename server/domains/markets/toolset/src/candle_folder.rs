//! Files of a watched folder: what their names say of them, and the problems with them.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    Symbol, Timeframe, UnknownTimeframe,
    intake::Records,
    symbols::{UndeclaredSymbol, declared},
    texts,
};

/// Extensions of files that are read; those but the first have headlines.
pub const EXTENSIONS: [&str; 5] = ["csv", "jsonl", "rss", "atom", "xml"];

/// Characters of an unknown word that its refusal repeats.
const SHOWN_WORD: usize = 32;
/// The most problems that are shown.
const MOST: usize = 20;

/// Content of a file, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Candles(Symbol, Timeframe),
    Records(Records),
}

/// Reason that the name of a file does not tell its content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadFileName {
    #[error("{}", texts::FORM_OF_FILE_NAME)]
    Form,
    #[error(transparent)]
    Symbol(#[from] UndeclaredSymbol),
    #[error(transparent)]
    Timeframe(#[from] UnknownTimeframe),
}

/// The content of a file: candles in one such as `EURUSD_M1.csv` or `EURUSD_M1_2026-11.csv`, records in one
/// such as `trades_2026.csv`, and headlines in every feed.
///
/// # Errors
/// The name has another form, or a word of it is unknown.
pub fn of_name(name: &str) -> Result<FileKind, BadFileName> {
    let (stem, extension) = name.rsplit_once('.').ok_or(BadFileName::Form)?;
    if !EXTENSIONS.contains(&extension) {
        return Err(BadFileName::Form);
    }
    if extension != "csv" {
        return Ok(FileKind::Records(Records::Headlines));
    }
    let mut words = stem.split('_');
    let first = words.next().unwrap_or_default();
    if let Some(records) = Records::named(first) {
        return Ok(FileKind::Records(records));
    }
    let (symbol, Some(frame)) = (first, words.next()) else {
        return Err(BadFileName::Form);
    };
    let shown = |word: &str| word.chars().take(SHOWN_WORD).collect::<String>();
    // A known one is shorter than the limit.
    let symbol = declared(&shown(symbol))?;
    let frame = Timeframe::named(frame).ok_or_else(|| UnknownTimeframe(shown(frame)))?;
    Ok(FileKind::Candles(symbol, frame))
}

/// The problems with a folder and its files, by name. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct FolderProblems(Arc<Mutex<BTreeMap<String, String>>>);

impl FolderProblems {
    /// Replaces them. Names and reasons must be safe to show.
    pub fn set(&self, mut problems: BTreeMap<String, String>) {
        while problems.len() > MOST {
            problems.pop_last();
        }
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = problems;
    }

    pub fn all(&self) -> BTreeMap<String, String> {
        let problems = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        problems.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_what_is_in_a_file() {
        let told = |name: &str| of_name(name).map_err(|error| error.to_string());
        let hours = Ok(FileKind::Candles(Symbol::EurUsd, Timeframe::H1));
        assert_eq!(told("EURUSD_H1.csv"), hours);
        assert_eq!(told("EURUSD_H1_2026-11.csv"), hours);
        for (name, records) in [
            ("headlines.csv", Records::Headlines),
            ("wire.rss", Records::Headlines),
            ("a.b.atom", Records::Headlines),
            ("news_2026.xml", Records::Headlines),
            ("news.jsonl", Records::Headlines),
            ("trades_2026.csv", Records::Trades),
            ("calendar.csv", Records::Calendar),
            ("cot_2026.csv", Records::Cot),
        ] {
            assert_eq!(told(name), Ok(FileKind::Records(records)), "{name}");
        }
        for (name, reason) in [
            ("EURUSD.csv", "is not called"),
            ("EURUSD_H1.txt", "is not called"),
            ("XAUUSD_H1.csv", "no symbol is called \"XAUUSD\""),
            ("XAUUSD_H1.csv", "[[markets.symbols]]"),
            ("EURUSD_15m.csv", "no timeframe is called \"15m\""),
            ("\u{202e}_H1.csv", "no symbol is called \"\\u{202e}\""),
        ] {
            let error = told(name).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
