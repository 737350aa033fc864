//! `ip -j neigh`.

use super::{
    ReadError,
    json::{objects, text, text_if, words},
};
use crate::fields::{StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let neighbours = objects(output)?;
    for neighbour in &neighbours {
        let mut record = vec![
            text(neighbour, "dst", "address"),
            text(neighbour, "dev", "interface"),
        ];
        record.push(
            text_if(neighbour, "lladdr", "mac").unwrap_or(TypedField::unknown(
                "mac",
                "no answer to ARP or neighbour discovery",
            )),
        );
        record.push(words(neighbour, "state", "state"));
        record.push(TypedField::flag("router", neighbour.contains_key("router")));
        fields.record(record);
    }
    fields.push(TypedField::whole("neighbours", neighbours.len() as u64));
    Ok(fields)
}
