//! Output as the programs document it, and output that is hostile.

mod network;
mod system;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{
    fields::{StepFields, is_hidden},
    readers::ReadError,
    steps::{ROWS, RowName, row},
};

/// The fields in short: values by name, then the records.
fn short(fields: &StepFields) -> (Value, Vec<Value>) {
    let members = |fields: &[crate::fields::TypedField]| {
        let members = fields.iter().map(|field| {
            let value = serde_json::to_value(&field.value).expect("JSON");
            // `{"number": 1.5}` as 1.5, and what is unknown as it is.
            let value = match value {
                Value::Object(inner) if !inner.contains_key("unknown") => {
                    inner.into_values().next().expect("one member")
                }
                other => other,
            };
            (field.name.to_owned(), value)
        });
        Value::Object(members.collect())
    };
    let records = fields.records.iter().map(|record| members(record));
    (members(&fields.values), records.collect())
}

/// Reads an output by its row.
fn read(name: RowName, output: &str) -> (Value, Vec<Value>) {
    let fields = (row(name).parse)(output).unwrap_or_else(|error| panic!("{name:?}: {error}"));
    short(&fields)
}

#[test]
fn each_value_has_its_unit() {
    let fields = (row(RowName::Ping).parse)(network::PING).expect("fields");
    let json = serde_json::to_value(&fields).expect("JSON");
    assert_eq!(
        json["values"][4],
        json!({"name": "loss", "value": {"number": 25.0}, "unit": "%"})
    );
    assert_eq!(json["values"][6]["unit"], "ms");
}

#[test]
fn what_is_no_output_is_refused() {
    for row in ROWS {
        let large = "x".repeat(crate::readers::MAX_OUTPUT + 1);
        let nothing_to_read = row.name == RowName::Wait;
        assert_eq!(
            (row.parse)(&large) == Err(ReadError::TooLarge),
            !nothing_to_read,
            "{row:?}"
        );
    }
    for name in [RowName::Mtr, RowName::Throughput, RowName::Routes] {
        assert_eq!(
            (row(name).parse)("command not found"),
            Err(ReadError::NotJson)
        );
    }
    for name in [
        RowName::Ping,
        RowName::Trace,
        RowName::Dig,
        RowName::LinkInfo,
        RowName::WifiLink,
        RowName::Power,
    ] {
        assert!(
            matches!(
                (row(name).parse)("command not found"),
                Err(ReadError::Missing { .. })
            ),
            "{name:?}"
        );
    }
}

#[test]
fn hostile_text_is_spelled_out_and_bounded() {
    let long = "x".repeat(5000);
    let output =
        format!("Connected to 02:00:00:00:00:01 (on wlan0)\n\tSSID: a\u{1b}[2J\u{202e}b{long}\n");
    let (values, _) = read(RowName::WifiLink, &output);
    let ssid = values["ssid"].as_str().expect("text");
    assert!(ssid.starts_with(r"a\u{1b}[2J\u{202e}b"), "{ssid}");
    assert!(ssid.chars().count() < 300);
    // A name that looks like a line of the program is a name.
    let (values, _) = read(
        RowName::WifiLink,
        "Connected to 02:00:00:00:00:01 (on wlan0)\n\tSSID: Not connected.\tsignal: -1 dBm\n\tsignal: -70 dBm\n",
    );
    assert_eq!(
        (&values["connected"], &values["signal"]),
        (&json!(true), &json!(-70.0))
    );
    let many = "tcp LISTEN 0 128 0.0.0.0:22 0.0.0.0:*\n".repeat(2000);
    let fields = (row(RowName::Sockets).parse)(&many).expect("fields");
    assert_eq!((fields.records.len(), fields.left_out), (500, 1500));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever a program prints, no reader panics, and nothing hidden stays hidden.
    #[test]
    fn no_output_breaks_a_reader(
        at in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        noise in "\\PC{0,20}|[\\x00-\\x1f]{0,6}|[0-9./: ]{0,20}",
    ) {
        for (name, sample) in network::SAMPLES.iter().chain(&system::SAMPLES) {
            let mut places: Vec<_> = sample.char_indices().map(|(place, _)| place).collect();
            places.push(sample.len());
            let (from, to) = (places[at.index(places.len())], places[cut.index(places.len())]);
            let changed = format!("{}{noise}{}", &sample[..from.min(to)], &sample[from.max(to)..]);
            if let Ok(fields) = (row(*name).parse)(&changed) {
                let text = serde_json::to_string(&fields).expect("JSON");
                prop_assert!(!text.chars().any(is_hidden), "{text:?}");
            }
        }
    }
}
