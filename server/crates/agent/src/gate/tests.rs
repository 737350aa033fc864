//! The gate, as a table.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use protocol::{BlockedReason, Mode, Tier, ToolOutput};
use serde_json::{Value, json};

use super::{Question, Verdict, decide};
use crate::{
    ports::{ContextPart, Progress, Recovery, ToolCall, ToolError, ToolSpec, Toolset},
    tools::Tools,
};

struct Fixed(Vec<ToolSpec>);

#[async_trait]
impl Toolset for Fixed {
    fn name(&self) -> &'static str {
        "fixed"
    }

    fn system_prompt(&self) -> String {
        String::new()
    }

    fn tools(&self) -> &[ToolSpec] {
        &self.0
    }

    fn target(&self, _: &str, _: &Value) -> Option<String> {
        None
    }

    async fn context(&self) -> Vec<ContextPart> {
        Vec::new()
    }

    async fn call(&self, _: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        unreachable!("the gate calls nothing")
    }
}

fn spec(name: &'static str, tier: Tier) -> ToolSpec {
    ToolSpec {
        name,
        description: "",
        input_schema: json!({
            "type": "object",
            "additionalProperties": false,
            "properties": { "node": { "type": "string" }, "vmid": { "type": "integer" } },
            "required": ["node"],
        }),
        tier,
        recovery: Recovery::Pure,
        timeout: Duration::from_secs(1),
    }
}

fn tools() -> Tools {
    let specs = vec![
        spec("get_vms", Tier::Green),
        spec("restart_service", Tier::Yellow),
        spec("stop_vm", Tier::Red),
        spec("reboot_node", Tier::Black),
        spec("get_new", Tier::Green),
    ];
    Tools::new(vec![Arc::new(Fixed(specs))]).unwrap()
}

#[test]
fn every_call_gets_the_strictest_answer() {
    let tools = tools();
    let allowed: Vec<String> = ["get_vms", "restart_service", "stop_vm", "reboot_node"]
        .map(ToOwned::to_owned)
        .to_vec();
    let good = json!({ "node": "pve" });
    let run = None;
    let table = [
        ("get_vms", good.clone(), Mode::Default, run),
        (
            "get_vms",
            json!({ "node": "pve", "vmid": 1 }),
            Mode::Default,
            run,
        ),
        (
            "get_vms",
            good.clone(),
            Mode::Plan,
            Some(BlockedReason::Mode),
        ),
        (
            "get_vms",
            good.clone(),
            Mode::Unknown,
            Some(BlockedReason::Mode),
        ),
        (
            "nothing",
            good.clone(),
            Mode::Plan,
            Some(BlockedReason::Mode),
        ),
        (
            "nothing",
            good.clone(),
            Mode::Default,
            Some(BlockedReason::UnknownTool),
        ),
        (
            "Get_vms",
            good.clone(),
            Mode::Default,
            Some(BlockedReason::UnknownTool),
        ),
        (
            "get_vms ",
            good.clone(),
            Mode::Default,
            Some(BlockedReason::UnknownTool),
        ),
        (
            "ɡet_vms",
            good.clone(),
            Mode::Default,
            Some(BlockedReason::UnknownTool),
        ),
        (
            "",
            good.clone(),
            Mode::Default,
            Some(BlockedReason::UnknownTool),
        ),
        (
            "get_new",
            good.clone(),
            Mode::Default,
            Some(BlockedReason::NotAllowed),
        ),
        (
            "get_vms",
            json!({}),
            Mode::Default,
            Some(BlockedReason::InvalidInput),
        ),
        (
            "get_vms",
            json!(null),
            Mode::Default,
            Some(BlockedReason::InvalidInput),
        ),
        (
            "get_vms",
            json!([]),
            Mode::Default,
            Some(BlockedReason::InvalidInput),
        ),
        (
            "get_vms",
            json!("{\"node\": "),
            Mode::Default,
            Some(BlockedReason::InvalidInput),
        ),
        (
            "get_vms",
            json!({ "node": 1 }),
            Mode::Default,
            Some(BlockedReason::InvalidInput),
        ),
        (
            "get_vms",
            json!({ "node": "pve", "confirmed": true }),
            Mode::Default,
            Some(BlockedReason::InvalidInput),
        ),
        (
            "stop_vm",
            json!({ "node": "pve", "confirmed": true }),
            Mode::Default,
            Some(BlockedReason::InvalidInput),
        ),
        (
            "restart_service",
            good.clone(),
            Mode::Default,
            Some(BlockedReason::Tier),
        ),
        (
            "stop_vm",
            good.clone(),
            Mode::Default,
            Some(BlockedReason::Tier),
        ),
        (
            "reboot_node",
            good,
            Mode::Default,
            Some(BlockedReason::Tier),
        ),
        (
            "reboot_node",
            json!({ "x": 1 }),
            Mode::Default,
            Some(BlockedReason::Tier),
        ),
    ];
    for (name, input, mode, expect) in table {
        let verdict = decide(&Question {
            name,
            tool: tools.get(name).map(|tool| &**tool),
            input: &input,
            mode,
            allowed: &allowed,
        });
        let got = match &verdict {
            Verdict::Run => None,
            Verdict::Block { reason, .. } => Some(*reason),
        };
        assert_eq!(got, expect, "{name} {input} {mode:?}: {verdict:?}");
    }
}

#[test]
fn definitions_that_leave_a_gap_are_refused() {
    let open = |schema: Value| {
        let mut spec = spec("tool", Tier::Green);
        spec.input_schema = schema;
        vec![spec]
    };
    let table = [
        (open(json!({ "type": "object" })), "additionalProperties"),
        (open(json!({ "type": "string" })), "not an object"),
        (
            open(json!({
                "type": "object",
                "additionalProperties": false,
                "properties": { "deep": { "type": "object", "properties": {} } },
            })),
            "additionalProperties",
        ),
        (
            open(json!({ "type": "object", "additionalProperties": false, "required": 3 })),
            "not valid",
        ),
        (
            vec![spec("a", Tier::Green), spec("a", Tier::Red)],
            "two tools",
        ),
        (vec![spec("a b", Tier::Green)], "name"),
        (vec![spec("", Tier::Green)], "name"),
    ];
    for (specs, expect) in table {
        let Err(error) = Tools::new(vec![Arc::new(Fixed(specs))]) else {
            panic!("accepted, though {expect}");
        };
        assert!(error.to_string().contains(expect), "{error}");
    }
}
