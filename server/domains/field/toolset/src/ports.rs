//! Everything outside of the toolset, behind traits.
//!
//! All texts that a port gives are covered: tokens stand for values, and text from a device that looks
//! like a token is escaped. So nothing here can tell a model a value. Real values are behind
//! [`FieldMemory::restore`] and [`FieldMemory::surroundings`], for the policy and the device, and behind
//! [`FieldValues::reveal`], for a person who may see them. Titles and names were written by others: they
//! may hold any character.

mod administration;
mod bundles;
mod devices;
mod fault;
mod programs;
mod proposals;
mod runs;
mod values;

use std::sync::Arc;

/// Words of the engine in the ports, for those who implement them.
pub use agent::ports::{Approval, Env, LeakedValue, TokenRule};
pub use protocol::{CallId, ConversationId, Timestamp, UserId};

pub use self::{
    administration::{
        DeviceAdministration, DeviceWish, EnrolmentNote, EnrolmentWish, IssuedToken, KeyFacts,
        ResolutionNote, ResolveOrder, RetiredDevice, SigningKeyFacts, StandingChange, WishedSite,
    },
    bundles::{
        BundleSummary, CollectOrder, Collection, CollectionState, FieldBundles, SectionSummary,
    },
    devices::{
        AttentionKind, CRITICAL, DeviceAttention, DeviceStanding, FieldMemory, FieldSnapshot,
        KnownDevice, KnownSite, METERED,
    },
    fault::{FieldFault, FieldFaultCode, RestoreRefusal},
    programs::{KnownProgram, RunnerUpdateFailure, UpdateFailureReason},
    proposals::{
        FieldProposals, ProposalDraft, ProposalHead, ProposalKept, ScriptAuthor, ScriptCheck,
        ScriptVersion, StoredScript,
    },
    runs::{
        CancelOrder, CancelResult, FieldRuns, LogText, OutputTail, PackageFacts, RunFilter,
        RunOfCall, RunOrder, RunPhase, RunRecord, RunResolution, StepResult,
    },
    values::{FieldValues, LookNote, LookOrder, RevealedValue},
};

/// All ports of the toolset. Cheap to clone.
#[derive(Clone)]
pub struct FieldPorts {
    pub memory: Arc<dyn FieldMemory>,
    pub values: Arc<dyn FieldValues>,
    pub bundles: Arc<dyn FieldBundles>,
    pub proposals: Arc<dyn FieldProposals>,
    pub runs: Arc<dyn FieldRuns>,
    pub administration: Arc<dyn DeviceAdministration>,
    pub env: Arc<dyn Env>,
}
