//! `ip -j link`.

use super::{
    ReadError,
    json::{objects, text, whole, words},
};
use crate::fields::{StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let links = objects(output)?;
    for link in &links {
        fields.record(vec![
            text(link, "ifname", "interface"),
            text(link, "operstate", "state"),
            text(link, "link_type", "type"),
            whole(link, "mtu", "mtu"),
            text(link, "address", "mac"),
            words(link, "flags", "flags"),
        ]);
    }
    fields.push(TypedField::whole("interfaces", links.len() as u64));
    Ok(fields)
}
