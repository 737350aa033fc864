//! The policy in force: what the file says, and over it what admins have stored, which can only be
//! stricter.

use std::collections::BTreeMap;

use agent::{Engine, EngineConfig, Policy};
use anyhow::Context;
use store::{SettingsKind, Store};

use crate::config::Config;

/// What the configuration fixes.
pub(crate) struct Rules {
    file: Policy,
    /// Of the configuration, as every decision is bound to it.
    text: String,
    pub(crate) cluster: Cluster,
    /// Held while a version is stored and put in force, so that the newest is the one in force.
    pub(crate) changing: tokio::sync::Mutex<()>,
}

/// What the configuration says about the cluster, for people.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cluster {
    pub(crate) protected_nodes: Vec<String>,
    pub(crate) protected_guests: Vec<u32>,
    pub(crate) own_guest: Option<u32>,
    /// The services that may be restarted, by node.
    pub(crate) services: BTreeMap<String, Vec<String>>,
}

impl From<&homelab::Config> for Cluster {
    fn from(config: &homelab::Config) -> Self {
        Self {
            protected_nodes: config.protected_nodes.clone(),
            protected_guests: config.protected_guests.clone(),
            own_guest: config.own_guest,
            services: config.services.clone(),
        }
    }
}

impl Rules {
    pub(crate) fn of(config: &Config, cluster: Cluster) -> Self {
        Self {
            file: config.rules.clone(),
            text: config.policy(),
            cluster,
            changing: tokio::sync::Mutex::default(),
        }
    }

    pub(crate) fn file(&self) -> &Policy {
        &self.file
    }

    /// What counts with these stored rules.
    pub(crate) fn joined(&self, stored: &Policy) -> Policy {
        self.file.joined(stored)
    }

    /// Puts the rules of a stored version in force in a configuration; 0 is none.
    pub(crate) fn put(&self, config: &mut EngineConfig, stored: &Policy, version: u64) {
        config.rules = self.joined(stored);
        config.policy = format!("{}; {version}", self.text);
    }

    /// The same in a running agent, for all that it decides from now on.
    pub(crate) fn enforce(&self, engine: &Engine, stored: &Policy, version: u64) {
        engine.reconfigure(|config| self.put(config, stored, version));
    }
}

/// The stored rules with their version. What cannot be understood is an error: a rule that is not
/// known here must not be left out.
pub(crate) async fn stored(store: &Store) -> anyhow::Result<(Policy, u64)> {
    match store.settings(SettingsKind::Policy, 1).await?.pop() {
        None => Ok((Policy::default(), 0)),
        Some(newest) => {
            let policy = serde_json::from_value(newest.body)
                .with_context(|| format!("version {} of the stored policy", newest.version))?;
            Ok((policy, newest.version))
        }
    }
}
