//! The types of confirmations: what programs send and read.

use std::borrow::Cow;

use protocol::{CallId, Confirmation, ConversationId, Timestamp, Verdict};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::texts;

/// A card that waits for a decision.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "WaitingConfirmation")]
pub(in crate::http::api) struct ConfirmationLine {
    /// The call that waits.
    #[schemars(with = "String")]
    pub(super) id: CallId,
    #[schemars(with = "String")]
    pub(super) conversation: ConversationId,
    /// The effect of the call, in one sentence that code wrote.
    pub(super) sentence: String,
    /// Time at which it expires, in milliseconds since 1970-01-01 UTC.
    #[schemars(with = "i64")]
    pub(super) expires: Timestamp,
    /// The page where people decide.
    pub(super) page: String,
}

/// The cards that wait, the first to expire first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Confirmations")]
pub(in crate::http::api) struct ConfirmationList {
    pub(super) confirmations: Vec<ConfirmationLine>,
}

/// A card, and what has been decided on it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Confirmation")]
pub(in crate::http::api) struct ConfirmationBody {
    /// The call that it is about.
    #[schemars(with = "String")]
    pub(super) id: CallId,
    #[schemars(with = "String")]
    pub(super) conversation: ConversationId,
    pub(super) tool: String,
    pub(super) state: ConfirmationState,
    /// True if this token may decide on it: it waits, takes no more than a press, and is about no
    /// relayed call.
    pub(super) decidable: bool,
    /// The page where people decide.
    pub(super) page: String,
    /// All that people are shown. A token that only reads gets tokens in place of hidden values, and
    /// no digest.
    pub(super) card: ShownCard,
}

/// The state of a card. One that its turn left behind is `withdrawn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ConfirmationState")]
pub(super) enum ConfirmationState {
    Waiting,
    Approved,
    Denied,
    Expired,
    Withdrawn,
}

impl ConfirmationState {
    /// The state after the end of its call or turn.
    pub(super) fn closed(self) -> Self {
        match self {
            Self::Waiting => Self::Withdrawn,
            Self::Approved | Self::Denied | Self::Expired | Self::Withdrawn => self,
        }
    }
}

impl From<&Verdict> for ConfirmationState {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Approved => Self::Approved,
            Verdict::Denied { .. } => Self::Denied,
            Verdict::Expired => Self::Expired,
            Verdict::Withdrawn | Verdict::Unknown => Self::Withdrawn,
        }
    }
}

/// A card as the pages read it.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(super) struct ShownCard(pub(super) Box<Confirmation>);

impl JsonSchema for ShownCard {
    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": texts::api::CARD,
            "required": [
                "revision", "digest", "sentence", "target", "tier", "input", "assurance", "expires"
            ],
            "properties": {
                "revision": { "type": "integer", "minimum": 1 },
                "digest": { "type": "string" },
                "sentence": { "type": "string" },
                "target": { "type": "string" },
                "tier": { "type": "string" },
                "input": { "type": "object", "additionalProperties": true },
                "assurance": {
                    "type": "object",
                    "required": ["type"],
                    "properties": { "type": { "type": "string" } }
                },
                "expires": { "type": "integer" }
            }
        })
    }
}

/// Decides on a card.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewDecision")]
pub(in crate::http::api) struct NewDecision {
    pub(super) decision: DecisionWord,
    /// `digest` of the card that was read: the decision is about nothing else.
    pub(super) digest: String,
    /// A comment for the model, with a denial.
    #[serde(default)]
    pub(super) comment: Option<String>,
}

/// A decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Decision")]
pub(super) enum DecisionWord {
    Approve,
    Deny,
}

/// A decision is in the journal.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DecisionTaken")]
pub(in crate::http::api) struct DecisionTaken {
    #[schemars(with = "String")]
    pub(super) id: CallId,
    #[schemars(with = "String")]
    pub(super) conversation: ConversationId,
    /// The address of the card.
    pub(super) confirmation: String,
}
