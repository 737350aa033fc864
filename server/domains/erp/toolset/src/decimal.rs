//! Money and quantities as decimals.
//!
//! Frappe writes its numbers as doubles in their shortest form. Reading such a number and writing it
//! again in its shortest form gives the same digits, so a decimal made from those has lost nothing.

use std::str::FromStr;

use rust_decimal::Decimal;
use serde_json::{Number, Value};

/// The decimal of a number, or of a text that is one without separators.
pub(crate) fn decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => parse(&number.to_string()),
        Value::String(text) => parse(text.trim()),
        _ => None,
    }
}

/// No field of the ERP can store a number of this size, and no sum of such fields comes near it. Sums of
/// numbers within it stay far below what a decimal can hold.
const ABSURD: i64 = 1_000_000_000_000_000_000;

/// The same, where the ERP leaves out or empties a zero. An absurd number is the smallest absurd one, which
/// can be added up but not told.
pub(crate) fn decimal_or_zero(value: &Value) -> Decimal {
    bounded(decimal(value).unwrap_or_else(|| beyond(value)))
}

/// The number if it can be told: an absurd one, or a sum with one in it, is unknown.
pub(crate) fn sane(number: Decimal) -> Option<Decimal> {
    (number.abs() < Decimal::from(ABSURD)).then_some(number)
}

/// True if the sums are the same; None if one cannot be told.
pub(crate) fn are_equal(one: Decimal, other: Decimal) -> Option<bool> {
    Some(sane(one)? == sane(other)?)
}

/// A product, which is absurd where it is too large.
pub(crate) fn times(one: Decimal, other: Decimal) -> Decimal {
    bounded(one.saturating_mul(other))
}

/// A quotient, which is absurd where it is too large. `by` is not zero.
pub(crate) fn shared(sum: Decimal, by: Decimal) -> Decimal {
    let most = if sum.is_sign_negative() == by.is_sign_negative() {
        ABSURD
    } else {
        -ABSURD
    };
    bounded(sum.checked_div(by).unwrap_or_else(|| most.into()))
}

fn bounded(number: Decimal) -> Decimal {
    let most = Decimal::from(ABSURD);
    number.clamp(-most, most)
}

/// A number that is too large for a decimal; zero for what is none.
fn beyond(value: &Value) -> Decimal {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if is_number(text.trim()) => text.trim().parse().ok(),
        _ => None,
    };
    match number {
        Some(number) if number >= 1e18 => Decimal::from(ABSURD),
        Some(number) if number <= -1e18 => -Decimal::from(ABSURD),
        _ => Decimal::ZERO,
    }
}

/// Digits with an optional sign, point and exponent; no separators, no infinity.
fn is_number(text: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_digit() || b"+-.eE".contains(&b);
    !text.is_empty() && text.bytes().all(is_part)
}

fn parse(text: &str) -> Option<Decimal> {
    if !is_number(text) || text.len() > 40 {
        return None;
    }
    if text.contains(['e', 'E']) {
        Decimal::from_scientific(text).ok()
    } else {
        Decimal::from_str(text).ok()
    }
}

/// The decimal as a JSON number without trailing zeros.
pub(crate) fn number(decimal: Decimal) -> Value {
    let text = decimal.normalize().to_string();
    match Number::from_str(&text) {
        Ok(number) => Value::Number(number),
        // No decimal is out of the range of a number.
        Err(_) => Value::String(text),
    }
}

/// Money as people read it: `1,190.00 EUR`, to the cent.
pub(crate) fn money(sum: Decimal, currency: &str) -> String {
    format!("{} {currency}", amount(sum.round_dp(2)))
}

/// Digits of an amount as people read them: `1,190.00`, with more than two behind the point where it has more.
pub(crate) fn amount(number: Decimal) -> String {
    let number = number.normalize();
    let places = usize::try_from(number.scale().max(2)).unwrap_or(2);
    let digits = format!("{:.places$}", number.abs());
    let (whole, cents) = digits.split_once('.').unwrap_or((&digits, "00"));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if number < Decimal::ZERO { "-" } else { "" };
    format!("{sign}{grouped}.{cents}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sums_are_exact_and_separators_are_no_numbers() {
        let rows = [json!(0.1), json!(0.2), json!("1190.00"), json!(-1190.3)];
        let sum: Decimal = rows.iter().filter_map(decimal).sum();
        assert_eq!(number(sum), json!(0));
        assert_eq!(decimal(&json!(1e-7)).map(number), Some(json!(1e-7)));
        assert_eq!(
            decimal(&json!(1e21)).map(|it| it.to_string()).as_deref(),
            Some("1000000000000000000000")
        );
        for none in [
            json!("1,234"),
            json!("1.234,5"),
            json!("abc"),
            json!(""),
            json!(null),
            json!("inf"),
            json!(true),
        ] {
            assert_eq!(decimal(&none), None, "{none}");
        }
        assert_eq!(number(decimal_or_zero(&json!("12.50"))), json!(12.5));
        for none in [json!(null), json!(""), json!("abc"), json!("inf")] {
            assert_eq!(decimal_or_zero(&none), Decimal::ZERO, "{none}");
        }
        for (amount, text) in [
            ("0", "0.00 EUR"),
            ("-0.001", "0.00 EUR"),
            ("-1234.5", "-1,234.50 EUR"),
            ("1234567.891", "1,234,567.89 EUR"),
        ] {
            assert_eq!(money(amount.parse().unwrap(), "EUR"), text);
        }
        for (number, text) in [
            ("5", "5.00"),
            ("-1190.5", "-1,190.50"),
            ("0.12500", "0.125"),
        ] {
            assert_eq!(amount(number.parse().unwrap()), text);
        }
    }
    #[test]
    fn absurd_numbers_are_added_and_multiplied_without_an_end_and_not_told() {
        let nines = "9".repeat(60);
        for absurd in [
            json!(1e18),
            json!(7e28),
            json!(1e300),
            json!(nines),
            json!("1e999"),
        ] {
            let number = decimal_or_zero(&absurd);
            assert_eq!(sane(number), None, "{absurd}");
            let sum: Decimal = (0..1000).map(|_| number).sum();
            assert_eq!(sane(times(sum, number)), None, "{absurd}");
            let text = format!("-{}", absurd.to_string().trim_matches('"'));
            assert_eq!(decimal_or_zero(&json!(text)), -number, "{text}");
        }
        let sane_one = decimal_or_zero(&json!(999_999_999_999_999_999_i64));
        assert_eq!(sane(sane_one), Some(sane_one));
        let tiny = Decimal::new(1, 28);
        assert_eq!(sane(shared(-sane_one, tiny)), None);
        assert!(shared(-sane_one, tiny) < Decimal::ZERO);
        assert_eq!(shared(Decimal::ONE, Decimal::TWO), Decimal::new(5, 1));
    }
}
