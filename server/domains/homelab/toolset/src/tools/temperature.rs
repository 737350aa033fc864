//! Tool that reads the temperatures of a node with `sensors -j` over SSH, despite its faulty JSON.

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use serde::Serialize;
use serde_json::Value;

use super::{SINGLE, about_node, nodes::NodeInput, output, touched};
use crate::{
    cluster_access::ClusterAccess,
    out::{CutList, KnownValue, fit, rounded},
    ssh::{self, SshError, guard::Exit},
    texts,
};

/// Range of valid values; sensors that do not exist report the ends of their ranges.
const PLAUSIBLE: std::ops::Range<f64> = -60.0..200.0;
/// Depth of nested objects in `sensors -j`: all, chip, label.
const MAX_DEPTH: usize = 8;
const ROOM: usize = 5_000;

#[derive(Debug, Serialize)]
struct TemperatureOut {
    node: String,
    /// Temperature of the processor.
    temperature_celsius: KnownValue<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sensors: Vec<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<CutList>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Sensor {
    chip: String,
    label: String,
    celsius: KnownValue<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critical: Option<f64>,
}

pub(crate) struct GetNodeTemperature(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl ReadingTool for GetNodeTemperature {
    const NAME: &'static str = "get_node_temperature";
    const DESCRIPTION: &'static str = "Reads the temperatures of a node in degrees Celsius. Use it only when temperatures \
             are asked for. Where no sensor can be read the result says why; then say that the \
             temperature is not known, and do not estimate it.";
    const TIMEOUT: Duration = SINGLE;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("How warm is the NAS?"),
        ToolExample::new("Which node is the hottest?"),
    ];
    type Input = NodeInput;

    fn target(&self, input: &Value) -> Option<String> {
        about_node(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    async fn read(&self, input: NodeInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        get_node_temperature(&self.0, input).await
    }
}

async fn get_node_temperature(
    access: &ClusterAccess,
    input: NodeInput,
) -> Result<ToolOutput, ErrorBody> {
    // A cluster that does not answer is no failure here: the node itself may. A wrong name is one.
    let (node, silence) = match access.nodes().await {
        Ok(_) => {
            let node = access.node(&input.node).await?;
            let silence = node.silence();
            (node.name, silence)
        }
        Err(_) => (input.node, None),
    };
    let sensors = match (&access.ssh, silence) {
        (None, _) => Err(texts::readings::NO_SSH.to_owned()),
        (Some(_), Some(silence)) => Err(silence),
        (Some(ssh), None) => read(ssh, &node).await,
    };
    let (summary, celsius, sensors) = match sensors {
        Err(_) if access.ssh.is_none() => (
            texts::readings::temperature_needs_ssh(&node),
            KnownValue::unknown(texts::readings::NO_SSH),
            Vec::new(),
        ),
        Err(reason) => (
            texts::readings::temperature_of_unknown(&node, &reason),
            KnownValue::unknown(reason),
            Vec::new(),
        ),
        Ok(sensors) => match processor(&sensors) {
            Some(celsius) => (
                texts::readings::celsius(&node, celsius),
                KnownValue::Value(celsius),
                sensors,
            ),
            None => (
                texts::readings::no_temperature_of_processor(&node),
                KnownValue::unknown(texts::readings::NO_PROCESSOR),
                sensors,
            ),
        },
    };
    let (sensors, cut) = fit(sensors, ROOM, texts::readings::OTHER_SENSORS_ARE_LEFT_OUT);
    output(
        summary,
        &TemperatureOut {
            node,
            temperature_celsius: celsius,
            sensors,
            cut,
        },
    )
}

/// The temperature of a node's processor, or the reason that it is unknown.
pub(crate) async fn processor_celsius(access: &ClusterAccess, node: &str) -> Result<f64, String> {
    let ssh = access.ssh.as_ref().ok_or(texts::readings::NO_SSH)?;
    let sensors = read(ssh, node).await?;
    processor(&sensors).ok_or_else(|| texts::readings::NO_PROCESSOR.to_owned())
}

/// The sensors of a node, or the reason that there are none.
async fn read(ssh: &ssh::SshClient, node: &str) -> Result<Vec<Sensor>, String> {
    let command = ssh::parse("sensors -j").map_err(|refusal| refusal.to_string())?;
    let missing = texts::readings::NO_PROGRAM_SENSORS;
    let output = match ssh.run(node, &command).await {
        Ok(output) => output,
        Err(SshError::Guard { exit, .. }) if exit == Exit::NotStarted as u32 => {
            return Err(missing.to_owned());
        }
        Err(error) => return Err(error.to_string()),
    };
    // One unreadable sensor makes the program fail, but the others are still in the output.
    let sensors = parse(&output.stdout);
    if !sensors.is_empty() {
        return Ok(sensors);
    }
    Err(match output.code {
        Some(127) => missing.to_owned(),
        Some(0) => texts::readings::NO_SENSORS.to_owned(),
        code => texts::readings::sensors_ended_with(
            &code.map_or(texts::readings::NO_CODE.to_owned(), |code| {
                format!("code {code}")
            }),
        ),
    })
}

/// The temperature of the processor: its package sensor, the hottest if there are several, or else
/// its hottest core.
fn processor(sensors: &[Sensor]) -> Option<f64> {
    let whole = ["Tctl", "Tdie", "Package id"];
    let chips = ["coretemp", "k10temp", "zenpower", "cpu_thermal"];
    let hottest = |is: &dyn Fn(&&Sensor) -> bool| {
        let known = sensors.iter().filter(is);
        known
            .filter_map(|sensor| sensor.celsius.value().copied())
            .max_by(f64::total_cmp)
    };
    whole
        .iter()
        .find_map(|label| hottest(&|sensor| sensor.label.starts_with(label)))
        .or_else(|| hottest(&|sensor| chips.iter().any(|chip| sensor.chip.starts_with(chip))))
}

/// Extracts the temperatures from the output of `sensors -j`. That is almost JSON: it may contain
/// `nan`, several documents, extra commas, duplicate names, sensors without values. So it searches
/// only for what is sure to be there: names, braces and numbers.
fn parse(text: &str) -> Vec<Sensor> {
    let mut sensors: Vec<Sensor> = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut key = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '"' => {
                let (string, after) = string(rest);
                rest = after;
                key = rest.trim_start().starts_with(':').then_some(string);
            }
            '{' if path.len() < MAX_DEPTH => path.push(key.take().unwrap_or_default()),
            '{' => return sensors,
            '}' => {
                path.pop();
                key = None;
            }
            '-' | '+' | '0'..='9' => {
                let end = rest
                    .find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)))
                    .unwrap_or(rest.len());
                let number = format!("{c}{}", &rest[..end]).parse::<f64>();
                rest = &rest[end..];
                if let (Some(name), [_, chip, label], Ok(number)) = (key.take(), &path[..], number)
                {
                    note(&mut sensors, chip, label, &name, number);
                }
            }
            _ => {}
        }
    }
    sensors
}

