//! `ip -j -s link show dev IF`.

use serde_json::Value;

use super::{
    ReadError,
    json::{objects, text, whole},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let links = objects(output)?;
    let link = links.first().ok_or(ReadError::Missing {
        part: "the interface",
    })?;
    // 32-bit counters of old kernels wrap; those of 64 bits are printed in their place.
    let counters = ["stats64", "stats"]
        .iter()
        .find_map(|key| link.get(*key))
        .ok_or(ReadError::Missing { part: "counters" })?;
    fields.push(text(link, "ifname", "interface"));
    fields.push(text(link, "operstate", "state"));
    for (way, names) in [
        (
            "rx",
            [
                ("bytes", "rx_bytes"),
                ("packets", "rx_packets"),
                ("errors", "rx_errors"),
                ("dropped", "rx_dropped"),
                ("multicast", "rx_multicast"),
            ],
        ),
        (
            "tx",
            [
                ("bytes", "tx_bytes"),
                ("packets", "tx_packets"),
                ("errors", "tx_errors"),
                ("dropped", "tx_dropped"),
                ("collisions", "tx_collisions"),
            ],
        ),
    ] {
        let Some(members) = counters.get(way).and_then(Value::as_object) else {
            return Err(ReadError::Missing { part: "counters" });
        };
        for (key, name) in names {
            let mut field = whole(members, key, name);
            field.unit = (key == "bytes").then_some(FieldUnit::Bytes);
            fields.push(field);
        }
    }
    fields.push(TypedField::whole("interfaces", links.len() as u64));
    Ok(fields)
}
