//! `mtr --json`.

use serde_json::Value;

use super::{
    ReadError,
    json::{number, value, whole},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let report = value(output)?;
    let hubs = report["report"]["hubs"].as_array();
    let hubs = hubs.ok_or(ReadError::Missing { part: "hubs" })?;
    let mut fields = StepFields::default();
    for hub in hubs.iter().filter_map(Value::as_object) {
        let host = hub.get("host").and_then(Value::as_str);
        let host = host.filter(|host| *host != "???");
        let mut record = vec![
            whole(hub, "count", "hop"),
            match host {
                Some(host) => TypedField::text("address", host),
                None => TypedField::unknown("address", "no answer"),
            },
            number(hub, "Loss%", "loss", FieldUnit::Percent),
            whole(hub, "Snt", "sent"),
        ];
        // Without an answer mtr prints zeros, which are no round trips.
        if host.is_some() {
            for (key, name) in [
                ("Avg", "rtt_avg"),
                ("Best", "rtt_min"),
                ("Wrst", "rtt_max"),
                ("StDev", "rtt_stdev"),
            ] {
                record.push(number(hub, key, name, FieldUnit::Milliseconds));
            }
        }
        fields.record(record);
    }
    fields.push(TypedField::whole("hops", hubs.len() as u64));
    Ok(fields)
}
