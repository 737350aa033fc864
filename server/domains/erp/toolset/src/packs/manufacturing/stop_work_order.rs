//! Tool that stops, resumes or closes a work order.

use std::sync::Arc;

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError, ToolExample,
    ToolSpec, read_input,
};
use async_trait::async_trait;
use protocol::{ErrorBody, Fact, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    packs::{PackSite, input},
    tools::{
        OrderChange, SetOrderStatus, SetOrderStatusInput,
        writing::{acting, plan},
    },
};

const NAME: &str = "stop_work_order";
const DESCRIPTION: &str = "Stops, resumes or closes a submitted work order. A stopped one can be resumed, a \
    closed one never. A person is asked, and sees what is made and which materials are under way.";
const DOCTYPE: &str = "Work Order";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StopWorkOrderInput {
    /// Exact name of the work order, such as MFG-WO-2026-00012.
    #[schemars(length(min = 1, max = 140))]
    work_order: String,
    /// The "modified" of the document as you read it last.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?$"))]
    modified: String,
    /// Close is for good.
    action: WorkOrderAction,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum WorkOrderAction {
    Stop,
    Resume,
    Close,
}

/// The same call as one that sets the status of an order, which checks, shows and settles it.
fn read(input: Value) -> Result<SetOrderStatusInput, ErrorBody> {
    let input: StopWorkOrderInput = read_input(input)?;
    let change = match input.action {
        WorkOrderAction::Stop => OrderChange::Stop,
        WorkOrderAction::Resume => OrderChange::Reopen,
        WorkOrderAction::Close => OrderChange::Close,
    };
    let (order, modified) = (input.work_order, input.modified);
    Ok(SetOrderStatusInput::of_work_order(order, modified, change))
}

pub(crate) struct StopWorkOrder {
    site: Arc<PackSite>,
    by: SetOrderStatus,
}

impl StopWorkOrder {
    pub(super) fn new(site: &Arc<PackSite>) -> Self {
        Self {
            by: SetOrderStatus::reading(Arc::clone(&site.site), read),
            site: Arc::clone(site),
        }
    }
}

#[async_trait]
impl Tool for StopWorkOrder {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Red,
            recovery: Recovery::Reconcilable,
            timeout: acting::WRITING,
            examples: vec![
                ToolExample::worked(
                    "Stop the work order MFG-WO-2026-00012.",
                    r#"{"work_order": "MFG-WO-2026-00012", "modified": "2026-11-20 10:00:00.000000", "action": "stop"}"#,
                ),
                ToolExample::worked(
                    "Resume the work order MFG-WO-2026-00012.",
                    r#"{"work_order": "MFG-WO-2026-00012", "modified": "2026-11-20 10:00:00.000000", "action": "resume"}"#,
                ),
                ToolExample::worked(
                    "Close the work order MFG-WO-2026-00012.",
                    r#"{"work_order": "MFG-WO-2026-00012", "modified": "2026-11-20 10:00:00.000000", "action": "close"}"#,
                ),
            ],
            ..ToolSpec::new::<StopWorkOrderInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        input::target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let mut objects = vec![format!("doctype/{DOCTYPE}").to_lowercase()];
        objects.extend(input::objects(input));
        objects
    }

    fn assess(&self, input: &Value) -> Assessment {
        let mut assessment = Assessment::plain(Tier::Red, input);
        assessment.values.retain(|it| it.path != "/modified");
        let site = &self.site.site;
        acting::weigh_type(site, DOCTYPE, &mut assessment);
        assessment.protected = site.reach.protects(&self.objects(input));
        assessment
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        read(call.input.clone())?;
        self.site.get().await?;
        let preview = self.by.preview(call).await?;
        Ok(Preview {
            said: &["work_order", "modified", "action"],
            ..preview
        })
    }

    fn drift(&self, shown: &[Fact], now: &Preview) -> Option<String> {
        plan::drift(shown, now)
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        self.by.reconcile(call, since).await
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        read(call.input.clone()).map_err(ToolError)?;
        let looked = self.site.get().await;
        looked.map_err(|error| ToolError(error.body()))?;
        self.by.call(call, progress).await
    }
}
