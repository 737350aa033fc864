//! Rules of the configuration for a server's tools.

use std::{collections::BTreeMap, time::Duration};

use agent::ports::Recovery;
use protocol::Tier;
use serde_json::{Value, json};

/// The rule for one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideToolRule {
    /// RED if the configuration does not say.
    pub tier: Option<Tier>,
    pub recovery: Recovery,
}

impl Default for OutsideToolRule {
    fn default() -> Self {
        Self {
            tier: None,
            recovery: Recovery::Unsafe,
        }
    }
}

/// The reason why a tool has its tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TierSource {
    /// The configuration sets it.
    Configured,
    /// The configuration sets none, so it is RED.
    Unset,
    /// The server's annotations raise it from this one.
    Raised(Tier),
}

/// The rules for a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideRules {
    /// By the server's own name of a tool. What is not here does not exist for Jarvis.
    pub tools: BTreeMap<String, OutsideToolRule>,
    /// True if its resources can be read.
    pub resources: bool,
    /// True if its prompts can be read.
    pub prompts: bool,
    /// Timeout of a call.
    pub timeout: Duration,
    /// The longest result, in bytes of JSON.
    pub result_bytes: usize,
}

impl OutsideToolRule {
    /// The tier of a tool with these annotations. They come from the server: they raise it, and never
    /// lower it. A hint that is not there says nothing.
    pub(crate) fn tier(&self, annotations: &Value) -> Tier {
        let configured = self.tier.unwrap_or(Tier::Red);
        let says = |hint: &str, value: bool| annotations.get(hint) == Some(&json!(value));
        let hinted = if says("destructiveHint", true) {
            Tier::Red
        } else if says("readOnlyHint", false) {
            Tier::Yellow
        } else {
            Tier::Green
        };
        configured.max(hinted)
    }

    /// The reason for that tier.
    pub(crate) fn tier_source(&self, annotations: &Value) -> TierSource {
        match self.tier {
            Some(tier) if self.tier(annotations) > tier => TierSource::Raised(tier),
            Some(_) => TierSource::Configured,
            None => TierSource::Unset,
        }
    }

    /// The recovery class. Nobody can be asked later what happened, so what has to be looked up is
    /// unknown.
    pub(crate) fn recovery(&self) -> Recovery {
        match self.recovery {
            Recovery::Reconcilable => Recovery::Unsafe,
            other => other,
        }
    }
}
