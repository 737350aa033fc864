//! Tool that reads one device.

use agent::ports::{CallOrigin, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::site_reading::SiteReading;
use crate::{
    parts::{FieldParts, time},
    ports::RunFilter,
    shape,
    texts::{shape as words, tools as say},
};

/// Bundles, runs and proposals of a device that are named.
const NEWEST: u32 = 5;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeviceInput {
    /// The device, from list_devices.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
}

pub(super) struct GetDevice;

#[async_trait]
impl SiteReading for GetDevice {
    const NAME: &'static str = "get_device";
    const DESCRIPTION: &'static str = "Reads one field device: what it reports of itself, the limits that its \
        sandboxes enforce and those that they lack, and its newest diagnostics, proposals and runs. \
        Tokens such as ip-s1-n3.17 stand for values that you never see; use them as they are.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "How is the field device dev_0123456789abcdefghijklmnop?",
            r#"{"device":"dev_0123456789abcdefghijklmnop"}"#,
        ),
        ToolExample::worked(
            "How is dev_0123456789abcdefghijklmnop?",
            r#"{"device":"dev_0123456789abcdefghijklmnop"}"#,
        ),
        ToolExample::worked(
            "What can the device dev_0123456789abcdefghijklmnop run?",
            r#"{"device":"dev_0123456789abcdefghijklmnop"}"#,
        ),
    ];
    type Input = DeviceInput;

    async fn read(
        parts: &FieldParts,
        origin: &CallOrigin,
        input: DeviceInput,
    ) -> Result<ToolOutput, ErrorBody> {
        let device = parts.device(&input.device)?;
        parts.enter(origin, &device.site).await?;
        let ports = &parts.ports;
        let bundles = ports.bundles.bundles(&device.id, NEWEST).await?;
        let filter = RunFilter {
            device: Some(device.id.clone()),
            limit: NEWEST,
            ..RunFilter::default()
        };
        let runs = ports.runs.runs(&filter).await?;
        let proposals = ports.proposals.proposals(&device.id, NEWEST).await?;
        let snapshot = parts.snapshot();
        let mut data = shape::device(&device, &snapshot, parts.now());
        data["facts"] = device.facts.clone();
        data["sandboxes"] = match &device.abilities {
            Some(abilities) => serde_json::to_value(abilities).unwrap_or_default(),
            None => words::unknown(say::NOT_REPORTED),
        };
        data["gaps"] = json!(device.gaps);
        data["bundles"] = bundles
            .iter()
            .map(|bundle| json!({ "bundle": bundle.id, "received": time(bundle.received) }))
            .collect();
        data["runs"] = runs.iter().map(shape::run).collect();
        let proposals = proposals.iter().map(|proposal| {
            json!({
                "proposal": proposal.id,
                "title": proposal.title,
                "newest_version": proposal.head,
                "changed": time(proposal.changed),
            })
        });
        data["proposals"] = Value::Array(proposals.collect());
        data["summary"] = json!(shape::standing(&device, parts.now()));
        Ok(shape::output(say::read_device(&device.name), data))
    }
}
