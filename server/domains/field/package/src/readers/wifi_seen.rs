//! `iw dev IF scan dump`.

use super::{
    ReadError,
    text::{leading, lines},
};
use crate::fields::{FieldUnit, StepFields, TypedField};

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let mut fields = StepFields::default();
    let mut networks: Vec<Vec<TypedField>> = Vec::new();
    for line in lines(output)? {
        if let Some(rest) = line.strip_prefix("BSS ") {
            networks.push(vec![
                TypedField::text_or_unknown("bssid", rest.split(['(', ' ']).next()),
                TypedField::flag("associated", rest.ends_with("-- associated")),
            ]);
            continue;
        }
        // One tab: what is deeper belongs to an information element.
        let Some((key, value)) = line.strip_prefix('\t').and_then(|it| it.split_once(':')) else {
            continue;
        };
        let Some(network) = networks.last_mut() else {
            continue;
        };
        let value = value.trim();
        let field = match key {
            "SSID" if value.is_empty() => TypedField::unknown("ssid", "hidden by the network"),
            "SSID" => TypedField::text("ssid", value),
            "freq" => TypedField::number("frequency", leading(value), FieldUnit::Megahertz),
            "signal" => TypedField::number("signal", leading(value), FieldUnit::Dbm),
            "last seen" => TypedField::number("age", leading(value), FieldUnit::Milliseconds),
            "RSN" => TypedField::flag("wpa2", true),
            "WPA" => TypedField::flag("wpa", true),
            _ => continue,
        };
        network.push(field);
    }
    fields.push(TypedField::whole("networks", networks.len() as u64));
    for network in networks {
        fields.record(network);
    }
    Ok(fields)
}
