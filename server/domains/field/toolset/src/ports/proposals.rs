//! Proposals: scripts in versions, and the policy's word on each.
//!
//! A stored script has tokens in place of values, as its author's model or the redaction wrote it. What a
//! token stands for never changes, so a version is always the same script.

use async_trait::async_trait;
use field_package::{policy::RiskLevel, steps::ProbeStep};
use protocol::{ConversationId, Timestamp, UserId};

use super::FieldFault;

/// Store of proposals.
#[async_trait]
pub trait FieldProposals: Send + Sync + 'static {
    /// A proposal.
    async fn proposal(&self, id: &str) -> Result<Option<ProposalHead>, FieldFault>;

    /// The newest proposals for a device, newest first.
    async fn proposals(&self, device: &str, limit: u32) -> Result<Vec<ProposalHead>, FieldFault>;

    /// A version of a proposal, with its newest check.
    async fn version(&self, id: &str, version: u64) -> Result<Option<ScriptVersion>, FieldFault>;

    /// Keeps a draft as a new proposal or version, once for each cause: the same cause again is the
    /// version that it made.
    ///
    /// # Errors
    /// [`super::FieldFaultCode::NewerVersion`] if the proposal has newer versions than the one that it
    /// was made from.
    async fn propose(&self, draft: &ProposalDraft) -> Result<ProposalKept, FieldFault>;

    /// Keeps another check of a version; the newest one counts.
    async fn keep_check(
        &self,
        id: &str,
        version: u64,
        check: &ScriptCheck,
    ) -> Result<(), FieldFault>;

    /// The newest version that the server let start on its device. None if there is none.
    async fn last_version_that_ran(&self, id: &str) -> Result<Option<u64>, FieldFault>;
}

/// A proposal without its versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalHead {
    /// `pro_` and 26 characters.
    pub id: String,
    pub site: String,
    pub device: String,
    pub title: String,
    /// The newest version; they count from 1.
    pub head: u64,
    pub changed: Timestamp,
}

/// A version of a proposal. It never changes; its check may be newer than it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptVersion {
    pub proposal: String,
    pub version: u64,
    pub script: StoredScript,
    pub why: String,
    pub expect: Option<String>,
    pub made_by: ScriptAuthor,
    pub made: Timestamp,
    pub check: ScriptCheck,
}

/// A script with tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredScript {
    Steps {
        steps: Vec<ProbeStep>,
        stop_on_failure: bool,
    },
    /// Free sh of a person.
    Sh { text: String },
}

/// Author of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptAuthor {
    Model,
    /// With the name as it was then.
    Person(String),
    Program,
}

impl ScriptAuthor {
    /// The name of the person, if one wrote it.
    pub fn person(&self) -> Option<&str> {
        match self {
            Self::Person(name) => Some(name),
            Self::Model | Self::Program => None,
        }
    }
}

/// The policy's word on a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptCheck {
    pub at: Timestamp,
    pub policy_version: u32,
    pub policy_hash: String,
    pub level: RiskLevel,
    pub score: u32,
    /// Ids of the rules that apply.
    pub reasons: Vec<String>,
    /// Ids of the rules that refuse it.
    pub refusals: Vec<String>,
}

/// A version to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalDraft {
    /// The call or request that makes it.
    pub cause: String,
    /// The proposal and version that it was made from; none for a new proposal.
    pub of: Option<(String, u64)>,
    pub device: String,
    pub title: String,
    pub why: String,
    pub expect: Option<String>,
    pub script: StoredScript,
    /// As sh, with tokens.
    pub rendering: String,
    pub check: ScriptCheck,
    pub made_by: ScriptAuthor,
    /// For whom, and in which conversation.
    pub person: UserId,
    pub conversation: Option<ConversationId>,
}

/// A version that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalKept {
    pub proposal: ProposalHead,
    pub version: u64,
    /// True if the same cause made it before.
    pub is_repeated: bool,
}
