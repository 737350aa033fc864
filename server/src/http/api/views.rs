//! The types of the first routes: what programs send and read.

use std::borrow::Cow;

use protocol::{
    ConversationId, ConversationSummary, Effort, Event, MessageId, Mode, ModelChoice, Reference,
    Seq, Shelf, Timestamp, TurnId,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::texts;

/// Starts a conversation with its first message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewConversation")]
pub(super) struct StartBody {
    /// The first message.
    pub(super) message: String,
    /// With `plan` it gets no tools at all.
    #[serde(default)]
    #[schemars(with = "ModeWord")]
    pub(super) mode: Mode,
    /// The toolsets that it may have, within those of the token. None has all of them.
    #[serde(default)]
    pub(super) toolsets: Option<Vec<String>>,
    /// The packs of tools that it begins with, by the names of their toolsets. None has the usual ones.
    #[serde(default)]
    pub(super) packs: Option<Vec<String>>,
    /// The model that answers. None uses the one of new conversations.
    #[serde(default)]
    pub(super) model: Option<ModelBody>,
    /// Things that the message is about.
    #[serde(default)]
    pub(super) references: Vec<ReferenceBody>,
    /// The conversation that this one continues.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) from: Option<ConversationId>,
    /// The answer in `from` that it carries out as a plan.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) plan: Option<MessageId>,
}

/// The mode of a conversation, fixed when it starts.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Mode")]
#[expect(dead_code, reason = "for its schema: requests are read as `Mode`")]
enum ModeWord {
    Default,
    Plan,
}

/// A model and its level of effort.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ModelChoice")]
pub(super) struct ModelBody {
    id: String,
    /// One of `low`, `medium`, `high`, `xhigh` and `max`. None uses the model's own.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    effort: Option<Effort>,
}

impl From<ModelBody> for ModelChoice {
    fn from(body: ModelBody) -> Self {
        Self {
            model: body.id,
            effort: body.effort,
        }
    }
}

/// A thing of a system, such as `{"kind": "node", "id": "pve"}`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Reference")]
pub(super) struct ReferenceBody {
    kind: String,
    id: String,
}

/// The things of a body, as the engine knows them.
pub(super) fn references(bodies: Vec<ReferenceBody>) -> Vec<Reference> {
    let references = bodies.into_iter();
    references
        .map(|body| Reference::new(body.kind, body.id))
        .collect()
}

/// Sends a message. While a turn runs it is queued.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewMessage")]
pub(super) struct MessageBody {
    pub(super) message: String,
    /// While calls wait for a person: withdraw them, end the turn and start this message at once.
    #[serde(default)]
    pub(super) withdraw: bool,
    /// Things that the message is about.
    #[serde(default)]
    pub(super) references: Vec<ReferenceBody>,
}

/// Stops a turn.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Stop")]
pub(super) struct StopBody {
    /// The turn to stop. None stops the one that runs.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) turn: Option<TurnId>,
}

/// A request was carried out and is in the journal.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Accepted")]
pub(super) struct AcceptedBody {
    #[schemars(with = "String")]
    pub(super) conversation: ConversationId,
    /// The address of its events.
    pub(super) events: String,
}

impl AcceptedBody {
    pub(super) fn of(conversation: ConversationId) -> Self {
        Self {
            conversation,
            events: format!("{}/events", address(conversation)),
        }
    }
}

/// The address of a conversation.
pub(super) fn address(conversation: ConversationId) -> String {
    format!("/api/v1/conversations/{conversation}")
}

/// One conversation in a list. Times are in milliseconds since 1970-01-01 UTC.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Conversation")]
pub(super) struct LineBody {
    #[schemars(with = "String")]
    id: ConversationId,
    title: String,
    model: String,
    #[schemars(with = "ModeWord")]
    mode: Mode,
    #[schemars(with = "i64")]
    created: Timestamp,
    /// Time of the newest event.
    #[schemars(with = "i64")]
    updated: Timestamp,
    /// Messages of the person and final answers.
    messages: u64,
    /// True while a turn runs.
    running: bool,
    /// Number of calls that wait for a person.
    waiting: usize,
    /// `listed`, `pinned` or `archived`.
    #[schemars(with = "String")]
    shelf: Shelf,
    /// The conversation that this one continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    from: Option<ConversationId>,
}

impl From<ConversationSummary> for LineBody {
    fn from(line: ConversationSummary) -> Self {
        Self {
            id: line.id,
            title: line.title,
            model: line.model,
            mode: line.mode,
            created: line.created,
            updated: line.updated,
            messages: line.messages,
            running: line.running,
            waiting: line.waiting.len(),
            shelf: line.shelf,
            from: line.from,
        }
    }
}

/// A page of the list of conversations, newest change first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Conversations")]
pub(super) struct ListBody {
    pub(super) conversations: Vec<LineBody>,
    /// The cursor of the next page; none on the last one.
    pub(super) next: Option<String>,
}

/// The end of a conversation: its newest turns, each of them whole.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ConversationEnd")]
pub(super) struct EndBody {
    pub(super) conversation: LineBody,
    pub(super) events: Vec<EventView>,
    /// Number of the newest event: following goes on after it.
    #[schemars(with = "u64")]
    pub(super) head: Seq,
}

/// One event of a journal, as the pages read it.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(super) struct EventView(pub(super) Event);

impl JsonSchema for EventView {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": texts::api::EVENT,
            "required": ["seq", "at", "type"],
            "properties": {
                "seq": { "type": "integer", "minimum": 1 },
                "at": { "type": "integer" },
                "type": { "type": "string" }
            }
        })
    }
}
