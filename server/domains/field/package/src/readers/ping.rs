//! `ping` of iputils.

use super::{
    ReadError,
    text::{between, leading, leading_whole, lines},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

/// Reason for round trips that are not there.
const NO_ANSWER: &str = "no answer came";

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let (mut summary, mut times, mut mtu) = (None, None, None);
    for line in lines(output)? {
        if line.contains(" packets transmitted, ") {
            summary = Some(line);
        } else if let Some(rest) = line.strip_prefix("rtt min/avg/max/mdev = ") {
            times = Some(rest);
        } else if line.contains(" bytes from ") {
            fields.record(reply(line));
        }
        let found = ["(mtu = ", "mtu=", "mtu: "]
            .iter()
            .find_map(|mark| leading_whole(line.split_once(mark)?.1));
        mtu = found.or(mtu);
    }
    let summary = summary.ok_or(ReadError::Missing { part: "statistics" })?;
    let part = |mark: &str| {
        let parts = summary.split(", ");
        parts
            .filter(|part| part.contains(mark))
            .find_map(|part| leading(part.trim_start_matches('+')))
    };
    let count = |mark: &str| {
        let parts = summary.split(", ");
        parts
            .filter(|part| part.ends_with(mark))
            .find_map(|part| leading_whole(part.trim_start_matches('+')))
    };
    fields.push(TypedField::whole_or_unknown("sent", count(" transmitted")));
    fields.push(TypedField::whole_or_unknown("received", count(" received")));
    fields.push(TypedField::whole(
        "duplicates",
        count(" duplicates").unwrap_or(0),
    ));
    fields.push(TypedField::whole("errors", count(" errors").unwrap_or(0)));
    fields.push(TypedField::number(
        "loss",
        part("% packet loss"),
        FieldUnit::Percent,
    ));
    let mut times = times.map(|times| times.split(['/', ' ']));
    for name in ["rtt_min", "rtt_avg", "rtt_max", "rtt_mdev"] {
        fields.push(match &mut times {
            Some(times) => {
                let time = times.next().and_then(|it| it.parse().ok());
                TypedField::number(name, time, FieldUnit::Milliseconds)
            }
            None => TypedField::unknown(name, NO_ANSWER),
        });
    }
    if mtu.is_some() {
        fields.push(TypedField::amount("mtu_on_the_way", mtu, FieldUnit::Bytes));
    }
    Ok(fields)
}

fn reply(line: &str) -> Vec<TypedField> {
    let after = |mark: &str| line.split_once(mark).map(|(_, rest)| rest);
    let from = between(line, " bytes from ", ": ");
    vec![
        TypedField::text_or_unknown("from", from),
        TypedField::whole_or_unknown("seq", after("icmp_seq=").and_then(leading_whole)),
        TypedField::whole_or_unknown("ttl", after("ttl=").and_then(leading_whole)),
        TypedField::number(
            "time",
            after("time=").and_then(leading),
            FieldUnit::Milliseconds,
        ),
        TypedField::flag("duplicate", line.ends_with("(DUP!)")),
    ]
}
