//! A toolset on ports in memory, and calls of it.

use std::sync::Arc;

use agent::ports::{
    Approval, Assessment, CallActor, CallOrigin, Preview, Progress, Tool, ToolCall, Toolset,
};
use field::{Field, FieldConfig};
use field_testkit::{MemoryField, office};
use protocol::{CallId, ConversationId, ErrorBody, Tier, Timestamp, ToolOutput, UserId};
use serde_json::{Value, json};
use testkit::FixedEnv;

pub(crate) struct Stub {
    pub(crate) field: Field,
    pub(crate) memory: Arc<MemoryField>,
    pub(crate) env: Arc<FixedEnv>,
}

impl Stub {
    pub(crate) fn new() -> Self {
        Self::with(FieldConfig::default())
    }

    pub(crate) fn with(config: FieldConfig) -> Self {
        let env = Arc::new(FixedEnv::default());
        let memory = MemoryField::new(env.clone());
        let field = Field::new(config, memory.ports()).unwrap();
        Self { field, memory, env }
    }

    pub(crate) fn tool(&self, name: &str) -> Arc<dyn Tool> {
        let mut tools = self.field.tools().into_iter();
        tools.find(|tool| tool.spec().name == name).unwrap()
    }

    /// Runs a call, as the engine does it: a RED one is shown just before.
    pub(crate) async fn run(&self, call: ToolCall) -> Result<ToolOutput, ErrorBody> {
        let tool = self.tool(&call.name);
        if tool.spec().tier == Tier::Red {
            tool.preview(&call).await?;
        }
        let done = tool.call(call, Progress::ignored()).await;
        done.map_err(|error| error.0)
    }

    pub(crate) async fn call(&self, name: &str, input: Value) -> Result<ToolOutput, ErrorBody> {
        self.run(call(1, name, input)).await
    }

    pub(crate) fn assess(&self, name: &str, input: &Value) -> Assessment {
        self.tool(name).assess(input)
    }

    pub(crate) async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        self.tool(&call.name).preview(call).await
    }

    /// Keeps a proposal of these steps for the device in the meeting room: its id and version.
    pub(crate) async fn proposal(&self, number: u128, steps: Value) -> (String, u64) {
        self.version(number, steps, None).await
    }

    /// The same, as a version of another one.
    pub(crate) async fn version(
        &self,
        number: u128,
        steps: Value,
        of: Option<&str>,
    ) -> (String, u64) {
        let mut input = json!({
            "device": office::ROOM,
            "title": "Check the gateway",
            "why": "Two machines answer for it.",
            "steps": steps,
        });
        if let Some(of) = of {
            input["of"] = json!(of);
        }
        let kept = self.run(call(number, "propose_script", input)).await;
        let data = kept.unwrap().data;
        let id = data["proposal"].as_str().unwrap().to_owned();
        (id, data["version"].as_u64().unwrap())
    }
}

/// A call of the model; another number is another call.
pub(crate) fn call(number: u128, name: &str, input: Value) -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(1), number),
        name: name.to_owned(),
        input,
        approval: None,
        origin: CallOrigin {
            conversation: ConversationId::new(Timestamp(1), 7),
            person: person(),
            turn: None,
            message: None,
            actor: CallActor::Model,
        },
    }
}

pub(crate) fn person() -> UserId {
    UserId::new(Timestamp(1), 1)
}

/// The call to run a version, approved by these people.
pub(crate) fn approved(number: u128, proposal: &str, version: u64, by: &[&str]) -> ToolCall {
    let input = json!({ "proposal": proposal, "version": version, "device": office::ROOM });
    ToolCall {
        approval: Some(Approval {
            digest: format!("{number:064x}"),
            by: by.iter().map(|&name| name.to_owned()).collect(),
            at: Timestamp(2),
        }),
        ..call(number, "run_script", input)
    }
}

#[tokio::test]
async fn the_ports_in_memory_keep_the_contract() {
    let stub = Stub::new();
    stub.memory.scenario(field_testkit::RunScenario::Waits);
    let ports = stub.memory.ports();
    field_testkit::contract::values(&ports, office::OFFICE, office::BRANCH).await;
    field_testkit::contract::proposals(&ports, office::ROOM).await;
    field_testkit::contract::runs(&ports, office::ROOM).await;
}
