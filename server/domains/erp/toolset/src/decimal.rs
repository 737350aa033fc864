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

/// The same, where the ERP leaves out or empties a zero.
pub(crate) fn decimal_or_zero(value: &Value) -> Decimal {
    decimal(value).unwrap_or_default()
}

/// A number of digits with an optional sign, point and exponent; no separators, no infinity.
fn parse(text: &str) -> Option<Decimal> {
    let is_number = text
        .bytes()
        .all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if !is_number || text.is_empty() || text.len() > 40 {
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
}
