//! `traceroute` for Linux, with one probe a hop.

use super::{ReadError, text::lines};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let mut hops = 0;
    let mut answered = 0;
    for line in lines(output)? {
        let mut words = line.split_whitespace();
        let Some(hop) = words.next().and_then(|word| word.parse().ok()) else {
            continue;
        };
        let address = words.next().filter(|word| *word != "*");
        let time = words.next().and_then(|word| word.parse().ok());
        hops = hop;
        let mut record = vec![TypedField::whole("hop", hop)];
        if let Some(address) = address {
            answered += 1;
            record.push(TypedField::text("address", address));
            record.push(TypedField::number("time", time, FieldUnit::Milliseconds));
        } else {
            record.push(TypedField::unknown("address", "no answer"));
        }
        // `!N`, `!H`, `!X` and the like say why the way ends here.
        if let Some(mark) = words.find(|word| word.starts_with('!')) {
            record.push(TypedField::text("mark", mark));
        }
        fields.record(record);
    }
    if hops == 0 {
        return Err(ReadError::Missing { part: "hops" });
    }
    fields.push(TypedField::whole("hops", hops));
    fields.push(TypedField::whole("answered", answered));
    Ok(fields)
}
