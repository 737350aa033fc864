//! The device's own veto: a file of its owner that only narrows.

use std::collections::BTreeSet;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use super::{
    facts::{ScriptFacts, ScriptForm},
    risk::RiskLevel,
};
use crate::{
    script::ProbeScript,
    steps::{ContactTarget, RowName},
    texts,
};

/// Refusals of a device. Empty, it refuses nothing; nothing in it allows anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DeviceVeto {
    pub rows: BTreeSet<RowName>,
    pub networks: Vec<IpNet>,
    /// No packet sockets.
    pub raw: bool,
    /// No free sh.
    pub sh: bool,
    /// Longest run in seconds.
    pub max_seconds: Option<u32>,
    /// Highest risk that is taken.
    pub max_risk: Option<RiskLevel>,
}

/// The part of the veto that applies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VetoRefusal {
    #[error("{}", texts::policy::veto_row(row.word()))]
    Row { row: RowName },
    #[error("{}", texts::policy::veto_network(to, &network.to_string()))]
    Network { to: String, network: IpNet },
    #[error("{}", texts::policy::veto_names(to))]
    Name { to: String },
    #[error("{}", texts::policy::VETO_RAW)]
    Raw,
    #[error("{}", texts::policy::VETO_SH)]
    Sh,
    #[error("{}", texts::policy::veto_seconds(*seconds, *most))]
    Seconds { seconds: u32, most: u32 },
    #[error("{}", texts::policy::VETO_RISK)]
    Risk,
}

impl DeviceVeto {
    /// Checks a script and the risk that its package names.
    ///
    /// # Errors
    /// The first part of the veto that applies.
    pub fn check(
        &self,
        facts: &ScriptFacts,
        script: Option<&ProbeScript>,
        risk: RiskLevel,
    ) -> Result<(), VetoRefusal> {
        if self.sh && facts.form == ScriptForm::Sh {
            return Err(VetoRefusal::Sh);
        }
        for step in script.map(ProbeScript::steps).unwrap_or_default() {
            let row = step.row().name;
            if self.rows.contains(&row) {
                return Err(VetoRefusal::Row { row });
            }
        }
        if self.raw && !facts.raw.is_empty() {
            return Err(VetoRefusal::Raw);
        }
        self.check_networks(facts)?;
        if let Some(most) = self.max_seconds.filter(|most| facts.seconds > *most) {
            return Err(VetoRefusal::Seconds {
                seconds: facts.seconds,
                most,
            });
        }
        if self.max_risk.is_some_and(|most| risk > most) {
            return Err(VetoRefusal::Risk);
        }
        Ok(())
    }

    fn check_networks(&self, facts: &ScriptFacts) -> Result<(), VetoRefusal> {
        if self.networks.is_empty() {
            return Ok(());
        }
        // Its destinations are unknown, so each of them may be a forbidden one.
        if facts.form == ScriptForm::Sh {
            return Err(VetoRefusal::Sh);
        }
        for contact in facts.contacts.iter().filter(|it| it.protocol.is_some()) {
            let to = contact.to.to_string();
            let hit = self.networks.iter().find(|network| match &contact.to {
                ContactTarget::Address(address) => network.contains(address),
                ContactTarget::Network(other) => {
                    network.contains(other) || other.contains(*network)
                }
                ContactTarget::Name(_) | ContactTarget::Resolver => false,
            });
            if let Some(network) = hit {
                return Err(VetoRefusal::Network {
                    to,
                    network: *network,
                });
            }
            // A name may resolve into any network.
            if matches!(contact.to, ContactTarget::Name(_)) {
                return Err(VetoRefusal::Name { to });
            }
        }
        Ok(())
    }
}
