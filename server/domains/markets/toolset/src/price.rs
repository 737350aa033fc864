//! Prices as people and files write them, and what else is known about a symbol.

use markets_wire::{Points, Symbol};

/// Reason that a number is not a price of a symbol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPrice {
    #[error("{0:?} is no price")]
    Unreadable(String),
    #[error("{0} is not on the tick: {1} quotes {2} decimals")]
    OffTick(String, Symbol, u32),
    #[error("{0} is out of range")]
    OutOfRange(String),
}

/// Upper limit for prices, in points; sums of a few of them cannot overflow.
const MOST: i64 = 1_000_000_000_000;

/// The CFTC contract of the reports about a symbol; empty, which is the key of no report, if there is
/// none.
pub(crate) fn contract(symbol: Symbol) -> &'static str {
    symbol.instrument().contract.as_deref().unwrap_or_default()
}

/// The currencies whose events move a symbol.
pub(crate) fn currencies(symbol: Symbol) -> Vec<&'static str> {
    let instrument = symbol.instrument();
    let base = instrument.base.as_deref();
    base.into_iter()
        .chain([instrument.quote.as_str()])
        .collect()
}

/// Parses a decimal exactly, such as `1.05236`. Further digits must be zeros.
///
/// # Errors
/// It is not a plain decimal, not on the tick, or too large.
pub(crate) fn parse(symbol: Symbol, text: &str) -> Result<Points, BadPrice> {
    let unreadable = || BadPrice::Unreadable(text.to_owned());
    let (negative, bare) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = bare.split_once('.').unwrap_or((bare, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return Err(unreadable());
    }
    let digits = symbol.digits() as usize;
    let (kept, beyond) = fraction.split_at(fraction.len().min(digits));
    if beyond.bytes().any(|byte| byte != b'0') {
        return Err(BadPrice::OffTick(text.to_owned(), symbol, symbol.digits()));
    }
    let points = format!("{whole}{kept:0<digits$}").parse::<i64>();
    match points {
        Ok(points) if points < MOST => Ok(Points(if negative { -points } else { points })),
        _ => Err(BadPrice::OutOfRange(text.to_owned())),
    }
}

/// Converts a JSON number to a price.
///
/// # Errors
/// It is not on the tick, or not a price at all.
pub(crate) fn points(symbol: Symbol, number: f64) -> Result<Points, BadPrice> {
    if !number.is_finite() || number.abs() >= MOST as f64 / symbol.scale() as f64 {
        return Err(BadPrice::OutOfRange(number.to_string()));
    }
    // The shortest decimal for this number is the one that was written.
    parse(symbol, &number.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn prices_are_exact() {
        let check = |text, expect: Result<i64, &str>| {
            let got = parse(Symbol::EurUsd, text).map(|points| points.0);
            assert_eq!(
                got.map_err(|error| error.to_string()),
                expect.map_err(str::to_owned)
            );
        };
        check("1.05236", Ok(105_236));
        check("1.2", Ok(120_000));
        check("1.0523600", Ok(105_236));
        check("-0.00012", Ok(-12));
        check(
            "1.052365",
            Err("1.052365 is not on the tick: EURUSD quotes 5 decimals"),
        );
        check("1e5", Err("\"1e5\" is no price"));
        check("", Err("\"\" is no price"));
        check("1.5.", Err("\"1.5.\" is no price"));
        check(
            "99999999999999999999",
            Err("99999999999999999999 is out of range"),
        );
        assert_eq!(parse(Symbol::UsdJpy, "111.125").unwrap(), Points(111_125));
        assert_eq!(
            super::points(Symbol::EurUsd, f64::NAN)
                .unwrap_err()
                .to_string(),
            "NaN is out of range"
        );
        assert_eq!("15m".parse::<Symbol>().unwrap_err().0, "15m");
    }

    proptest! {
        #[test]
        fn numbers_and_texts_come_back(points in -300_000_000_i64..300_000_000) {
            for symbol in Symbol::all() {
                let points = Points(points);
                prop_assert_eq!(parse(symbol, &symbol.show(points)), Ok(points));
                prop_assert_eq!(super::points(symbol, symbol.number(points)), Ok(points));
                prop_assert_eq!(symbol.round(symbol.number(points)), points);
            }
        }
    }
}
