//! `dig` of BIND with answers, comments and statistics.

use super::{
    ReadError,
    text::{between, leading, leading_whole, lines},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let (mut status, mut time, mut server, mut size) = (None, None, None, None);
    let mut failed = None;
    let mut truncated = false;
    for line in lines(output)? {
        if let Some(comment) = line.strip_prefix(";; ") {
            if comment.starts_with("->>HEADER<<-") {
                status = between(comment, "status: ", ",");
            } else if let Some(flags) = comment.strip_prefix("flags: ") {
                let flags = flags.split(';').next().unwrap_or_default();
                truncated = flags.split(' ').any(|flag| flag == "tc");
            } else if let Some(rest) = comment.strip_prefix("Query time: ") {
                time = leading(rest);
            } else if let Some(rest) = comment.strip_prefix("SERVER: ") {
                server = rest.split('#').next();
            } else if let Some(rest) = comment.strip_prefix("MSG SIZE  rcvd: ") {
                size = leading_whole(rest);
            } else if [
                "communications error",
                "connection timed out",
                "no servers could be reached",
            ]
            .iter()
            .any(|mark| comment.starts_with(mark))
            {
                failed = Some(comment);
            }
        } else if !line.starts_with(';') && !line.trim().is_empty() {
            answer(line)
                .into_iter()
                .for_each(|record| fields.record(record));
        }
    }
    if status.is_none() && failed.is_none() {
        return Err(ReadError::Missing { part: "status" });
    }
    let answers = fields.records.len() as u64;
    fields.push(match status {
        Some(status) => TypedField::text("status", status),
        None => TypedField::unknown("status", "no server answered"),
    });
    fields.push(TypedField::whole("answers", answers));
    fields.push(TypedField::number("time", time, FieldUnit::Milliseconds));
    fields.push(TypedField::text_or_unknown("server", server));
    fields.push(TypedField::amount("size", size, FieldUnit::Bytes));
    fields.push(TypedField::flag("truncated", truncated));
    if let Some(failed) = failed {
        fields.push(TypedField::text("failure", failed));
    }
    Ok(fields)
}

fn answer(line: &str) -> Option<Vec<TypedField>> {
    let mut words = line.split_whitespace();
    let (name, seconds) = (words.next()?, words.next()?);
    let (class, kind) = (words.next()?, words.next()?);
    let seconds = seconds.parse().ok()?;
    let data: Vec<_> = words.collect();
    (class == "IN").then(|| {
        vec![
            TypedField::text("name", name),
            TypedField::amount("ttl", Some(seconds), FieldUnit::Seconds),
            TypedField::text("type", kind),
            TypedField::text("data", &data.join(" ")),
        ]
    })
}
