//! Tools of Jarvis's own for what a server has besides tools: resources and prompts. Both only read, and what they
//! bring is data like every other result.

use std::{sync::Arc, time::Duration};

use agent::ports::{
    Assessment, Impact, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError,
    ToolSpec,
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Tier, Timestamp, ToolOutput};
use serde_json::{Value, json};

use crate::{
    name::tool_name,
    port::{ReadRequest, ServerFault, ToolServer, bounded_content, told_error},
    rules::OutsideRules,
    texts,
};

/// The thing that a tool reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadKind {
    Resources,
    Prompts,
}

impl ReadKind {
    /// The name of the tool of a server.
    fn tool(self, server: &str) -> String {
        let name = match self {
            Self::Resources => "read_resource",
            Self::Prompts => "read_prompt",
        };
        tool_name(server, name)
    }
}

/// Kinds that the configuration switches on.
fn wanted(rules: &OutsideRules) -> impl Iterator<Item = ReadKind> {
    let kinds = [
        (rules.resources, ReadKind::Resources),
        (rules.prompts, ReadKind::Prompts),
    ];
    let wanted = kinds.into_iter().filter(|(is_wanted, _)| *is_wanted);
    wanted.map(|(_, kind)| kind)
}

/// True if one of these tools has a name.
pub(crate) fn has_name(server: &str, rules: &OutsideRules, name: &str) -> bool {
    wanted(rules).any(|kind| kind.tool(server) == name)
}

/// The tools of a server that the configuration switches on.
pub(crate) fn tools(
    server: &'static str,
    rules: &OutsideRules,
    port: &Arc<dyn ToolServer>,
) -> Vec<Arc<dyn Tool>> {
    let tools = wanted(rules).map(|kind| {
        let tool = ReadTool {
            server,
            kind,
            port: Arc::clone(port),
            timeout: rules.timeout,
            result_bytes: rules.result_bytes,
        };
        Arc::new(tool) as Arc<dyn Tool>
    });
    tools.collect()
}

struct ReadTool {
    server: &'static str,
    kind: ReadKind,
    port: Arc<dyn ToolServer>,
    timeout: Duration,
    result_bytes: usize,
}

impl ReadTool {
    fn schema(&self) -> Value {
        let text = |description: &str| json!({ "type": "string", "minLength": 1, "maxLength": 2000, "description": description });
        let properties = match self.kind {
            ReadKind::Resources => json!({ "uri": text(texts::URI) }),
            ReadKind::Prompts => json!({
                "name": text(texts::PROMPT_NAME),
                "arguments": {
                    "type": "array",
                    "maxItems": 20,
                    "description": texts::PROMPT_ARGUMENTS,
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": text(texts::ARGUMENT_NAME),
                            "value": text(texts::ARGUMENT_VALUE),
                        },
                        "required": ["name", "value"],
                        "additionalProperties": false,
                    },
                },
            }),
        };
        json!({ "type": "object", "properties": properties, "additionalProperties": false })
    }

    fn request(&self, input: &Value) -> ReadRequest {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        match self.kind {
            ReadKind::Resources => match text(&input["uri"]) {
                Some(uri) => ReadRequest::Resource { uri },
                None => ReadRequest::Resources,
            },
            ReadKind::Prompts => match text(&input["name"]) {
                Some(name) => {
                    let given = input["arguments"].as_array().into_iter().flatten();
                    let arguments = given
                        .filter_map(|given| Some((text(&given["name"])?, given["value"].clone())));
                    ReadRequest::Prompt {
                        name,
                        arguments: arguments.collect(),
                    }
                }
                None => ReadRequest::Prompts,
            },
        }
    }
}

#[async_trait]
impl Tool for ReadTool {
    fn spec(&self) -> ToolSpec {
        let description = match self.kind {
            ReadKind::Resources => texts::reads_resources(self.server),
            ReadKind::Prompts => texts::reads_prompts(self.server),
        };
        let name = self.kind.tool(self.server);
        ToolSpec {
            tier: Tier::Green,
            recovery: Recovery::Pure,
            timeout: self.timeout,
            impact: Impact::System,
            ..ToolSpec::with_schema(&name, &description, self.schema())
        }
    }

    fn target(&self, _input: &Value) -> Option<String> {
        Some(texts::target(self.server))
    }

    fn objects(&self, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(Tier::Green, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let target = texts::target(self.server);
        Ok(Preview::new(
            texts::call_of(&call.name, self.server),
            target,
        ))
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown(texts::OUTCOME_IS_NOT_KNOWN.to_owned())
    }

    async fn call(&self, call: ToolCall, _progress: Progress) -> Result<ToolOutput, ToolError> {
        let answer = self.port.read(self.request(&call.input)).await;
        let answer = answer.map_err(|fault| {
            let (code, message) = match fault {
                ServerFault::NotSent => (ErrorCode::ToolUnreachable, texts::NOT_REACHED),
                ServerFault::Lost => (ErrorCode::ToolUnreachable, texts::NO_ANSWER),
            };
            ToolError(ErrorBody::new(code, message))
        })?;
        let content = bounded_content(answer.content, self.result_bytes);
        if answer.is_error {
            return Err(told_error(self.server, &content));
        }
        Ok(ToolOutput {
            summary: texts::answered(self.server),
            data: content,
            images: Vec::new(),
        })
    }
}
