//! The policy in force: the rules of the file, and over them those stored by admins, which can only
//! be stricter.

use agent::{Engine, EngineConfig, Policy};
use anyhow::Context;
use store::{SettingsKind, Store};

use crate::{config::Config, texts};

/// The rules of the configuration.
pub(crate) struct Rules {
    file: Policy,
    /// The configured rules as text; every decision is bound to it.
    text: String,
    /// The protections of each domain that has any.
    pub(crate) protections: Vec<Protection>,
    /// Locked while a version is stored and put in force, so that the newest is the one in force.
    pub(crate) changing: tokio::sync::Mutex<()>,
}

/// The objects of a domain's system that can be protected, for people and the form of the policy.
#[derive(Debug, Clone, Default)]
pub(crate) struct Protection {
    /// Objects that the configuration protects, in words.
    pub(crate) fixed: Vec<String>,
    pub(crate) kinds: Vec<ProtectedKind>,
    /// Objects that the configuration allows acting on, under a heading, each with its name for
    /// people and the object that a policy protects.
    pub(crate) listed: Option<(&'static str, Vec<(String, String)>)>,
}

/// A kind of object that can be protected.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProtectedKind {
    /// The kind in an object's identifier: `KIND/NAME`.
    pub(crate) name: &'static str,
    /// The label of its field.
    pub(crate) label: &'static str,
    /// Returns the canonical name of an object.
    ///
    /// # Errors
    /// The problem with it, as a sentence.
    pub(crate) check: fn(&str) -> Result<String, String>,
}

impl Rules {
    pub(crate) fn of(config: &Config, protections: Vec<Protection>) -> Self {
        Self {
            file: config.rules.clone(),
            text: config.policy(),
            protections,
            changing: tokio::sync::Mutex::default(),
        }
    }

    pub(crate) fn file(&self) -> &Policy {
        &self.file
    }

    /// Returns the effective rules with these stored rules.
    pub(crate) fn joined(&self, stored: &Policy) -> Policy {
        self.file.joined(stored)
    }

    /// Puts the rules of a stored version in force in a configuration; 0 is none.
    pub(crate) fn put(&self, config: &mut EngineConfig, stored: &Policy, version: u64) {
        config.rules = self.joined(stored);
        config.policy = format!("{}; {version}", self.text);
    }

    /// Puts them in force in a running agent, for all its decisions from now on.
    pub(crate) fn enforce(&self, engine: &Engine, stored: &Policy, version: u64) {
        engine.reconfigure(|config| self.put(config, stored, version));
    }
}

/// Returns the stored rules with their version. Rules that cannot be understood are an error: an
/// unknown rule must not be ignored.
pub(crate) async fn stored(store: &Store) -> anyhow::Result<(Policy, u64)> {
    match store.settings(SettingsKind::Policy, 1).await?.pop() {
        None => Ok((Policy::default(), 0)),
        Some(newest) => {
            let policy = serde_json::from_value(newest.body)
                .with_context(|| texts::config::version_of_stored_policy(newest.version))?;
            Ok((policy, newest.version))
        }
    }
}
