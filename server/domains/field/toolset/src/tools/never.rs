//! Tools that never run from here: visible to the model, so that it can say so.

use std::time::Duration;

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Tool, ToolCall, ToolError, ToolExample, ToolSpec,
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::texts::tools as say;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is never read, for it never runs")]
struct NeverInput {
    /// The device, from list_devices.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
}

/// The input that all examples mean.
const DEVICE: &str = r#"{"device":"dev_0123456789abcdefghijklmnop"}"#;

/// A tool that is always blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NeverTool {
    RebootDevice,
    ChangeNetwork,
}

impl NeverTool {
    const fn sentence(self) -> &'static str {
        match self {
            Self::RebootDevice => say::NEVER_REBOOTED,
            Self::ChangeNetwork => say::NEVER_CHANGED,
        }
    }

    fn never(self) -> ErrorBody {
        ErrorBody::new(ErrorCode::ToolProtected, self.sentence())
    }
}

#[async_trait]
impl Tool for NeverTool {
    fn spec(&self) -> ToolSpec {
        let (name, description, examples) = match self {
            Self::RebootDevice => (
                "reboot_device",
                "Reboots a field device. It never runs from here, whoever asks, and no approval changes \
                 that. Call it only when the user asks for exactly this, so that the request is on \
                 record; then say that somebody at the site has to do it.",
                [
                    "Reboot the field device dev_0123456789abcdefghijklmnop.",
                    "Restart dev_0123456789abcdefghijklmnop.",
                ],
            ),
            Self::ChangeNetwork => (
                "change_network",
                "Changes interfaces, addresses, routes or the firewall of a field device. It never runs \
                 from here, whoever asks: this version has no right to change a network. Call it only \
                 when the user asks for exactly this, so that the request is on record; then say who \
                 can do it at the site.",
                [
                    "Change the address of dev_0123456789abcdefghijklmnop.",
                    "Open the firewall of the field device dev_0123456789abcdefghijklmnop.",
                ],
            ),
        };
        ToolSpec {
            tier: Tier::Black,
            timeout: Duration::from_secs(1),
            examples: examples
                .map(|question| ToolExample::worked(question, DEVICE))
                .into(),
            ..ToolSpec::new::<NeverInput>(name, description)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        let device = input.get("device").and_then(Value::as_str)?;
        Some(say::device(device))
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let device = input.get("device").and_then(Value::as_str);
        let device = device.map(|device| format!("device/{device}"));
        device.into_iter().collect()
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(Tier::Black, input)
    }

    async fn preview(&self, _call: &ToolCall) -> Result<Preview, ErrorBody> {
        Err(self.never())
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::NotDone(self.sentence().to_owned())
    }

    async fn call(&self, _call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        Err(ToolError(self.never()))
    }
}
