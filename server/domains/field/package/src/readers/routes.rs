//! `ip -j route`.

use super::{
    ReadError,
    json::{objects, text, text_if, whole},
};
use crate::fields::{StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let routes = objects(output)?;
    let mut defaults = 0;
    for route in &routes {
        defaults += u64::from(route.get("dst").is_some_and(|to| to == "default"));
        let mut record = vec![text(route, "dst", "to"), text(route, "dev", "interface")];
        record.extend(text_if(route, "gateway", "gateway"));
        record.extend(text_if(route, "prefsrc", "source"));
        record.extend(text_if(route, "protocol", "protocol"));
        if route.contains_key("metric") {
            record.push(whole(route, "metric", "metric"));
        }
        fields.record(record);
    }
    fields.push(TypedField::whole("routes", routes.len() as u64));
    fields.push(TypedField::whole("default_routes", defaults));
    Ok(fields)
}
