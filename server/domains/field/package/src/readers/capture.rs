//! `tcpdump -nn -q -l`: a line for each packet.

use std::collections::BTreeMap;

use super::{
    ReadError,
    text::{leading_whole, lines},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let mut kinds: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut all = 0;
    for line in lines(output)? {
        let Some((time, rest)) = line.split_once(' ') else {
            continue;
        };
        if !time.contains(':') {
            continue;
        }
        all += 1;
        let kind = kind(rest);
        *kinds.entry(kind).or_default() += 1;
        let mut record = vec![
            TypedField::text("time", time),
            TypedField::text("kind", kind),
        ];
        let addressed = rest.split_once(' ').map(|(_, behind)| behind);
        if let Some((from, behind)) = addressed.and_then(|it| it.split_once(" > ")) {
            let to = behind.split(": ").next();
            record.push(TypedField::text("from", from));
            record.push(TypedField::text_or_unknown("to", to));
        } else {
            record.push(TypedField::text("what", rest));
        }
        let length = rest
            .rsplit_once("length ")
            .and_then(|(_, it)| leading_whole(it));
        record.push(TypedField::amount("length", length, FieldUnit::Bytes));
        fields.record(record);
    }
    fields.push(TypedField::whole("packets", all));
    for (kind, count) in kinds {
        fields.push(TypedField::whole(kind, count));
    }
    Ok(fields)
}

fn kind(packet: &str) -> &'static str {
    if packet.starts_with("ARP") {
        return "arp";
    }
    if !packet.starts_with("IP") {
        return "other";
    }
    let contents = packet.split(": ").nth(1).unwrap_or_default();
    ["ICMP", "UDP", "tcp"]
        .into_iter()
        .zip(["icmp", "udp", "tcp"])
        .find(|(mark, _)| contents.starts_with(mark))
        .map_or("other", |(_, kind)| kind)
}
