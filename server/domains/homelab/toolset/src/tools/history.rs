//! Tool that returns the history of a node, guest or storage as series of means.

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use homelab_wire::{ChartLine, ChartsPage};
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{SINGLE, output};
use crate::{
    cluster_access::ClusterAccess,
    out::{KnownValue, plain},
    pages, texts,
    time::rfc3339,
};

/// Points per answer: enough to see a trend, few enough to read.
const POINTS: usize = 48;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryInput {
    /// Its kind: a guest is a virtual machine or a container.
    r#type: HistorySubject,
    /// The node such as "pve", the id of the guest such as "100", or the storage as "NODE/NAME", a
    /// shared one as "NAME".
    #[schemars(length(min = 1, max = 128))]
    name: String,
    /// Period that ends now.
    span: Span,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum HistorySubject {
    Node,
    Guest,
    Storage,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Span {
    Hour,
    Day,
    Week,
    Month,
}

#[derive(Debug, Serialize)]
struct HistoryOut {
    about: String,
    /// Start of the first step, in UTC.
    start: KnownValue<String>,
    /// Length of a step; each value is the mean over it.
    step_seconds: KnownValue<u64>,
    /// Upper limits, such as all memory, by the name of the series they limit.
    #[serde(skip_serializing_if = "Map::is_empty")]
    limits: Map<String, Value>,
    /// Values by name, oldest first; null where there are no samples.
    series: Map<String, Value>,
    source: String,
}

impl HistorySubject {
    fn word(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Guest => "guest",
            Self::Storage => "storage",
        }
    }
}

impl Span {
    fn word(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
        }
    }
}

pub(crate) struct GetHistory(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl ReadingTool for GetHistory {
    const NAME: &'static str = "get_history";
    const DESCRIPTION: &'static str = "Reads the past of one node, guest or storage as series: at most 48 values over the last \
         hour, day, week or month, oldest first, each the mean over `step_seconds`. Nodes: CPU and I/O wait in percent, \
         load, memory, swap and root disk in bytes, network in bytes per second, and for the last week the \
         temperature where it was measured. Guests: CPU, memory, network, disk traffic, and for \
         containers the disk. Storages: use in bytes. `source` says where they come from. Use it for \
         questions such as \"How busy was pve last night?\", \"Is the NAS filling up?\" or \"When did \
         100 begin to use so much memory?\". The figures of this moment are in the other tools. A \
         null was not measured: never take it for zero.";
    const TIMEOUT: Duration = SINGLE;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("How busy was pve in the last 24 hours?"),
        ToolExample::new("Show the memory of guest 100 over the last week."),
    ];
    type Input = HistoryInput;

    fn target(&self, input: &Value) -> Option<String> {
        let text = |field| input.get(field).and_then(Value::as_str);
        Some(format!("{} {}", text("type")?, text("name")?))
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let text = |field| input.get(field).and_then(Value::as_str);
        let object = text("type").zip(text("name"));
        object
            .map(|(kind, name)| format!("{kind}/{name}").to_ascii_lowercase())
            .into_iter()
            .collect()
    }

    async fn read(&self, input: HistoryInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        get_history(&self.0, input).await
    }
}

async fn get_history(access: &ClusterAccess, input: HistoryInput) -> Result<ToolOutput, ErrorBody> {
    let (kind, name) = (input.r#type.word(), input.name.as_str());
    let page = pages::past(access, kind, name, input.span.word(), POINTS).await?;
    answer(format!("{kind} {name}"), input.span, page)
}

fn answer(about: String, span: Span, page: ChartsPage) -> Result<ToolOutput, ErrorBody> {
    let lines = page.charts.iter().flat_map(|chart| {
        let named =
            move |line: &ChartLine| (name(&[&chart.name, &line.name], &chart.unit), numbers(line));
        chart.lines.iter().map(named)
    });
    let series: Map<String, Value> = lines.collect();
    let lengths = series
        .values()
        .filter_map(|line| Some(line.as_array()?.len()));
    let length = lengths.max().unwrap_or_default();
    let limits = page.charts.iter().filter_map(|chart| {
        let limit = Value::Number(plain(chart.limit?)?);
        Some((name(&[&chart.name, "total"], &chart.unit), limit))
    });
    let span = span.word();
    let nothing = texts::readings::nothing_measured(span);
    let start = (length > 0).then(|| rfc3339(page.start.0 / 1000));
    let few = match length {
        0 => nothing.as_str(),
        _ => texts::readings::SINGLE_VALUE,
    };
    let (start, step_seconds) = (
        KnownValue::or(start, &nothing),
        KnownValue::or(page.step, few),
    );
    let summary = match length {
        0 => format!("{about}: {nothing}"),
        count => texts::readings::points(&about, span, count),
    };
    output(
        summary,
        &HistoryOut {
            about,
            start,
            step_seconds,
            limits: limits.collect(),
            series,
            source: page.source,
        },
    )
}

fn numbers(line: &ChartLine) -> Value {
    let number = |value: &Option<f64>| value.and_then(plain).map_or(Value::Null, Value::Number);
    line.values.iter().map(number).collect()
}

/// Builds a name such as `network_received_bytes_per_second`.
fn name(parts: &[&str], unit: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for part in parts.iter().chain([&unit]) {
        let word = part.to_ascii_lowercase().replace(' ', "_");
        if !word.is_empty() && words.last() != Some(&word) {
            words.push(word);
        }
    }
    words.join("_")
}

#[cfg(test)]
mod tests {
    use homelab_wire::Chart;
    use protocol::Timestamp;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_not_measured_has_no_step() {
        let page = |values: Vec<Option<f64>>| ChartsPage {
            start: Timestamp(0),
            step: None,
            source: "x".to_owned(),
            at: Timestamp(0),
            charts: vec![Chart {
                name: "CPU".to_owned(),
                unit: "percent".to_owned(),
                limit: None,
                lines: vec![ChartLine {
                    name: "busy".to_owned(),
                    values,
                }],
            }],
        };
        let nothing = answer("guest 9".to_owned(), Span::Month, page(vec![])).unwrap();
        let unknown = json!({ "unknown": "nothing was measured in the last month" });
        assert_eq!(nothing.data["step_seconds"], unknown);
        assert_eq!(nothing.data["start"], unknown);
        let one = answer("guest 9".to_owned(), Span::Hour, page(vec![Some(1.0)])).unwrap();
        assert_eq!(one.data["start"], "1970-01-01T00:00:00Z");
        let reason = "a single value was measured, so the time that it stands for cannot be told";
        assert_eq!(one.data["step_seconds"], json!({ "unknown": reason }));
    }

    #[test]
    fn names() {
        assert_eq!(name(&["CPU", "busy"], "percent"), "cpu_busy_percent");
        assert_eq!(name(&["Load", "load"], ""), "load");
        assert_eq!(
            name(&["Disk traffic", "read"], "bytes_per_second"),
            "disk_traffic_read_bytes_per_second"
        );
    }
}
