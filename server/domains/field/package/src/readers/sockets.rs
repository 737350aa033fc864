//! `ss -H -tuan`.

use super::{ReadError, text::lines};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let (mut listening, mut connected, mut all) = (0, 0, 0);
    for line in lines(output)?.filter(|line| !line.trim().is_empty()) {
        let words: Vec<_> = line.split_whitespace().collect();
        let [protocol, state, received, sent, local, peer, ..] = words[..] else {
            return Err(ReadError::Missing { part: "columns" });
        };
        all += 1;
        listening += u64::from(state == "LISTEN");
        connected += u64::from(state == "ESTAB");
        fields.record(vec![
            TypedField::text("protocol", protocol),
            TypedField::text("state", state),
            TypedField::amount("receive_queue", received.parse().ok(), FieldUnit::Bytes),
            TypedField::amount("send_queue", sent.parse().ok(), FieldUnit::Bytes),
            TypedField::text("local", local),
            TypedField::text("peer", peer),
        ]);
    }
    fields.push(TypedField::whole("sockets", all));
    fields.push(TypedField::whole("listening", listening));
    fields.push(TypedField::whole("connected", connected));
    Ok(fields)
}
