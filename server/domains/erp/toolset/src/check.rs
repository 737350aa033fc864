//! Checks of names and values against the live metadata: what Frappe would drop, coerce, null or
//! reset is refused before anything is sent.

use serde_json::Value;

use crate::{
    dates,
    decimal::decimal,
    error::ErpError,
    meta::{MetaField, MetaFieldKind, TypeMeta, TypeRights},
    texts::check as say,
};

/// The length of a line in Frappe's tables.
const LINE_CHARS: usize = 140;
/// The most values of `in`.
const MOST_VALUES: usize = 50;

/// A field that a query may name. `rights`: None if they are not known.
pub(crate) fn readable_field<'a>(
    meta: &'a TypeMeta,
    name: &str,
    rights: Option<&TypeRights>,
) -> Result<&'a MetaField, ErpError> {
    let field = meta.field(name).ok_or_else(|| {
        ErpError::input(say::no_such_field(name, &meta.name, &meta.similar(name)))
    })?;
    if field.kind == MetaFieldKind::Password {
        return Err(ErpError::input(say::is_secret(name)));
    }
    if !field.kind.holds_value() {
        return Err(ErpError::input(say::no_value(name)));
    }
    // The ERP would leave the column out without a word.
    let is_readable =
        rights.is_none_or(|it| field.permlevel == 0 || it.reads_level(field.permlevel));
    if is_readable {
        Ok(field)
    } else {
        Err(ErpError::input(say::above_level(name, field.permlevel)))
    }
}

/// Checks an operator and its value. Returns the value as it is sent.
pub(crate) fn filter_value(field: &MetaField, op: &str, value: &Value) -> Result<Value, ErpError> {
    let name = &field.name;
    let refused = |takes| ErpError::input(say::operator_takes(name, op, takes));
    match op {
        "is" => match value.as_str() {
            Some("set" | "not set") => Ok(value.clone()),
            _ => Err(refused(say::SET_OR_NOT)),
        },
        "between" => match value.as_array() {
            Some(ends) if ends.len() == 2 => each(field, ends),
            _ => Err(refused(say::FROM_AND_TO)),
        },
        "in" | "not in" => match value.as_array() {
            Some(values) if (1..=MOST_VALUES).contains(&values.len()) => each(field, values),
            _ => Err(refused(say::A_LIST)),
        },
        "like" | "not like" => match value {
            Value::String(_) => Ok(value.clone()),
            _ => Err(refused(say::A_TEXT)),
        },
        _ => match value {
            Value::Array(_) | Value::Object(_) | Value::Null => Err(refused(say::ONE_VALUE)),
            one => stored(field, one),
        },
    }
}

fn each(field: &MetaField, values: &[Value]) -> Result<Value, ErpError> {
    values.iter().map(|value| stored(field, value)).collect()
}

/// The value as Frappe stores it, if it would store this very value.
pub(crate) fn stored(field: &MetaField, value: &Value) -> Result<Value, ErpError> {
    let name = &field.name;
    let refused = |form| ErpError::input(say::must_be(name, &value.to_string(), form));
    match field.kind {
        // Frappe reads "1,234" as 0 and "abc" as 0.0.
        MetaFieldKind::Whole => match decimal(value).filter(|it| it.fract().is_zero()) {
            Some(_) => Ok(value.clone()),
            None => Err(refused(say::A_WHOLE_NUMBER)),
        },
        MetaFieldKind::Decimal | MetaFieldKind::Currency | MetaFieldKind::Percent => {
            match decimal(value) {
                Some(_) => Ok(value.clone()),
                None => Err(refused(say::A_NUMBER)),
            }
        }
        MetaFieldKind::Check => match value {
            Value::Bool(flag) => Ok(Value::from(u8::from(*flag))),
            Value::Number(number) if matches!(number.as_u64(), Some(0 | 1)) => Ok(value.clone()),
            _ => Err(refused(say::YES_OR_NO)),
        },
        // Any other form is an error 500 of the database.
        MetaFieldKind::Date => match value.as_str().and_then(dates::day) {
            Some(_) => Ok(value.clone()),
            None => Err(refused(say::A_DAY)),
        },
        MetaFieldKind::Datetime => match value.as_str().and_then(dates::time) {
            Some(_) => Ok(value.clone()),
            None => Err(refused(say::A_TIME)),
        },
        MetaFieldKind::Time => {
            if value.as_str().is_some_and(dates::is_clock) {
                Ok(value.clone())
            } else {
                Err(refused(say::A_CLOCK))
            }
        }
        MetaFieldKind::Select => select(field, value),
        MetaFieldKind::Line | MetaFieldKind::Link | MetaFieldKind::DynamicLink => {
            line(field, value)
        }
        MetaFieldKind::Text => match value {
            Value::String(_) => Ok(value.clone()),
            _ => Err(refused(say::TEXT)),
        },
        MetaFieldKind::Password => Err(ErpError::input(say::is_secret(name))),
        MetaFieldKind::Table | MetaFieldKind::Layout => Err(ErpError::input(say::no_value(name))),
    }
}

