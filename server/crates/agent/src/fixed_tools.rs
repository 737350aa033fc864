//! Tools that are defined and do nothing, for tests of the code that decides about them.

use std::sync::Arc;

use async_trait::async_trait;
use protocol::{ErrorBody, Reference, Timestamp, ToolOutput};
use serde_json::Value;

use crate::ports::{
    Assessment, ContextPart, OnStop, Preview, Progress, Reconciled, Tool, ToolCall, ToolError,
    ToolSpec, Toolset,
};

/// A tool whose calls touch the node that they name.
pub(crate) struct FixedTool {
    pub(crate) spec: ToolSpec,
    pub(crate) on_stop: OnStop,
}

#[async_trait]
impl Tool for FixedTool {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    fn target(&self, _: &Value) -> Option<String> {
        None
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let node = input.get("node").and_then(Value::as_str);
        node.map(|node| format!("node/{node}"))
            .into_iter()
            .collect()
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(self.spec.tier, input)
    }

    fn on_stop(&self) -> OnStop {
        self.on_stop
    }

    async fn preview(&self, _: &ToolCall) -> Result<Preview, ErrorBody> {
        unreachable!("nothing is asked for")
    }

    async fn reconcile(&self, _: &ToolCall, _: Timestamp) -> Reconciled {
        unreachable!("nothing was cut off")
    }

    async fn call(&self, _: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        unreachable!("nothing runs")
    }
}

/// The toolset `fixed`.
pub(crate) struct Fixed(pub(crate) Vec<ToolSpec>);

#[async_trait]
impl Toolset for Fixed {
    fn name(&self) -> &'static str {
        "fixed"
    }

    fn system_prompt(&self) -> String {
        String::new()
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let tools = self.0.iter().cloned().map(|spec| FixedTool {
            spec,
            on_stop: OnStop::Finish,
        });
        tools.map(|tool| Arc::new(tool) as Arc<dyn Tool>).collect()
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        Vec::new()
    }
}
