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
            other => code_of_name(other.name()),
        }
    }
}

/// The number of a symbol that is not built in. It comes from the name alone (FNV-1a, as 31 bits above
/// the built-in ones), so the order of the configuration may change.
fn code_of_name(name: &str) -> i64 {
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    i64::from(hash >> 1) | 0x100
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
        let built_in = [Symbol::EurUsd, Symbol::GbpUsd, Symbol::UsdJpy];
        assert_eq!(built_in.map(Symbol::code), [1, 2, 3]);
        // FNV-1a of "a" is 0xe40c292c: published with the algorithm.
        assert_eq!(code_of_name("a"), (0xe40c_292c >> 1) | 0x100);
        assert_eq!(
            Timeframe::ALL.map(Timeframe::code),
            [1, 5, 15, 30, 60, 240, 1_440, 10_080, 43_200]
        );
    }
}
