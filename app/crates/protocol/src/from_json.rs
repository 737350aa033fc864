//! JSON reading without `serde`'s generated code, for the browser, where every byte of code is
//! loaded.
//!
//! `Deserialize` is generated anew for every format and every type; here one parser makes a
//! [`Value`], and small functions take it apart. Both ways read the same, as every golden test
//! checks.

mod boards;
mod branch;
mod choice;
mod command;
mod conversations;
mod feed;
mod scalars;

use serde::{Deserialize, de::IntoDeserializer};
use serde_json::{Map, Value};

use crate::{
    Assurance, BlockKind, BlockedReason, BudgetScope, CallId, CardLink, CardRisk, CardSection,
    Choice, ClientFrame, CodeKind, CommandId, Confirmation, ContentBlock, ConversationId, Cost,
    DecidedVia, Decision, DiffLine, EffectOutcome, Effort, ErrorBody, ErrorCode, Event, EventBody,
    Fact, FileNote, Grant, GrantId, GrantLimit, GrantTerms, KillSwitch, LineChange, LiveBlockId,
    MessageId, Mode, ModelClass, ModelStatus, Name, NoticeId, Origin, OriginSource, Performed,
    Questions, Reference, Resolution, RiskReason, RiskSpan, RiskWeight, SecondCall, SecondPerson,
    Seq, ServerFrame, Status, StopReason, SystemStatus, TabId, TableColumn, Tier, Timestamp,
    ToolOutcome, ToolOutput, Topic, TurnId, TurnOutcome, Usage, UserId, Verdict,
};

/// A type that can be read from a JSON value.
pub trait FromJson: Sized {
    /// Returns none if the value has another shape.
    fn from_json(json: Value) -> Option<Self>;
}

/// Reads a type from JSON text. None if it is not JSON or has another shape.
pub fn from_json_text<T: FromJson>(text: &str) -> Option<T> {
    T::from_json(serde_json::from_str(text).ok()?)
}

/// Takes the value of a field; null if it is missing.
pub fn take_field(map: &mut Map<String, Value>, name: &str) -> Value {
    map.get_mut(name).map(Value::take).unwrap_or_default()
}

/// Implements [`FromJson`] for a struct, field by field.
#[macro_export]
macro_rules! struct_from_json {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::FromJson for $name {
            fn from_json(json: ::serde_json::Value) -> Option<Self> {
                let ::serde_json::Value::Object(mut map) = json else {
                    return None;
                };
                Some(Self {
                    $($field: $crate::FromJson::from_json($crate::take_field(
                        &mut map,
                        stringify!($field),
                    ))?,)*
                })
            }
        }
    };
}

/// Implements [`FromJson`] for an enum tagged by a field `type`, with its variant for unknown tags.
macro_rules! tagged_from_json {
    ($name:ident else $unknown:ident {
        $($tag:literal => $variant:ident $({ $($field:ident),* $(,)? })?,)*
    }) => {
        impl FromJson for $name {
            fn from_json(json: Value) -> Option<Self> {
                let Value::Object(mut map) = json else {
                    return None;
                };
                let Value::String(tag) = take_field(&mut map, "type") else {
                    return None;
                };
                Some(match tag.as_str() {
                    $($tag => Self::$variant $({
                        $($field: FromJson::from_json(take_field(&mut map, stringify!($field)))?,)*
                    })?,)*
                    _ => Self::$unknown,
                })
            }
        }
    };
}

/// Implements [`FromJson`] for an enum that is a single word.
macro_rules! word_from_json {
    ($($name:ident),*) => {$(
        impl FromJson for $name {
            fn from_json(json: Value) -> Option<Self> {
                let word: serde::de::value::StrDeserializer<'_, serde::de::value::Error> =
                    json.as_str()?.into_deserializer();
                Self::deserialize(word).ok()
            }
        }
    )*};
}

macro_rules! id_from_json {
    ($($name:ident),*) => {$(
        impl FromJson for $name {
            fn from_json(json: Value) -> Option<Self> {
                json.as_str()?.parse().ok()
            }
        }
    )*};
}

macro_rules! number_from_json {
    ($($name:ident: $read:ident),*) => {$(
        impl FromJson for $name {
            fn from_json(json: Value) -> Option<Self> {
                json.$read().map($name)
            }
        }
    )*};
}

