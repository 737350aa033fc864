//! The line that curl prints after a request, by the format of the rows.

use super::{ReadError, text::lines};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let line = lines(output)?.find(|line| line.starts_with("code="));
    let line = line.ok_or(ReadError::Missing {
        part: "the line of times",
    })?;
    let value = |key: &str| {
        let mut pairs = line.split(' ').filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == key).map(|(_, value)| value)
    };
    let number = |key: &str| value(key).and_then(|text| text.parse::<f64>().ok());
    let milliseconds =
        |key: &str| number(key).map(|seconds| (seconds * 1_000_000.0).round() / 1000.0);
    let mut fields = StepFields::default();
    let code = value("code").and_then(|text| text.parse().ok());
    fields.push(match code.filter(|code| *code != 0) {
        Some(code) => TypedField::whole("status", code),
        None => TypedField::unknown("status", "no answer came"),
    });
    for (key, name) in [
        ("name", "name_lookup"),
        ("connect", "connected"),
        ("tls", "tls_done"),
        ("first", "first_byte"),
        ("total", "total"),
    ] {
        // A phase that was not reached is printed as zero.
        let time = milliseconds(key).filter(|time| *time > 0.0);
        fields.push(match time {
            Some(time) => TypedField::number(name, Some(time), FieldUnit::Milliseconds),
            None => TypedField::unknown(name, "the request did not get there"),
        });
    }
    let bytes = value("bytes").and_then(|text| text.split('.').next()?.parse().ok());
    fields.push(TypedField::amount("bytes", bytes, FieldUnit::Bytes));
    let rate = number("rate").map(|bytes| bytes * 8.0);
    fields.push(TypedField::number("rate", rate, FieldUnit::BitsPerSecond));
    fields.push(TypedField::text_or_unknown(
        "address",
        value("address").filter(|it| !it.is_empty()),
    ));
    if let Some(code) = value("verify").and_then(|text| text.parse::<u64>().ok()) {
        fields.push(TypedField::flag("certificate_valid", code == 0));
    }
    Ok(fields)
}
