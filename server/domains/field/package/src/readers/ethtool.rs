//! `ethtool IF`.

use super::{
    ReadError,
    text::{leading, lines},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

/// Reason for a speed that the driver does not know, as without a cable.
const NO_LINK: &str = "the driver reports none, as without a link";

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let mut link = None;
    for line in lines(output)? {
        let Some((key, value)) = line.trim().split_once(": ") else {
            continue;
        };
        match key {
            "Speed" if value.starts_with("Unknown") => {
                fields.push(TypedField::unknown("speed", NO_LINK));
            }
            "Speed" => fields.push(TypedField::number(
                "speed",
                leading(value),
                FieldUnit::MegabitsPerSecond,
            )),
            "Duplex" if value.starts_with("Unknown") => {
                fields.push(TypedField::unknown("duplex", NO_LINK));
            }
            "Duplex" => fields.push(TypedField::text("duplex", value)),
            "Auto-negotiation" => fields.push(TypedField::flag("negotiated", value == "on")),
            "Port" => fields.push(TypedField::text("port", value)),
            "Link detected" => link = Some(value.starts_with("yes")),
            _ => {}
        }
    }
    let link = link.ok_or(ReadError::Missing {
        part: "Link detected",
    })?;
    fields.push(TypedField::flag("link", link));
    Ok(fields)
}