word_from_json!(
    BlockedReason,
    BudgetScope,
    CodeKind,
    EffectOutcome,
    Effort,
    ErrorCode,
    LineChange,
    Mode,
    ModelClass,
    Resolution,
    RiskWeight,
    StopReason,
    Tier
);
id_from_json!(
    CallId,
    CommandId,
    ConversationId,
    GrantId,
    MessageId,
    NoticeId,
    TabId,
    TurnId,
    UserId
);
number_from_json!(Cost: as_u64, LiveBlockId: as_u64, Seq: as_u64, Timestamp: as_i64);

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(json: Value) -> Option<Self> {
        match json {
            Value::Null => Some(None),
            json => T::from_json(json).map(Some),
        }
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn from_json(json: Value) -> Option<Self> {
        T::from_json(json).map(Box::new)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(json: Value) -> Option<Self> {
        match json {
            Value::Array(list) => list.into_iter().map(T::from_json).collect(),
            // An omitted list is empty.
            Value::Null => Some(Vec::new()),
            _ => None,
        }
    }
}

/// Written as `serde` does: an object with one field, `Ok` or `Err`.
impl<T: FromJson, E: FromJson> FromJson for Result<T, E> {
    fn from_json(json: Value) -> Option<Self> {
        let Value::Object(mut map) = json else {
            return None;
        };
        if map.contains_key("Ok") {
            T::from_json(take_field(&mut map, "Ok")).map(Ok)
        } else {
            E::from_json(take_field(&mut map, "Err")).map(Err)
        }
    }
}

struct_from_json!(ErrorBody {
    code,
    message,
    help
});
struct_from_json!(ModelStatus {
    id,
    name,
    rehearsal,
    context_window
});
struct_from_json!(Status {
    version,
    user,
    role,
    model,
    systems,
    questions,
    kill_switch,
    notices
});
struct_from_json!(Questions {
    toolset,
    suggested,
    more
});
struct_from_json!(SystemStatus {
    toolset,
    name,
    simulated
});
struct_from_json!(ToolOutput {
    summary,
    data,
    images
});
struct_from_json!(Reference { kind, id, file });
struct_from_json!(FileNote { name, bytes });
struct_from_json!(Name { name, of });
struct_from_json!(Fact { label, value });
struct_from_json!(Origin {
    path,
    value,
    source
});
struct_from_json!(Choice {
    name,
    label,
    detail,
    chosen
});
struct_from_json!(GrantTerms { uses, until });
struct_from_json!(GrantLimit { uses, minutes });
struct_from_json!(Grant {
    id,
    tool,
    target,
    sentence,
    key,
    terms
});
struct_from_json!(KillSwitch { on, by, at });
struct_from_json!(Confirmation {
    revision,
    digest,
    sentence,
    target,
    tier,
    input,
    original,
    facts,
    origins,
    risks,
    risk,
    sections,
    said,
    reason,
    irreversible,
    choices,
    editable,
    assurance,
    grantable,
    grant_limit,
    expires,
    changed,
    second
});
struct_from_json!(CardRisk { level, reasons });
struct_from_json!(RiskReason {
    rule,
    weight,
    sentence,
    detail,
    span
});
struct_from_json!(RiskSpan { section, line });
struct_from_json!(TableColumn { name, numeric });
struct_from_json!(DiffLine { change, text });
struct_from_json!(CardLink { text, href });
tagged_from_json!(CardSection else Unknown {
    "fields" => Fields { title, fields },
    "diff" => Diff { title, lines },
    "table" => Table { title, columns, rows, sums },
    "text" => Text { title, language, lines },
    "links" => Links { title, links },
});
struct_from_json!(SecondPerson { asker, why });
struct_from_json!(SecondCall {
    conversation,
    call,
    tool,
    confirmation
});

impl FromJson for Usage {
    fn from_json(json: Value) -> Option<Self> {
        let count = |name| json.get(name)?.as_u64();
        Some(Self {
            input: count("input")?,
            output: count("output")?,
            cache_read: count("cache_read").unwrap_or_default(),
            cache_write: count("cache_write").unwrap_or_default(),
        })
    }
}

impl FromJson for Event {
    fn from_json(json: Value) -> Option<Self> {
        Some(Self {
            seq: Seq(json.get("seq")?.as_u64()?),
            at: Timestamp(json.get("at")?.as_i64()?),
            body: EventBody::from_json(json)?,
        })
    }
}

tagged_from_json!(EventBody else Unknown {
    "conversation_started" => ConversationStarted { title, model, mode, toolsets, from },
    "title_changed" => TitleChanged { title },
    "title_written" => TitleWritten { title, model, usage, cost },
    "model_chosen" => ModelChosen { model, effort, window },
    "message_queued" => MessageQueued { message, text, references },
    "message_steered" => MessageSteered { message, text, references },
    "message_read" => MessageRead { turn, message, text, references },
    "branched" => Branched { parent, message, title, by, effects, more },
    "message_withdrawn" => MessageWithdrawn { message },
    "turn_started" => TurnStarted { turn, message, text, references },
    "action_started" => ActionStarted { turn, message, call, tool, input, by },
    "asked_by_link" => AskedByLink { by },
    "turn_resumed" => TurnResumed { turn },
    "step_started" => StepStarted { turn, step, message },
    "step_interrupted" => StepInterrupted { turn, message },
    "assistant_message" => AssistantMessage { turn, message, blocks, stop, usage, cost },
    "tool_queued" => ToolQueued { turn, call, tier, target },
    "confirmation_requested" => ConfirmationRequested { turn, call, confirmation },
    "confirmation_decided" => ConfirmationDecided { turn, call, digest, verdict, by, via },
    "grant_given" => GrantGiven { grant, by, via },
    "grant_revoked" => GrantRevoked { grant, by, via },
    "tool_started" => ToolStarted { turn, call, tier, target, grant, input },
    "tool_blocked" => ToolBlocked { turn, call, tier, reason, message },
    "tool_finished" => ToolFinished { turn, call, outcome, elapsed_ms },
    "outcome_resolved" => OutcomeResolved { call, resolution, by, via, message },
    "stop_requested" => StopRequested { turn },
    "budget_near" => BudgetNear { turn, scope, message },
    "turn_finished" => TurnFinished { turn, outcome, usage, cost },
});

tagged_from_json!(ContentBlock else Other {
    "text" => Text { text },
    "thinking" => Thinking { text },
    "tool_use" => ToolUse { call, name, input },
});

tagged_from_json!(ToolOutcome else Unknown {
    "succeeded" => Succeeded { output },
    "failed" => Failed { error },
    "cancelled" => Cancelled,
    "outcome_unknown" => OutcomeUnknown { known },
});

tagged_from_json!(TurnOutcome else Unknown {
    "answered" => Answered,
    "done" => Done,
    "truncated" => Truncated,
    "refused" => Refused,
    "stopped" => Stopped,
    "limited" => Limited { error },
    "failed" => Failed { error },
});

tagged_from_json!(BlockKind else Other {
    "text" => Text,
    "thinking" => Thinking,
    "tool_use" => ToolUse { name },
});

tagged_from_json!(ServerFrame else Unknown {
    "hello" => Hello { protocol, build, now },
    "subscribed" => Subscribed { conversation, head },
    "unsubscribed" => Unsubscribed { conversation, error },
    "events" => Events { conversation, events },
    "block" => Block { conversation, block, message, index, kind, text },
    "delta" => Delta { block, offset, text },
    "progress" => Progress { conversation, call, message },
    "waiting" => Waiting { conversation, turn, error, until },
    "accepted" => Accepted { id },
    "rejected" => Rejected { id, error },
    "conversation" => Conversation { summary },
    "kill_switch" => KillSwitch { state },
    "notices" => Notices { count, raised },
    "storage" => Storage { error },
    "names" => Names { names },
    "seconds" => Seconds { calls },
    "conversation_removed" => ConversationRemoved { conversation },
    "board" => Board { board, whole, put, gone },
    "board_refused" => BoardRefused { board, error },
    "feed" => Feed { rev, entries, gap },
    "perform" => Perform { conversation, call, tab, tool, data, until },
    "staged" => Staged { conversation, call, tab },
    "error" => Error { error },
    "pong" => Pong { n },
});

tagged_from_json!(Performed else Unknown {
    "done" => Done { note },
    "failed" => Failed { message },
});

tagged_from_json!(OriginSource else Unknown {
    "user" => User,
    "configuration" => Configuration,
    "tool" => Tool { name },
    "context" => Context,
    "file" => File,
    "plan" => Plan,
    "refusal" => Refusal { name },
    "mapped" => Mapped { from },
    "excluded" => Excluded,
    "person" => Person,
    "model" => Model,
});

tagged_from_json!(Assurance else Unknown {
    "press" => Press,
    "hold" => Hold,
    "type" => Type { word },
});

tagged_from_json!(Verdict else Unknown {
    "approved" => Approved,
    "denied" => Denied { comment },
    "expired" => Expired,
    "withdrawn" => Withdrawn,
});

tagged_from_json!(DecidedVia else Unknown {
    "session" => Session { id, began, link_by },
    "token" => Token { id },
});

tagged_from_json!(Decision else Unknown {
    "approve" => Approve { grant, word },
    "deny" => Deny { comment },
});

tagged_from_json!(Topic else Unknown {
    "conversation" => Conversation { conversation, after },
    "conversations" => Conversations { since },
    "board" => Board { board },
    "feed" => Feed { after },
    "stage" => Stage { toolset, tab, conversation, visible },
});

tagged_from_json!(ClientFrame else Unknown {
    "subscribe" => Subscribe { topic },
    "unsubscribe" => Unsubscribe { topic },
    "command" => Command { id, command },
    "ping" => Ping { n },
});
