//! `iperf3 -J`.

use serde_json::Value;

use super::{
    ReadError,
    json::{number, value, whole},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let report = value(output)?;
    let mut fields = StepFields::default();
    if let Some(error) = report["error"].as_str() {
        fields.push(TypedField::unknown("rate", "the test failed"));
        fields.push(TypedField::text("failure", error));
        return Ok(fields);
    }
    let end = &report["end"];
    let received = end["sum_received"].as_object();
    let received = received.ok_or(ReadError::Missing {
        part: "sum_received",
    })?;
    fields.push(number(
        received,
        "bits_per_second",
        "rate",
        FieldUnit::BitsPerSecond,
    ));
    fields.push(number(received, "seconds", "seconds", FieldUnit::Seconds));
    let mut bytes = whole(received, "bytes", "bytes");
    bytes.unit = Some(FieldUnit::Bytes);
    fields.push(bytes);
    if let Some(sent) = end["sum_sent"].as_object() {
        fields.push(whole(sent, "retransmits", "retransmits"));
    }
    let reverse = report["start"]["test_start"]["reverse"].as_u64();
    if let Some(reverse) = reverse.or(report["start"]["test_start"]["reverse"]
        .as_bool()
        .map(u64::from))
    {
        fields.push(TypedField::flag("to_the_device", reverse == 1));
    }
    for interval in report["intervals"].as_array().into_iter().flatten() {
        if let Some(sum) = interval.get("sum").and_then(Value::as_object) {
            fields.record(vec![
                number(sum, "start", "start", FieldUnit::Seconds),
                number(sum, "bits_per_second", "rate", FieldUnit::BitsPerSecond),
            ]);
        }
    }
    Ok(fields)
}
