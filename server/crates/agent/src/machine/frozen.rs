//! The part of a conversation that is frozen at its start.

use std::sync::Arc;

use protocol::Mode;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::state::Corrupt;
use crate::raw_json::json;

/// The part of every request that never changes, and how the history is kept. A change of any of
/// it would invalidate the prompt cache and signed thinking.
#[derive(Debug, Clone)]
pub(crate) struct Frozen {
    pub(crate) model: String,
    pub(crate) mode: Mode,
    pub(crate) toolsets: Vec<String>,
    pub(crate) system: Arc<str>,
    /// The array of tool definitions; none for a conversation without tools.
    pub(crate) tools: Option<Arc<RawValue>>,
    /// Names of these tools.
    pub(crate) allowed: Vec<String>,
    pub(crate) history_limit: u32,
    pub(crate) history_tokens: Option<u64>,
}

/// The raw part of `ConversationStarted`.
#[derive(Serialize, Deserialize)]
struct StoredTools {
    system: String,
    tools: Option<Box<RawValue>>,
    history_limit: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    history_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct FrozenName {
    name: String,
}

impl Frozen {
    /// The raw part of the first record.
    pub(crate) fn to_raw(&self) -> Box<RawValue> {
        json(&StoredTools {
            system: self.system.to_string(),
            tools: self.tools.as_deref().map(ToOwned::to_owned),
            history_limit: self.history_limit,
            history_tokens: self.history_tokens,
        })
    }

    /// Shares equal texts with `other`: they are most of the memory of a conversation in use.
    pub(crate) fn share(&mut self, other: &Self) {
        if self.system == other.system {
            self.system = Arc::clone(&other.system);
        }
        if let (Some(mine), Some(others)) = (&mut self.tools, &other.tools)
            && mine.get() == others.get()
        {
            *mine = Arc::clone(others);
        }
    }

    pub(super) fn from_raw(
        model: &str,
        mode: Mode,
        toolsets: &[String],
        raw: Option<&RawValue>,
    ) -> Result<Self, Corrupt> {
        let raw = raw.ok_or(Corrupt::Raw)?;
        let stored: StoredTools = serde_json::from_str(raw.get()).map_err(|_| Corrupt::Raw)?;
        let allowed = match &stored.tools {
            Some(tools) => serde_json::from_str::<Vec<FrozenName>>(tools.get())
                .map_err(|_| Corrupt::Raw)?
                .into_iter()
                .map(|tool| tool.name)
                .collect(),
            None => Vec::new(),
        };
        Ok(Self {
            model: model.to_owned(),
            mode,
            toolsets: toolsets.to_vec(),
            system: stored.system.into(),
            tools: stored.tools.map(Into::into),
            allowed,
            history_limit: stored.history_limit,
            history_tokens: stored.history_tokens,
        })
    }
}
