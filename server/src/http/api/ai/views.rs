//! The types of analyses and scripts: what programs send and read.

use std::collections::HashMap;

use app::conversation_path;
use protocol::{
    CallId, ContentBlock, ConversationId, ConversationPage, Event, EventBody, MessageId, Timestamp,
    ToolOutcome,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::api::views::{AcceptedBody, ModelBody, ReferenceBody};

/// Starts an analysis: a conversation in plan mode, which gets no tools.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewAnalysis")]
pub(in crate::http::api) struct AnalysisBody {
    /// The person's question.
    pub(super) question: String,
    /// The things that it is about, such as a bundle of diagnostics: at least one. The text of each goes
    /// with the question. They exist, and belong to one site.
    #[schemars(length(min = 1))]
    pub(super) about: Vec<ReferenceBody>,
    /// The packs of tools that a script out of it begins with, by the names of their toolsets. None has the
    /// usual ones.
    #[serde(default)]
    pub(super) packs: Option<Vec<String>>,
    /// The model that answers. None uses the one of new conversations.
    #[serde(default)]
    pub(super) model: Option<ModelBody>,
}

/// Starts the conversation in which a script is proposed out of an analysis.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewScript")]
pub(in crate::http::api) struct NewScriptBody {
    /// The analysis, by its conversation. It has ended.
    #[schemars(with = "String")]
    pub(super) analysis: ConversationId,
    /// The answer in it to propose from. None uses the newest one.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) answer: Option<MessageId>,
    /// The person's own words. None asks to propose a script, and to ask for its run.
    #[serde(default)]
    pub(super) message: Option<String>,
}

/// The conversation of a script has begun.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ScriptBegun")]
pub(in crate::http::api) struct ScriptBegunBody {
    #[schemars(with = "String")]
    conversation: ConversationId,
    /// The address of its events.
    events: String,
    /// The address of what was proposed and of the cards that wait.
    pub(super) script: String,
    /// The page of the conversation, where people decide on its cards.
    page: String,
}

impl ScriptBegunBody {
    pub(super) fn of(conversation: ConversationId) -> Self {
        let AcceptedBody { events, .. } = AcceptedBody::of(conversation);
        Self {
            conversation,
            events,
            script: format!("/api/v1/ai/scripts/{conversation}"),
            page: conversation_path(conversation),
        }
    }
}

/// The state of a script. It has no hidden value, whoever asks: a card shows them to the people who may
/// decide on it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Script")]
pub(in crate::http::api) struct ScriptBody {
    #[schemars(with = "String")]
    conversation: ConversationId,
    /// The analysis that it comes out of.
    #[schemars(with = "String")]
    analysis: ConversationId,
    /// True while its turn runs, also while a card waits.
    running: bool,
    /// The results that have a page, such as a proposal and a run, in their order. Those of the newest
    /// turns.
    results: Vec<ScriptResultBody>,
    /// The cards that wait for a decision, oldest first.
    cards: Vec<ScriptCardBody>,
}

/// The result of a call.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ScriptResult")]
struct ScriptResultBody {
    #[schemars(with = "String")]
    call: CallId,
    tool: String,
    /// One line, with tokens in place of hidden values.
    summary: String,
    /// The page of what the call made.
    page: String,
}

/// A card that waits for a decision.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ScriptCard")]
struct ScriptCardBody {
    #[schemars(with = "String")]
    call: CallId,
    tool: String,
    /// Time at which it expires, in milliseconds since 1970-01-01 UTC.
    #[schemars(with = "i64")]
    expires: Timestamp,
    /// The page that shows it.
    page: String,
}

impl ScriptBody {
    /// None for a conversation that continues no other.
    pub(super) fn of(page: ConversationPage) -> Option<Self> {
        let ConversationPage {
            summary, events, ..
        } = page;
        let tools = tools(&events);
        let tool = |call: &CallId| tools.get(call).cloned().unwrap_or_default();
        let cards = summary.waiting.iter().map(|card| ScriptCardBody {
            call: card.call,
            tool: tool(&card.call),
            expires: card.expires,
            page: conversation_path(summary.id),
        });
        let results = events.iter().filter_map(|event| match &event.body {
            EventBody::ToolFinished {
                call,
                outcome: ToolOutcome::Succeeded { output },
                ..
            } => Some(ScriptResultBody {
                call: *call,
                tool: tool(call),
                summary: output.summary.clone(),
                page: own_page(output.data.get("page")?.as_str()?)?,
            }),
            _ => None,
        });
        Some(Self {
            conversation: summary.id,
            analysis: summary.from?,
            running: summary.running,
            results: results.collect(),
            cards: cards.collect(),
        })
    }
}

/// The path of a page of this server; none for an address elsewhere.
fn own_page(path: &str) -> Option<String> {
    let is_own = path.starts_with('/') && !path.starts_with("//");
    is_own.then(|| path.to_owned())
}

/// The names of the tools of all calls.
fn tools(events: &[Event]) -> HashMap<CallId, String> {
    let blocks = events.iter().filter_map(|event| match &event.body {
        EventBody::AssistantMessage { blocks, .. } => Some(blocks),
        _ => None,
    });
    let calls = blocks.flatten().filter_map(|block| match block {
        ContentBlock::ToolUse { call, name, .. } => Some((*call, name.clone())),
        _ => None,
    });
    calls.collect()
}

/// True if an answer has words.
pub(super) fn has_text(blocks: &[ContentBlock]) -> bool {
    blocks.iter().any(|block| match block {
        ContentBlock::Text { text } => !text.trim().is_empty(),
        _ => false,
    })
}
