//! The policy with its settings: stricter than the built-in one or the same, never weaker.

use std::collections::BTreeMap;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::rules::{RiskRule, RuleWeight};
use crate::{hex, strict, texts};

/// Version of the rules in this crate. A change of any rule is another version.
pub const POLICY_VERSION: u32 = 1;
/// Points from which risk is medium, and from which it is high.
const MEDIUM: u8 = 3;
const HIGH: u8 = 6;

/// Settings of an installation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicySettings {
    /// Weights by the id of a rule, each at least the built-in one.
    pub weights: BTreeMap<String, RuleWeight>,
    /// Points from which risk is medium, 3 at most.
    pub medium: Option<u8>,
    /// Points from which risk is high, 6 at most.
    pub high: Option<u8>,
    /// Networks that nothing may reach.
    pub forbidden: Vec<IpNet>,
}

/// Reason that settings are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    #[error("{}", texts::policy::unknown_rule(id))]
    Rule { id: String },
    #[error("{}", texts::policy::weaker_weight(id))]
    Weight { id: String },
    #[error("{}", texts::policy::weaker_threshold(name, *most))]
    Threshold { name: &'static str, most: u8 },
}

/// The rules as they count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPolicy {
    weights: BTreeMap<&'static str, RuleWeight>,
    medium: u8,
    high: u8,
    forbidden: Vec<IpNet>,
}

impl FieldPolicy {
    /// The built-in policy, made stricter by settings.
    ///
    /// # Errors
    /// If a setting names no rule, or would make the policy weaker.
    pub fn new(settings: &PolicySettings) -> Result<Self, SettingsError> {
        let mut weights: BTreeMap<_, _> = RiskRule::ALL
            .into_iter()
            .map(|rule| (rule.id(), rule.weight()))
            .collect();
        for (id, weight) in &settings.weights {
            let rule =
                RiskRule::from_id(id).ok_or_else(|| SettingsError::Rule { id: id.clone() })?;
            if *weight < rule.weight() {
                return Err(SettingsError::Weight { id: id.clone() });
            }
            weights.insert(rule.id(), *weight);
        }
        let medium = threshold("medium", settings.medium, MEDIUM)?;
        let high = threshold("high", settings.high, HIGH)?;
        let mut forbidden = settings.forbidden.clone();
        forbidden.sort();
        forbidden.dedup();
        Ok(Self {
            weights,
            // What is high at two points is not medium at three.
            medium: medium.min(high),
            high,
            forbidden,
        })
    }

    pub fn weight(&self, rule: RiskRule) -> RuleWeight {
        self.weights
            .get(rule.id())
            .copied()
            .unwrap_or(RuleWeight::High)
    }

    pub(super) fn medium(&self) -> u8 {
        self.medium
    }

    pub(super) fn high(&self) -> u8 {
        self.high
    }

    pub(super) fn forbidden(&self) -> &[IpNet] {
        &self.forbidden
    }

    /// Version of the rules.
    pub fn version(&self) -> u32 {
        POLICY_VERSION
    }

    /// SHA-256 of rules and settings, in hex.
    pub fn hash(&self) -> String {
        #[derive(Serialize)]
        struct HashedPolicy<'a> {
            version: u32,
            weights: &'a BTreeMap<&'static str, RuleWeight>,
            medium: u8,
            high: u8,
            forbidden: &'a [IpNet],
        }
        let whole = strict::write(&HashedPolicy {
            version: POLICY_VERSION,
            weights: &self.weights,
            medium: self.medium,
            high: self.high,
            forbidden: &self.forbidden,
        });
        hex::write(&Sha256::digest(whole))
    }
}

fn threshold(name: &'static str, set: Option<u8>, most: u8) -> Result<u8, SettingsError> {
    match set {
        None => Ok(most),
        Some(points) if (1..=most).contains(&points) => Ok(points),
        Some(_) => Err(SettingsError::Threshold { name, most }),
    }
}
