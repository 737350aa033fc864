//! The policy: what admins add to the built-in rules. It can only make them stricter.
//!
//! The gate never sees the policy itself. It is laid over a toolset's assessment of a call
//! ([`Policy::tighten`]), and that may raise a tier and protect, never the opposite. The two-person
//! rule and the bounds of grants apply where people decide.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{Assurance, GrantLimit, Tier};
use serde::{Deserialize, Serialize};

use crate::{
    ports::{Assessment, Recovery, ToolSpec},
    texts,
};

/// The most calls and minutes that a standing grant may ever cover.
pub const MOST_GRANTED: GrantLimit = GrantLimit {
    uses: 100,
    minutes: 24 * 60,
};

/// Rules beside the built-in ones. The default adds nothing. Fields that this build does not know
/// are an error: a rule that is not understood must not be dropped.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// Tools with the tier that they have at least.
    pub tiers: BTreeMap<String, Tier>,
    /// Objects on which nothing above GREEN runs, as [`crate::ports::Tool::objects`] names them.
    pub protected: BTreeSet<String>,
    pub grants: GrantRules,
    pub second: SecondRules,
}

/// The bounds of standing grants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GrantRules {
    /// False allows no new grants and suspends those that were given.
    pub allowed: bool,
    /// The most calls after the one that it was given with.
    pub uses: u32,
    /// The most minutes since it was given.
    pub minutes: u32,
}

impl Default for GrantRules {
    fn default() -> Self {
        Self {
            allowed: true,
            uses: MOST_GRANTED.uses,
            minutes: MOST_GRANTED.minutes,
        }
    }
}

impl GrantRules {
    /// The bounds, never more than the built-in ones.
    pub(crate) fn limit(&self) -> GrantLimit {
        GrantLimit {
            uses: self.uses.min(MOST_GRANTED.uses),
            minutes: self.minutes.min(MOST_GRANTED.minutes),
        }
    }
}

/// The calls that need another person to approve than the one who asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SecondRules {
    pub scope: SecondScope,
    /// Tools whose every call takes two persons; they are RED at least.
    pub tools: BTreeSet<String>,
}

/// The calls among those with a card that take two persons, beside the tools that are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecondScope {
    #[default]
    None,
    /// Those that cannot be undone: the card says so, or wants a word typed, or nobody could find
    /// out after a crash whether they took effect.
    Irreversible,
    All,
}

/// True if a call counts as one that cannot be undone.
pub(crate) fn is_irreversible(
    spec: &ToolSpec,
    irreversible: Option<&str>,
    assurance: &Assurance,
) -> bool {
    spec.recovery == Recovery::Unsafe
        || irreversible.is_some()
        || matches!(assurance, Assurance::Type { .. } | Assurance::Unknown)
}

impl Policy {
    /// The stricter of both, rule by rule: nothing that one of them forbids is allowed.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let mut tiers = self.tiers.clone();
        for (tool, tier) in &other.tiers {
            let known = tiers.entry(tool.clone()).or_insert(*tier);
            *known = (*known).max(*tier);
        }
        Self {
            tiers,
            protected: &self.protected | &other.protected,
            grants: GrantRules {
                allowed: self.grants.allowed && other.grants.allowed,
                uses: self.grants.uses.min(other.grants.uses),
                minutes: self.grants.minutes.min(other.grants.minutes),
            },
            second: SecondRules {
                scope: self.second.scope.max(other.second.scope),
                tools: &self.second.tools | &other.second.tools,
            },
        }
    }

    /// A toolset's assessment of an input, with the policy laid over it. `objects` are the things
    /// that the call touches.
    pub(crate) fn tighten(
        &self,
        tool: &str,
        objects: &[String],
        assessment: Assessment,
    ) -> Assessment {
        let mut tier = assessment.tier;
        if let Some(raised) = self.tiers.get(tool) {
            tier = tier.max(*raised);
        }
        if self.second.tools.contains(tool) {
            tier = tier.max(Tier::Red);
        }
        Assessment {
            tier,
            protected: assessment.protected.or_else(|| self.protects(objects)),
            ..assessment
        }
    }

    /// The reason why these things may not be touched, in one sentence; none if they may.
    pub(crate) fn protects(&self, objects: &[String]) -> Option<String> {
        let object = objects.iter().find(|object| {
            let mut names = self.protected.iter();
            names.any(|name| name.eq_ignore_ascii_case(object))
        })?;
        let named = object.replacen('/', " ", 1);
        Some(texts::gate::policy_protects(&named))
    }

    /// The reason why a call with a card takes two persons, in one sentence; none if it takes one.
    pub(crate) fn second(&self, spec: &ToolSpec, irreversible: bool) -> Option<&'static str> {
        if self.second.tools.contains(&spec.name) {
            return Some(texts::gate::POLICY_NAMES_THIS_TOOL);
        }
        match self.second.scope {
            SecondScope::All => Some(texts::gate::POLICY_REQUIRES_IT),
            SecondScope::Irreversible if irreversible => {
                Some(texts::gate::POLICY_REQUIRES_IT_IF_IRREVERSIBLE)
            }
            SecondScope::Irreversible | SecondScope::None => None,
        }
    }

    /// True if any call may take two persons.
    pub fn wants_second(&self) -> bool {
        self.second.scope != SecondScope::None || !self.second.tools.is_empty()
    }
}