fn select(field: &MetaField, value: &Value) -> Result<Value, ErpError> {
    let choices = field.choices();
    let text = text(field, value)?;
    // A Select without lines takes anything; the site fills it at run time.
    if choices.is_empty() || choices.contains(&text.as_str()) {
        return Ok(Value::String(text));
    }
    let choices = choices.join(", ");
    Err(ErpError::input(say::not_a_choice(
        &field.name,
        &value.to_string(),
        &choices,
    )))
}

fn text(field: &MetaField, value: &Value) -> Result<String, ErpError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        // Names may be numbers, such as those of an autoincrement.
        Value::Number(number) => Ok(number.to_string()),
        _ => {
            let given = value.to_string();
            Err(ErpError::input(say::must_be(
                &field.name,
                &given,
                say::TEXT,
            )))
        }
    }
}

fn line(field: &MetaField, value: &Value) -> Result<Value, ErpError> {
    let text = text(field, value)?;
    let most = if field.length == 0 {
        LINE_CHARS
    } else {
        field.length
    };
    if text.chars().count() <= most {
        Ok(Value::String(text))
    } else {
        Err(ErpError::input(say::too_long(&field.name, most)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(fieldtype: &str, options: &str) -> MetaField {
        MetaField {
            name: "it".to_owned(),
            kind: MetaFieldKind::of(fieldtype),
            fieldtype: fieldtype.to_owned(),
            options: options.to_owned(),
            ..MetaField::default()
        }
    }

    #[test]
    fn a_value_is_sent_only_if_it_stays_what_it_is() {
        let good = [
            ("Int", json!(3)),
            ("Int", json!("3")),
            ("Currency", json!("1190.50")),
            ("Check", json!(1)),
            ("Date", json!("2026-11-23")),
            ("Datetime", json!("2026-11-23 10:00:00")),
            ("Select", json!("Open")),
            ("Link", json!("Kestrel Cycles")),
            ("Text Editor", json!("<p>any</p>")),
        ];
        for (fieldtype, value) in good {
            assert_eq!(
                stored(&field(fieldtype, "Open\nClosed"), &value),
                Ok(value),
                "{fieldtype}"
            );
        }
        assert_eq!(stored(&field("Check", ""), &json!(true)), Ok(json!(1)));
        let bad = [
            ("Int", json!("1,234")),
            ("Int", json!(1.5)),
            ("Currency", json!("abc")),
            ("Currency", json!("1.234,5")),
            ("Check", json!("yes")),
            ("Check", json!(2)),
            ("Date", json!("23.11.2026")),
            ("Date", json!(20_261_123)),
            ("Datetime", json!("2026-11-23T10:00:00Z")),
            ("Select", json!("open")),
            ("Link", json!(null)),
            ("Data", json!("x".repeat(141))),
            ("Password", json!("x")),
            ("Table", json!("x")),
        ];
        for (fieldtype, value) in bad {
            let error = stored(&field(fieldtype, "Open\nClosed"), &value)
                .unwrap_err()
                .body();
            assert!(
                error.message.contains("\"it\""),
                "{fieldtype} {value}: {error}"
            );
        }
    }

    #[test]
    fn operators_take_their_values() {
        let date = field("Date", "");
        let ok = |op: &str, value: Value| filter_value(&date, op, &value).is_ok();
        assert!(ok("between", json!(["2026-01-01", "2026-12-31"])));
        assert!(!ok("between", json!(["2026-01-01"])));
        assert!(!ok("between", json!("2026-01-01")));
        assert!(ok("is", json!("not set")) && !ok("is", json!(null)));
        assert!(ok("in", json!(["2026-01-01"])) && !ok("in", json!([])));
        assert!(ok("like", json!("2026-%")) && !ok("like", json!(2026)));
        assert!(ok(">=", json!("2026-01-01")) && !ok(">=", json!("last week")));
        assert!(!ok("=", json!(null)) && !ok("=", json!(["2026-01-01"])));
    }
}
