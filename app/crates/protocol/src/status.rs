//! Status of the server: shown in the frame of every page.

use serde::{Deserialize, Serialize};

use crate::{FromJson, KillSwitch, NoticeCount, Role};

/// The state of the server as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Status {
    /// Version and build of the server.
    pub version: String,
    /// Name of the person who is signed in.
    pub user: String,
    /// The role of this sign-in.
    pub role: Role,
    pub model: ModelStatus,
    pub systems: Vec<SystemStatus>,
    /// Questions that can be asked, in the order of the toolsets.
    #[serde(default)]
    pub questions: Vec<Questions>,
    /// The packs to choose from when a conversation starts, in the order of the toolsets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packs: Vec<Pack>,
    #[serde(default)]
    pub kill_switch: KillSwitch,
    #[serde(default)]
    pub notices: NoticeCount,
}

/// The model that new conversations use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ModelStatus {
    /// Identifier, as the API knows it.
    pub id: String,
    /// Name for a person.
    pub name: String,
    /// True for the built-in rehearsal model.
    pub rehearsal: bool,
    /// Input tokens that it can read, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
}

/// Example questions of a toolset's tools, one for each tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Questions {
    /// The toolset, such as `homelab`.
    pub toolset: String,
    /// Those that any installation can answer: an empty chat offers them.
    pub suggested: Vec<String>,
    /// The others.
    pub more: Vec<String>,
}

/// An optional toolset: a conversation has it only if it began with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Pack {
    /// The toolset, such as `lamps-attic`.
    pub toolset: String,
    /// Name for a person, such as `Attic`.
    pub label: String,
    /// The questions that it opens, in one sentence; empty if nothing says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// One sentence if its system lacks what it needs, so that its tools are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
    /// True if the user chose it last, or has never chosen and the configuration has it.
    pub usual: bool,
}

/// A system that a toolset talks to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SystemStatus {
    /// The toolset, such as `homelab`.
    pub toolset: String,
    /// Name for a person, such as the name of the cluster.
    pub name: String,
    /// True for the built-in simulation.
    pub simulated: bool,
}
