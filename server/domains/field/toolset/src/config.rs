//! The section `[field]` of the configuration.

mod notices;

use std::collections::BTreeSet;

use field_package::policy::{FieldPolicy, PolicySettings};
use ipnet::IpNet;
use serde::Deserialize;

pub use self::notices::{FieldNoticeKind, FieldNotices};
use crate::texts;

/// Settings of the field devices.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FieldConfig {
    /// Names and addresses of this server, which no step may reach.
    pub server_hosts: BTreeSet<String>,
    /// Hosts outside the sites that steps may ask, such as a server for tests of the line; each as a
    /// step has it.
    pub hosts: BTreeSet<String>,
    /// The same as networks.
    pub networks: Vec<IpNet>,
    /// Rules of the policy that are stricter here than the built-in ones.
    pub policy: PolicySettings,
    /// Minutes that a run waits for its device, unless the call says otherwise. 1 to 60.
    pub delivery_minutes: u32,
    /// Probes that run on one device in an hour without a card or with one.
    pub probes_per_hour: u32,
    pub notices: FieldNotices,
}

impl Default for FieldConfig {
    fn default() -> Self {
        Self {
            server_hosts: BTreeSet::new(),
            hosts: BTreeSet::new(),
            networks: Vec::new(),
            policy: PolicySettings::default(),
            delivery_minutes: 10,
            probes_per_hour: 60,
            notices: FieldNotices::default(),
        }
    }
}

/// Reason that the toolset cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {message}")]
pub struct FieldSetupError {
    pub field: &'static str,
    pub message: String,
}

impl FieldConfig {
    /// Checks the bounds, and makes the policy.
    pub(crate) fn checked(&self) -> Result<FieldPolicy, FieldSetupError> {
        let bound = |field, value: u32, least: u32, most: u32| {
            let fits = (least..=most).contains(&value);
            fits.then_some(()).ok_or_else(|| FieldSetupError {
                field,
                message: texts::config::between(least, most),
            })
        };
        bound("delivery_minutes", self.delivery_minutes, 1, 60)?;
        bound("probes_per_hour", self.probes_per_hour, 0, 1_000)?;
        bound(
            "notices.silent_minutes",
            self.notices.silent_minutes,
            1,
            7 * 24 * 60,
        )?;
        FieldPolicy::new(&self.policy).map_err(|error| FieldSetupError {
            field: "policy",
            message: error.to_string(),
        })
    }
}