/// The string up to its closing quote, and the rest of the text.
fn string(text: &str) -> (String, &str) {
    let mut out = String::new();
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return (out, &text[at + 1..]),
            c => {
                out.push(c);
                escaped = false;
            }
        }
    }
    (out, "")
}

fn note(sensors: &mut Vec<Sensor>, chip: &str, label: &str, name: &str, number: f64) {
    let Some((sensor, what)) = name.split_once('_') else {
        return;
    };
    let is_temperature = sensor
        .strip_prefix("temp")
        .is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()));
    if !is_temperature {
        return;
    }
    let celsius = PLAUSIBLE.contains(&number).then(|| rounded(number));
    let last = sensors
        .iter()
        .rposition(|sensor| sensor.chip == chip && sensor.label == label);
    match (what, last) {
        ("input", _) => sensors.push(Sensor {
            chip: chip.to_owned(),
            label: label.to_owned(),
            celsius: KnownValue::or(celsius, texts::readings::SENSOR_REPORTS_IMPOSSIBLE_VALUE),
            high: None,
            critical: None,
        }),
        ("max", Some(at)) => sensors[at].high = celsius,
        ("crit", Some(at)) => sensors[at].critical = celsius,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the processor's temperature, and each sensor as `chip label celsius`.
    fn check(text: &str, processor_is: Option<f64>, expect: &[&str]) {
        let sensors = parse(text);
        let shown: Vec<String> = sensors
            .iter()
            .map(|sensor| {
                let celsius = sensor.celsius.value();
                let celsius = celsius.map_or("?".to_owned(), |celsius| celsius.to_string());
                format!("{} {} {celsius}", sensor.chip, sensor.label)
            })
            .collect();
        assert_eq!(shown, expect, "{text}");
        assert_eq!(processor(&sensors), processor_is, "{text}");
    }

    #[test]
    fn sensors_as_they_come() {
        let intel = r#"{
   "coretemp-isa-0000":{
      "Adapter": "ISA adapter",
      "Package id 0":{
         "temp1_input": 47.000,
         "temp1_max": 80.000,
         "temp1_crit": 100.000,
         "temp1_crit_alarm": 0.000
      },
      "Core 0":{
         "temp2_input": 51.000
      }
   },
   "nvme-pci-0100":{
      "Adapter": "PCI adapter",
      "Composite":{
         "temp1_input": 38.850,
         "temp1_max": 65261.850,
         "temp1_min": -273.150
      }
   }
}"#;
        check(
            intel,
            Some(47.0),
            &[
                "coretemp-isa-0000 Package id 0 47",
                "coretemp-isa-0000 Core 0 51",
                "nvme-pci-0100 Composite 38.85",
            ],
        );
        let sensors = parse(intel);
        assert_eq!(
            (sensors[0].high, sensors[0].critical),
            (Some(80.0), Some(100.0))
        );
        assert_eq!(sensors[2].high, None);
    }

    #[test]
    fn sensors_with_their_known_faults() {
        // Not a number; an impossible one; an empty object; an extra comma.
        check(
            r#"{"k10temp-pci-00c3":{"Tctl":{"temp1_input": nan},"Tccd1":{"temp3_input": 44.5},
                "Tccd2":{},},"x":{"a":{"temp1_input":-273.150}}"#,
            Some(44.5),
            &["k10temp-pci-00c3 Tccd1 44.5", "x a ?"],
        );
        // Several documents; the same label twice.
        check(
            r#"{"a":{"t":{"temp1_input":1}}}{"b":{"t":{"temp1_input":2},"t":{"temp2_input":3}}}"#,
            None,
            &["a t 1", "b t 2", "b t 3"],
        );
        // Messages in between; fans and voltages; a number in the wrong place.
        check(
            "ERROR: Can't get value 1\n{\"a\":{\"Adapter\":\"x\",\"fan\":{\"fan1_input\":900},\
             \"in0\":{\"in0_input\":1.2},\"temp1_input\":5,\"t\":{\"temp1_input\":7}}}",
            None,
            &["a t 7"],
        );
        check("", None, &[]);
        check("{}", None, &[]);
        check("{\n}\n,,", None, &[]);
        check("sensors: command not found", None, &[]);
        check(&"{\"a\":".repeat(100_000), None, &[]);
        check(
            "{\"a\":{\"\\\"t\\u0041\":{\"temp1_input\":1e400}}",
            None,
            &["a \"tu0041 ?"],
        );
    }
}
