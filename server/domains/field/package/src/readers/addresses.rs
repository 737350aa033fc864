//! `ip -j addr`.

use serde_json::Value;

use super::{
    ReadError,
    json::{objects, text, whole},
};
use crate::fields::{StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let interfaces = objects(output)?;
    let mut found = 0;
    for interface in &interfaces {
        let addresses = interface.get("addr_info").and_then(Value::as_array);
        for address in addresses.into_iter().flatten().filter_map(Value::as_object) {
            if address.is_empty() {
                continue;
            }
            found += 1;
            fields.record(vec![
                text(interface, "ifname", "interface"),
                text(interface, "operstate", "state"),
                text(address, "family", "family"),
                text(address, "local", "address"),
                whole(address, "prefixlen", "prefix"),
                text(address, "scope", "scope"),
                TypedField::flag(
                    "dynamic",
                    address.get("dynamic") == Some(&Value::Bool(true)),
                ),
                // Set by duplicate address detection.
                TypedField::flag(
                    "duplicate",
                    address.get("dadfailed") == Some(&Value::Bool(true)),
                ),
            ]);
        }
    }
    fields.push(TypedField::whole("interfaces", interfaces.len() as u64));
    fields.push(TypedField::whole("addresses", found));
    Ok(fields)
}
