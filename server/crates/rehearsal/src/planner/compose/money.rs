//! Amounts with their currency in the cell: apart from each other they say little, and a currency column
//! takes the room of one that says more.
//!
//! A result says the currency of its numbers in one of four ways: `amounts_in` with the fields of each
//! currency, of the whole or of a row; `amounts_in` with one currency for all; a column for it in each row;
//! or, in a table of columns and rows, with the column.

use serde_json::Value;

use super::flat_row::FlatRow;
use crate::planner::words::parts;

/// Words in the names of fields that hold money.
const AMOUNTS: [&str; 9] = [
    "outstanding",
    "balance",
    "grand",
    "amount",
    "total",
    "debit",
    "credit",
    "price",
    "paid",
];
/// Words in the names of fields that do not, whatever else they say.
const QUANTITIES: [&str; 7] = [
    "qty", "quantity", "percent", "count", "hours", "weight", "currency",
];
const AMOUNTS_IN: &str = "amounts_in";

/// A number with its currency: `1,190.00 EUR`. Other values as they are.
pub(super) fn shown(value: &Value, currency: Option<&str>) -> Value {
    let digits = value.is_number().then(|| grouped(&value.to_string()));
    match digits.flatten().zip(currency.filter(|it| is_code(it))) {
        Some((digits, currency)) => Value::String(format!("{digits} {currency}")),
        None => value.clone(),
    }
}

/// Writes the currencies into the rows of a list, as far as the result says them. `key`: that of the list;
/// empty for the single values of the result.
pub(super) fn tell(rows: &mut [FlatRow], key: &str, data: &Value) {
    let table = key
        .strip_prefix("tables.")
        .and_then(|rest| rest.strip_suffix(".rows"));
    for row in rows {
        let own = own_currency(row);
        let of: Vec<Option<String>> = row
            .iter()
            .map(|(field, _)| {
                let path = match table {
                    Some(table) => format!("{table}.{field}"),
                    None => field.strip_prefix("fields.").unwrap_or(field).to_owned(),
                };
                let named = of_row(row, field).or_else(|| of_field(data, &path));
                let all = || data[AMOUNTS_IN].as_str().map(str::to_owned);
                named.or_else(|| own.clone().or_else(all).filter(|_| is_money(field)))
            })
            .collect();
        for ((_, value), currency) in row.iter_mut().zip(of) {
            *value = shown(value, currency.as_deref());
        }
        row.retain(|(field, _)| field != AMOUNTS_IN && !field.starts_with("amounts_in."));
    }
}

/// True for the text of an amount.
pub(super) fn is_amount(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.rsplit_once(' ').is_some_and(|(digits, code)| {
        let are_digits = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '-');
        is_code(code) && digits.contains('.') && digits.chars().all(are_digits)
    })
}

/// True for the text of an amount of nothing.
pub(super) fn is_nothing(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    is_amount(value) && !text.contains(|c: char| matches!(c, '1'..='9'))
}

/// The place of a field among those with amounts: what is still open says most.
pub(super) fn weight(field: &str) -> usize {
    let parts = parts(field);
    let place = AMOUNTS
        .iter()
        .position(|word| parts.iter().any(|it| it == word));
    place.unwrap_or(AMOUNTS.len())
}

fn is_money(field: &str) -> bool {
    let parts = parts(field);
    let has = |words: &[&str]| parts.iter().any(|part| words.contains(&part.as_str()));
    has(&AMOUNTS) && !has(&QUANTITIES)
}

fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|it| it.is_ascii_uppercase())
}

/// The currency of a row, if all of its columns with one agree.
fn own_currency(row: &FlatRow) -> Option<String> {
    let mut named = row
        .iter()
        .filter(|(field, _)| {
            let leaf = field.rsplit('.').next().unwrap_or(field);
            leaf == "currency" || leaf.ends_with("_currency")
        })
        .filter_map(|(_, value)| value.as_str())
        .filter(|it| !it.is_empty());
    let first = named.next()?;
    named.all(|it| it == first).then(|| first.to_owned())
}

/// The currency that a row says for one of its fields.
fn of_row(row: &FlatRow, field: &str) -> Option<String> {
    row.iter().find_map(|(key, fields)| {
        let code = key.strip_prefix("amounts_in.")?;
        has(fields, field).then(|| code.to_owned())
    })
}

/// The currency that the whole result says for a field.
fn of_field(data: &Value, field: &str) -> Option<String> {
    let mut all = data[AMOUNTS_IN].as_object()?.iter();
    let found = all.find(|(_, fields)| has(fields, field));
    found.map(|(code, _)| code.clone())
}

fn has(fields: &Value, field: &str) -> bool {
    let fields = fields.as_array();
    fields.is_some_and(|fields| fields.iter().any(|it| it == field))
}

/// Digits in groups of three with at least two behind the point; none for a number in another form.
fn grouped(number: &str) -> Option<String> {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", number),
    };
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    if whole.is_empty() || !are_digits(whole) || !are_digits(rest) {
        return None;
    }
    let mut grouped = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    Some(format!("{grouped}.{rest:0<2}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_get_the_currency_that_the_result_says() {
        let row = |cells: Value| -> FlatRow {
            let cells = cells.as_object().unwrap().clone();
            cells.into_iter().collect()
        };
        for (cells, key, data, field, expect) in [
            (
                json!({"grand_total": 1190.5, "currency": "EUR"}),
                "rows",
                json!({}),
                "grand_total",
                json!("1,190.50 EUR"),
            ),
            // Two currencies of one row: nobody knows which is whose.
            (
                json!({"grand_total": 5, "currency": "EUR", "account_currency": "USD"}),
                "rows",
                json!({}),
                "grand_total",
                json!(5),
            ),
            (
                json!({"base_total": -1000, "currency": "USD"}),
                "rows",
                json!({"amounts_in": {"EUR": ["base_total"]}}),
                "base_total",
                json!("-1,000.00 EUR"),
            ),
            (
                json!({"rate": 12.25}),
                "tables.items.rows",
                json!({"amounts_in": {"EUR": ["items.rate"], "USD": ["rate"]}}),
                "rate",
                json!("12.25 EUR"),
            ),
            (
                json!({"total": 7, "amounts_in.CHF": ["total"], "currency": "EUR"}),
                "rows",
                json!({}),
                "total",
                json!("7.00 CHF"),
            ),
            (
                json!({"fields.grand_total": 1000, "fields.currency": "EUR", "amounts_in": "EUR"}),
                "",
                json!({"amounts_in": "EUR"}),
                "fields.grand_total",
                json!("1,000.00 EUR"),
            ),
            (
                json!({"qty": 5, "total_qty": 5}),
                "rows",
                json!({"amounts_in": "EUR"}),
                "total_qty",
                json!(5),
            ),
            (
                json!({"total": 5}),
                "rows",
                json!({"amounts_in": "5 EUR, not"}),
                "total",
                json!(5),
            ),
        ] {
            let mut rows = vec![row(cells)];
            tell(&mut rows, key, &data);
            let found = rows[0].iter().find(|(name, _)| name == field).unwrap();
            assert_eq!(found.1, expect, "{key} {field} {data}");
            assert!(rows[0].iter().all(|(name, _)| !name.contains("amounts_in")));
        }
        assert_eq!(shown(&json!(1e30), Some("EUR")), json!(1e30));
        assert!(is_amount(&json!("-1,190.00 EUR")) && !is_amount(&json!("12 GiB")));
        assert!(is_nothing(&json!("0.00 EUR")) && !is_nothing(&json!("0.10 EUR")));
        assert!(weight("outstanding_amount") < weight("paid_amount"));
    }
}
