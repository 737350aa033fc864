//! The part of a conversation that is frozen at its start.

use std::{collections::BTreeMap, sync::Arc};

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
    /// The digests of those whose definition may change while the server runs, by name.
    pub(crate) digests: BTreeMap<String, String>,
    pub(crate) history_limit: u32,
    pub(crate) history_tokens: Option<u64>,
}

/// The raw part of `ConversationStarted`.
#[derive(Serialize, Deserialize)]
struct StoredTools {
    system: String,
    tools: Option<Box<RawValue>>,
    /// None in the record of a conversation that began before there were digests: it calls whatever has
    /// the name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    digests: BTreeMap<String, String>,
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
            digests: self.digests.clone(),
            history_limit: self.history_limit,
            history_tokens: self.history_tokens,
        })
    }

    /// True if the tool that has this name now is not the one that the conversation began with.
    pub(crate) fn is_redefined(&self, name: &str, digest: Option<&str>) -> bool {
        let began_with = self.digests.get(name);
        began_with.is_some_and(|began_with| digest != Some(began_with.as_str()))
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
            digests: stored.digests,
            history_limit: stored.history_limit,
            history_tokens: stored.history_tokens,
        })
    }
}
