//! What is sent to a client, in the protocol's types.

use ::mcp::{CallReport, OUTCOME_TOOL};
use agent::RelayedTool;
use protocol::{ConversationId, ErrorBody, Tier};
use rmcp::{
    RoleServer,
    model::{
        CallToolResult, ContentBlock, ElicitRequest, ElicitRequestParams, InputRequest,
        InputRequests, InputResponses, JsonObject, MetaObject, ProtocolVersion, Tool,
        ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use crate::texts;

/// The question of a call that waits.
const CARD: &str = "card";
/// The member of a tool's `_meta` with its tier.
const TIER: &str = "jarvis/tier";

/// A tool as clients list it. The hints are what this server knows of it; a client need not believe them.
pub(super) fn tool(tool: &RelayedTool) -> Tool {
    let schema = match &tool.input_schema {
        Value::Object(schema) => schema.clone(),
        _ => JsonObject::new(),
    };
    let hints = ToolAnnotations::new()
        .read_only(tool.only_reads)
        .destructive(!tool.only_reads && tool.tier >= Tier::Red)
        .idempotent(tool.is_idempotent);
    let mut meta = JsonObject::new();
    meta.insert(TIER.to_owned(), json!(tool.tier));
    Tool::new(tool.name.clone(), tool.description.clone(), schema)
        .with_annotations(hints)
        .with_meta(MetaObject(meta))
}

/// The tool that reads the outcome of a call.
pub(super) fn outcome_tool() -> Tool {
    let definition = ::mcp::outcome_tool();
    let hints = ToolAnnotations::new().read_only(true).destructive(false);
    Tool::new(
        OUTCOME_TOOL,
        definition.description,
        definition.input_schema,
    )
    .with_annotations(hints.idempotent(true))
}

/// The answer of a report.
pub(super) fn result(report: CallReport) -> CallToolResult {
    let content = vec![ContentBlock::text(report.text)];
    let mut result = if report.is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = Some(report.structured);
    result
}

/// The answer of a refusal: the model reads why, and what to do.
pub(super) fn refusal(error: &ErrorBody) -> CallToolResult {
    let help = error.help.as_deref().unwrap_or_default();
    let text = format!("{} {help}", error.message);
    let mut result = CallToolResult::error(vec![ContentBlock::text(text.trim_end())]);
    result.structured_content = Some(json!({
        "state": "refused",
        "code": error.code,
        "result": text.trim_end(),
        "request_id": error.request_id,
    }));
    result
}

/// The question to open the page of a call. It says nothing of what the page shows.
pub(super) fn open_the_card(page: &str, call: ConversationId) -> InputRequests {
    let asks = ElicitRequestParams::UrlElicitationParams {
        meta: None,
        message: texts::mcp::OPEN_THE_CARD.to_owned(),
        url: page.to_owned(),
        elicitation_id: call.to_string(),
    };
    let question = InputRequest::Elicitation(ElicitRequest::new(asks));
    InputRequests::from([(CARD.to_owned(), question)])
}

/// True if the person at the client has opened the page. It decides nothing.
pub(super) fn is_accepted(given: &InputResponses) -> bool {
    let card = given.get(CARD);
    card.is_some_and(|card| card.get("action") == Some(&json!("accept")))
}

/// True for a request of the current era of the protocol.
pub(super) fn is_current(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// True if the client of a request can show a person an address.
pub(super) fn opens_addresses(context: &RequestContext<RoleServer>) -> bool {
    let declared = context.client_capabilities();
    let declared = declared.and_then(|capabilities| capabilities.elicitation);
    is_current(context) && declared.is_some_and(|elicitation| elicitation.url.is_some())
}
