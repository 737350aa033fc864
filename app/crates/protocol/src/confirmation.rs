//! Confirmations: questions to a person before a RED call runs, and their decisions.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    CallId, CardRisk, CardSection, ConversationId, FromJson, GrantId, Tier, Timestamp, UserId,
};

/// The longest comment on a denial, in bytes of UTF-8.
pub const MAX_COMMENT_BYTES: usize = 2 * 1024;

/// The most text in the sections of a card, in bytes of UTF-8.
pub const MAX_SECTIONS_BYTES: usize = 64 * 1024;

/// A card: what it shows is exactly what runs, because [`Self::digest`] binds the decision to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Confirmation {
    /// From 1; increases whenever the card is shown again with different content.
    pub revision: u32,
    /// SHA-256 in hexadecimal over tool, canonical input, target, previewed state and version of
    /// the policy.
    pub digest: String,
    /// The effect of the call, in one sentence that code wrote.
    pub sentence: String,
    /// Target of the call, such as `VM 101 (nextcloud) on node pve`.
    pub target: String,
    pub tier: Tier,
    /// The complete input with which the call runs.
    pub input: Value,
    /// The same input with the values that the model has tokens for: the card shows it in place of
    /// [`Self::input`]. Part of the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Value>,
    /// The input as the model wrote it, if a person has changed it since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<Value>,
    /// The present state of the target and of everything that depends on it.
    #[serde(default)]
    pub facts: Vec<Fact>,
    /// The source of each value of the input.
    #[serde(default)]
    pub origins: Vec<Origin>,
    /// The reasons why it needs a person, one sentence each.
    #[serde(default)]
    pub risks: Vec<String>,
    /// The risks that the tool read from the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<CardRisk>,
    /// Parts of the effect that have a form, such as a script or a table. At most
    /// [`MAX_SECTIONS_BYTES`] in all; part of the digest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<CardSection>,
    /// Fields of the input that the sentence, the target or a section already says. Only if these
    /// are all fields, the card may fold the input away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// The model's words just before the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The part of the effect that cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub irreversible: Option<String>,
    /// Options that only a person may switch on. Part of the input once they are on.
    #[serde(default)]
    pub choices: Vec<Choice>,
    /// Fields of the input that a person may change.
    #[serde(default)]
    pub editable: Vec<String>,
    pub assurance: Assurance,
    /// True if a standing grant may be given with the decision.
    #[serde(default)]
    pub grantable: bool,
    /// The policy's bounds on a grant; none for the server's own bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_limit: Option<GrantLimit>,
    /// Time at which the request expires.
    pub expires: Timestamp,
    /// The reason why it is asked again, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<String>,
    /// Set if the requester may not approve it: another operator or admin has to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<SecondPerson>,
}

/// The two-person rule on one card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SecondPerson {
    /// The name of the requester.
    pub asker: String,
    /// The reason for the rule, in one sentence.
    pub why: String,
}

/// A card that waits for a second person, as those who may approve it see it. The rest of the
/// conversation is visible to its user only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct SecondCall {
    pub conversation: ConversationId,
    pub call: CallId,
    pub tool: String,
    pub confirmation: Confirmation,
}

/// A line of a card, such as `Running since: 12 days`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Fact {
    pub label: String,
    pub value: String,
}

/// The source of a value in an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Origin {
    /// JSON pointer of the value in the input, such as `/vmid`.
    pub path: String,
    /// The value, as text.
    pub value: String,
    pub source: OriginSource,
}

/// The kinds of source that a value may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OriginSource {
    /// The user's own words in this conversation.
    User,
    /// The server's configuration.
    Configuration,
    /// The result of a tool: data, not to be trusted.
    Tool { name: String },
    /// The summary of the systems that goes with every message: data, not to be trusted.
    Context,
    /// A file that came with a message, or text quoted in one: data, not to be trusted.
    File,
    /// A plan of another conversation: a model's words, not to be trusted.
    Plan,
    /// A call that was refused or denied, with its list of valid values or its comment.
    Refusal { name: String },
    /// The system's own mapping of something that the user named, such as the id of a named guest.
    Mapped { from: String },
    /// The user's words, but only where they say not to act on it.
    Excluded,
    /// A person's edit of the input.
    Person,
    /// The model alone, without a source.
    Model,
    #[serde(other)]
    Unknown,
}

/// A switch that only a person may set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Choice {
    /// The field of the input that it adds, with the value `true`.
    pub name: String,
    /// Its effect, in a few words.
    pub label: String,
    /// Its possible cost, in one sentence.
    pub detail: String,
    pub chosen: bool,
}

/// The gesture that approves a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Assurance {
    /// One press.
    Press,
    /// A press held for a second.
    Hold,
    /// Typing the word, then a press. The server compares the word.
    Type { word: String },
    /// A gesture that this build does not know: it cannot approve.
    #[serde(other)]
    Unknown,
}

/// A person's decision on a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Decision {
    Approve {
        /// Also run the same call without asking from now on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grant: Option<GrantTerms>,
        /// The typed word, if the card asks for one; see [`Assurance::Type`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        word: Option<String>,
    },
    Deny {
        /// Comment for the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    #[serde(other)]
    Unknown,
}

/// The final state of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Verdict {
    Approved,
    Denied {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    /// The request expired without a decision.
    Expired,
    /// The turn was stopped, or a new message replaced it.
    Withdrawn,
    #[serde(other)]
    Unknown,
}

/// The sign-in under which somebody decided: part of the record, beside the name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DecidedVia {
    /// A session of a person.
    Session {
        /// Its name in its user's list; not a credential.
        id: String,
        /// The method that began it: `link`, `password`, `passkey`, `both`, `proxy`.
        began: String,
        /// The user who created the link that began it; none if no user did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        link_by: Option<UserId>,
    },
    /// A program's token.
    Token { id: String },
    #[serde(other)]
    Unknown,
}

/// The bounds of a standing grant: it ends at whichever is reached first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct GrantTerms {
    /// Calls after the one with which it was given.
    pub uses: u32,
    pub until: Timestamp,
}

/// The most that a standing grant may cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct GrantLimit {
    pub uses: u32,
    pub minutes: u32,
}

/// A person's permission for one exact call to run without asking, in one conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Grant {
    pub id: GrantId,
    pub tool: String,
    pub target: String,
    /// The sentence of the card with which it was given.
    pub sentence: String,
    /// SHA-256 in hexadecimal over tool and canonical input: only an identical call is covered.
    pub key: String,
    pub terms: GrantTerms,
}

/// A person's statement about a call whose outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// It took effect.
    Done,
    /// It did not take effect.
    NotDone,
    #[serde(other)]
    Unknown,
}

/// The kill switch: an emergency stop for everything but reading.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJson)]
pub struct KillSwitch {
    /// True if only GREEN calls run.
    pub on: bool,
    /// Name of the person who set it last; none if nobody ever has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// A call that waits for a person, as the tray shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct WaitingCall {
    pub call: CallId,
    pub sentence: String,
    pub expires: Timestamp,
}
