//! Tool that never runs: the model learns from it that nothing is deleted from here.

use std::time::Duration;

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError, ToolExample,
    ToolSpec, read_input,
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{about, touched};
use crate::texts::delete as say;

const NAME: &str = "delete_doc";
const DESCRIPTION: &str = "Never runs: nothing is deleted in the ERP from here. Cancel what was submitted; a \
    person deletes drafts in the ERP.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its form is used")]
struct DeleteDocInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Exact name, such as "SAL-ORD-2026-00012".
    #[schemars(length(min = 1, max = 140))]
    name: String,
}

/// It holds no connection, so that there is nothing to delete by.
pub(crate) struct DeleteDoc;

fn never() -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolProtected, say::NEVER)
}

#[async_trait]
impl Tool for DeleteDoc {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Black,
            recovery: Recovery::Unsafe,
            timeout: Duration::from_secs(5),
            examples: vec![
                ToolExample::worked(
                    "Delete the draft SAL-ORD-2026-00012.",
                    r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012"}"#,
                ),
                ToolExample::worked(
                    "Remove the customer Harbour Bikes.",
                    r#"{"doctype": "Customer", "name": "Harbour Bikes"}"#,
                ),
            ],
            ..ToolSpec::new::<DeleteDocInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment {
            risks: vec![say::NEVER.to_owned()],
            ..Assessment::plain(Tier::Black, input)
        }
    }

    async fn preview(&self, _call: &ToolCall) -> Result<Preview, ErrorBody> {
        Err(never())
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::NotDone(say::NEVER.to_owned())
    }

    async fn call(&self, call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        let _: DeleteDocInput = read_input(call.input).map_err(ToolError)?;
        Err(ToolError(never()))
    }
}
