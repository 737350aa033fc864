//! Tool that lists runs.

use agent::ports::{CallOrigin, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::site_reading::SiteReading;
use crate::{parts::FieldParts, ports::RunFilter, shape, texts::tools as say};

/// Runs in a list, unless the call says otherwise.
const RUNS: u32 = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum RunChoice {
    Open,
    Ended,
    Unknown,
    All,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunsInput {
    /// Only runs of this device, from list_devices.
    #[serde(default)]
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: Option<String>,
    /// Only runs like this: "open" wait or run, "unknown" may have run. All if left out.
    #[serde(default)]
    state: Option<RunChoice>,
    /// Maximum number of runs, newest first; 20 if left out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
}

pub(super) struct ListRuns;

#[async_trait]
impl SiteReading for ListRuns {
    const NAME: &'static str = "list_runs";
    const DESCRIPTION: &'static str = "Lists runs on field devices, newest first, with their phase. In a \
        conversation about one site it lists that site alone. Read one with get_run.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Which runs on field devices are open?",
            r#"{"state":"open"}"#,
        ),
        ToolExample::worked(
            "Which runs had dev_0123456789abcdefghijklmnop?",
            r#"{"device":"dev_0123456789abcdefghijklmnop","state":"all"}"#,
        ),
    ];
    type Input = RunsInput;

    async fn read(
        parts: &FieldParts,
        origin: &CallOrigin,
        input: RunsInput,
    ) -> Result<ToolOutput, ErrorBody> {
        if let Some(device) = &input.device {
            let device = parts.device(device)?;
            parts.enter(origin, &device.site).await?;
        }
        let phases: &[&str] = match input.state.unwrap_or(RunChoice::All) {
            RunChoice::Open => &["queued", "claimed", "running"],
            RunChoice::Ended => &["ended", "cut", "refused", "not_delivered", "cancelled"],
            RunChoice::Unknown => &["unknown"],
            RunChoice::All => &[],
        };
        let filter = RunFilter {
            site: parts.site_of(origin).await?,
            device: input.device,
            phases: phases.to_vec(),
            limit: input.limit.unwrap_or(RUNS),
        };
        let runs = parts.ports.runs.runs(&filter).await?;
        let shown: Value = runs.iter().map(shape::run).collect();
        Ok(shape::output(
            say::runs(runs.len()),
            json!({ "runs": shown }),
        ))
    }
}
