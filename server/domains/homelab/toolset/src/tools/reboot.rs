//! Tool that would reboot a node, which is always blocked.

use std::time::Duration;

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Tool, ToolCall, ToolError, ToolExample, ToolSpec,
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{about_node, touched};
use crate::texts;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is never read, for it never runs")]
struct RebootInput {
    /// The node, such as "pve".
    #[schemars(length(min = 1, max = 63))]
    node: String,
    /// "reboot" or "shutdown".
    action: RebootAction,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum RebootAction {
    Reboot,
    Shutdown,
}

/// Visible to the model, so that it can explain why it will not do it.
pub(crate) struct RebootNode;

fn never() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ToolProtected,
        texts::readings::NODE_IS_NEVER_REBOOTED_OR_SHUT_DOWN,
    )
}

#[async_trait]
impl Tool for RebootNode {
    fn spec(&self) -> ToolSpec {
        const DESCRIPTION: &str = "Reboots or shuts down a whole node with all its guests. It never runs from \
                      here, whoever asks, and no confirmation changes that. Call it only when the \
                      user asks for exactly this, so that the request is on record; then say that \
                      it has to be done by hand, on the node itself or in the interface of Proxmox.";
        ToolSpec {
            tier: Tier::Black,
            timeout: Duration::from_secs(1),
            examples: vec![
                ToolExample::new("Reboot pve."),
                ToolExample::new("Shut the node pve down."),
            ],
            ..ToolSpec::new::<RebootInput>("reboot_node", DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about_node(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(Tier::Black, input)
    }

    async fn preview(&self, _call: &ToolCall) -> Result<Preview, ErrorBody> {
        Err(never())
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::NotDone(texts::readings::NODE_IS_NEVER_REBOOTED.to_owned())
    }

    async fn call(&self, _call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        Err(ToolError(never()))
    }
}
