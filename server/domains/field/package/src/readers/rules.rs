//! `ip -j rule`.

use super::{
    ReadError,
    json::{objects, text, text_if, whole},
};
use crate::fields::{StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let rules = objects(output)?;
    for rule in &rules {
        let mut record = vec![
            whole(rule, "priority", "priority"),
            text(rule, "src", "from"),
        ];
        record.extend(text_if(rule, "dst", "to"));
        record.extend(text_if(rule, "fwmark", "mark"));
        record.extend(text_if(rule, "iif", "interface"));
        record.extend(text_if(rule, "table", "table"));
        record.extend(text_if(rule, "action", "action"));
        fields.record(record);
    }
    fields.push(TypedField::whole("rules", rules.len() as u64));
    Ok(fields)
}
