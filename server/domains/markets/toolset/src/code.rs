//! Numbers of words in tables.

use markets_wire::{Symbol, Timeframe};

/// A word that tables have as a number.
pub trait Coded {
    /// The number stored for it. It never changes.
    fn code(self) -> i64;
}

impl Coded for Symbol {
    fn code(self) -> i64 {
        match self {
            Self::EurUsd => 1,
            Self::GbpUsd => 2,
            Self::UsdJpy => 3,
        }
    }
}

/// Minutes, with 30 days for a month.
impl Coded for Timeframe {
    fn code(self) -> i64 {
        self.seconds() / 60
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_their_words_again() {
        assert_eq!(Symbol::ALL.map(Symbol::code), [1, 2, 3]);
        assert_eq!(
            Timeframe::ALL.map(Timeframe::code),
            [1, 5, 15, 30, 60, 240, 1_440, 10_080, 43_200]
        );
    }
}
