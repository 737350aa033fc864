//! Abilities of a device's sandboxes, as its own probes found them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    levels::SandboxLevel,
    manifest::{JobManifest, NetworkClass},
};

/// Sandboxes that work on a device.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxAbilities {
    pub levels: BTreeMap<SandboxLevel, LevelAbilities>,
}

/// Limits that one sandbox enforces. A limit that it does not enforce is never passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelAbilities {
    pub memory: MemoryLimit,
    pub cpu: bool,
    pub tasks: bool,
    /// A working folder of a fixed size.
    pub workspace: bool,
    /// No network at all.
    pub no_network: bool,
    /// The listed destinations and no others, which may be none.
    pub listed_network: bool,
    /// Packet sockets.
    pub raw: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryLimit {
    /// The memory controller of the kernel.
    Controller,
    /// The address space of each process, good for jobs up to this many bytes.
    AddressSpace(u64),
    None,
}

impl SandboxAbilities {
    /// The weakest sandbox that is strong enough and enforces all of the manifest.
    ///
    /// # Errors
    /// The field of the manifest that no sandbox here enforces.
    pub fn choose(&self, manifest: &JobManifest) -> Result<SandboxLevel, &'static str> {
        let mut lacking = "sandbox_min";
        for (level, abilities) in self.levels.range(manifest.sandbox_min..) {
            if level.offered().is_err() {
                continue;
            }
            match abilities.lacks(manifest) {
                None => return Ok(*level),
                Some(field) => lacking = field,
            }
        }
        Err(lacking)
    }
}

impl LevelAbilities {
    /// The first field of the manifest that this sandbox does not enforce.
    fn lacks(&self, manifest: &JobManifest) -> Option<&'static str> {
        let memory = match self.memory {
            MemoryLimit::Controller => true,
            MemoryLimit::AddressSpace(most) => manifest.caps.memory <= most,
            MemoryLimit::None => false,
        };
        let network = match manifest.net.class {
            NetworkClass::None => self.no_network,
            NetworkClass::Local | NetworkClass::Listed => self.listed_network,
            NetworkClass::Any => true,
        };
        [
            ("caps.memory", memory),
            ("caps.cpu_pct", self.cpu),
            ("caps.tasks", self.tasks),
            ("caps.workspace", self.workspace),
            ("net", network),
            ("raw", !manifest.raw || self.raw),
        ]
        .into_iter()
        .find(|(_, enforced)| !enforced)
        .map(|(field, _)| field)
    }
}
