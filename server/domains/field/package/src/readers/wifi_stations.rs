//! `iw dev IF station dump`.

use super::{
    ReadError,
    text::{leading, leading_whole, lines},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let mut stations: Vec<Vec<TypedField>> = Vec::new();
    for line in lines(output)? {
        if let Some(rest) = line.strip_prefix("Station ") {
            stations.push(vec![TypedField::text_or_unknown(
                "mac",
                rest.split(' ').next(),
            )]);
            continue;
        }
        let Some((key, value)) = line.trim_start().split_once(':') else {
            continue;
        };
        let Some(station) = stations.last_mut() else {
            continue;
        };
        let value = value.trim();
        let rate = FieldUnit::MegabitsPerSecond;
        let field = match key {
            "signal" => TypedField::number("signal", leading(value), FieldUnit::Dbm),
            "signal avg" => TypedField::number("signal_avg", leading(value), FieldUnit::Dbm),
            "inactive time" => {
                TypedField::number("inactive", leading(value), FieldUnit::Milliseconds)
            }
            "tx retries" => TypedField::whole_or_unknown("tx_retries", leading_whole(value)),
            "tx failed" => TypedField::whole_or_unknown("tx_failed", leading_whole(value)),
            "tx packets" => TypedField::whole_or_unknown("tx_packets", leading_whole(value)),
            "rx packets" => TypedField::whole_or_unknown("rx_packets", leading_whole(value)),
            "tx bitrate" => TypedField::number("tx_rate", leading(value), rate),
            "rx bitrate" => TypedField::number("rx_rate", leading(value), rate),
            "connected time" => TypedField::number("connected", leading(value), FieldUnit::Seconds),
            _ => continue,
        };
        station.push(field);
    }
    fields.push(TypedField::whole("stations", stations.len() as u64));
    for station in stations {
        fields.record(station);
    }
    Ok(fields)
}
