//! What a person is asked before a RED call runs, and what a person may decide.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CallId, ConversationId, GrantId, Tier, Timestamp, UserId};

/// The longest comment on a denial, in bytes of UTF-8.
pub const MAX_COMMENT_BYTES: usize = 2 * 1024;

/// What a card asks a person to decide. What it shows is what runs: [`Self::digest`] binds the
/// decision to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// From 1; rises whenever the card is shown again with other content.
    pub revision: u32,
    /// SHA-256 in hexadecimal over tool, canonical input, target, previewed state and version of
    /// the policy.
    pub digest: String,
    /// What will happen, in one sentence that code wrote.
    pub sentence: String,
    /// What the call acts on, such as `VM 101 (nextcloud) on node pve`.
    pub target: String,
    pub tier: Tier,
    /// All of the input with which the call runs.
    pub input: Value,
    /// The input as the model wrote it, if a person has changed it since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<Value>,
    /// The target now, and what hangs on it.
    #[serde(default)]
    pub facts: Vec<Fact>,
    /// Where each value of the input came from.
    #[serde(default)]
    pub origins: Vec<Origin>,
    /// Why it needs a person, one sentence each.
    #[serde(default)]
    pub risks: Vec<String>,
    /// What the model said just before the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub irreversible: Option<String>,
    /// What only a person may switch on. Part of the input once it is.
    #[serde(default)]
    pub choices: Vec<Choice>,
    /// Fields of the input that a person may change.
    #[serde(default)]
    pub editable: Vec<String>,
    pub assurance: Assurance,
    /// Whether a standing grant may be given with the decision.
    #[serde(default)]
    pub grantable: bool,
    /// What the policy allows a grant; none for the server's own bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_limit: Option<GrantLimit>,
    /// When the question lapses.
    pub expires: Timestamp,
    /// Why it is asked again, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<String>,
    /// Set if who asked may not approve it: another operator or admin has to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<SecondPerson>,
}

/// The rule of two persons on one card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondPerson {
    /// The name of who asked.
    pub asker: String,
    /// Why it takes two, in one sentence.
    pub why: String,
}

/// A card that waits for another person than the one who asked, as those who may approve it see it.
/// The rest of the conversation stays with its user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SecondCall {
    pub conversation: ConversationId,
    pub call: CallId,
    pub tool: String,
    pub confirmation: Confirmation,
}

/// A line of a card, such as `Running since: 12 days`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    pub label: String,
    pub value: String,
}

/// Where a value of an input came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// JSON pointer of the value in the input, such as `/vmid`.
    pub path: String,
    /// The value, as text.
    pub value: String,
    pub source: OriginSource,
}

/// Who brought a value up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OriginSource {
    /// The user's own words in this conversation.
    User,
    /// It is in the server's configuration.
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
    /// A person changed the input.
    Person,
    /// The model alone.
    Model,
    #[serde(other)]
    Unknown,
}

/// A switch that only a person may set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The field of the input that it adds, as `true`.
    pub name: String,
    /// What it does, in a few words.
    pub label: String,
    /// What it may cost, in one sentence.
    pub detail: String,
    pub chosen: bool,
}

/// How a person approves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Assurance {
    /// One press.
    Press,
    /// A press held for a second.
    Hold,
    /// The word typed, then a press. The server compares the word.
    Type { word: String },
    /// A way that this build does not know: it cannot approve.
    #[serde(other)]
    Unknown,
}

/// What a person decides on a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Decision {
    Approve {
        /// Also run the same call without asking from now on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grant: Option<GrantTerms>,
        /// What was typed, where the card asks for a word; see [`Assurance::Type`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        word: Option<String>,
    },
    Deny {
        /// Goes to the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    #[serde(other)]
    Unknown,
}

/// What has become of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Verdict {
    Approved,
    Denied {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    /// Nobody decided in time.
    Expired,
    /// The turn was stopped, or a new message took its place.
    Withdrawn,
    #[serde(other)]
    Unknown,
}

/// The sign-in with which somebody decided: part of the record, beside the name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DecidedVia {
    /// A session of a person.
    Session {
        /// Its name in the list of its user; it opens nothing.
        id: String,
        /// The way in which it began: `link`, `password`, `passkey`, `both`, `proxy`.
        began: String,
        /// The user who made the link with which it began; none if that was no user.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        link_by: Option<UserId>,
    },
    /// A program's token.
    Token { id: String },
    #[serde(other)]
    Unknown,
}

/// For how long a standing grant holds: until the first of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantTerms {
    /// Calls after the one that it was given with.
    pub uses: u32,
    pub until: Timestamp,
}

/// The most that a standing grant may cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantLimit {
    pub uses: u32,
    pub minutes: u32,
}

/// A person's word that a certain call may run without being asked for, in one conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    pub id: GrantId,
    pub tool: String,
    pub target: String,
    /// The sentence of the card with which it was given.
    pub sentence: String,
    /// SHA-256 in hexadecimal over tool and canonical input: only the very same call is covered.
    pub key: String,
    pub terms: GrantTerms,
}

/// What a person says about a call whose outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// It took effect.
    Done,
    /// It did not take effect.
    NotDone,
    #[serde(other)]
    Unknown,
}

/// The control that stops everything but reading.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KillSwitch {
    /// Whether only GREEN calls run.
    pub on: bool,
    /// Who set it last; none if nobody ever has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// A call that waits for a person, as the tray shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingCall {
    pub call: CallId,
    pub sentence: String,
    pub expires: Timestamp,
}
