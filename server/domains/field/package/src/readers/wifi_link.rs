//! `iw dev IF link`.

use super::{
    ReadError,
    text::{leading, leading_whole, lines},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let mut connected = None;
    for line in lines(output)? {
        if line.starts_with("Not connected") {
            connected = Some(false);
        } else if let Some(rest) = line.strip_prefix("Connected to ") {
            connected = Some(true);
            fields.push(TypedField::text_or_unknown("bssid", rest.split(' ').next()));
        }
        // The name of a network may hold anything, so keys count at the beginning of a line alone.
        let Some((key, value)) = line.strip_prefix('\t').and_then(|it| it.split_once(':')) else {
            continue;
        };
        let value = value.trim();
        match key {
            "SSID" => fields.push(TypedField::text("ssid", value)),
            "freq" => fields.push(TypedField::number(
                "frequency",
                leading(value),
                FieldUnit::Megahertz,
            )),
            "signal" => fields.push(TypedField::number("signal", leading(value), FieldUnit::Dbm)),
            "rx bitrate" => fields.push(TypedField::number(
                "rx_rate",
                leading(value),
                FieldUnit::MegabitsPerSecond,
            )),
            "tx bitrate" => fields.push(TypedField::number(
                "tx_rate",
                leading(value),
                FieldUnit::MegabitsPerSecond,
            )),
            "RX" => fields.push(TypedField::amount(
                "rx_bytes",
                leading_whole(value),
                FieldUnit::Bytes,
            )),
            "TX" => fields.push(TypedField::amount(
                "tx_bytes",
                leading_whole(value),
                FieldUnit::Bytes,
            )),
            _ => {}
        }
    }
    let connected = connected.ok_or(ReadError::Missing { part: "the state" })?;
    fields.push(TypedField::flag("connected", connected));
    Ok(fields)
}
