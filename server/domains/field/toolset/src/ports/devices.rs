//! Sites and devices, as they were seen last.

use std::sync::Arc;

use field_package::{abilities::SandboxAbilities, policy::ScriptSurroundings};
use protocol::Timestamp;
use serde_json::Value;
use tokio::sync::watch;

use super::{BundleSummary, KnownProgram, RestoreRefusal, RunRecord};

/// Everything that is answered from memory: quick, and without a look outside.
pub trait FieldMemory: Send + Sync + 'static {
    /// Sites, devices, newest bundles and runs, as they were seen last; changes wake the receiver.
    fn snapshot(&self) -> watch::Receiver<Arc<FieldSnapshot>>;

    /// The real networks, names and interfaces around a device, for the policy. Without what only the
    /// script tells: [`ScriptSurroundings::person_values`] and whether it is its first run. None for a
    /// device that is not known.
    fn surroundings(&self, device: &str) -> Option<ScriptSurroundings>;

    /// A text with the values of a site in place of its tokens, for the policy and the device: never
    /// for a model, a log, a feed or an error.
    ///
    /// # Errors
    /// A token that no value of this site has.
    fn restore(&self, site: &str, text: &str) -> Result<String, RestoreRefusal>;
}

/// The field as it was seen last. All texts in it are covered, so everybody may see it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldSnapshot {
    /// One more with each change.
    pub revision: u64,
    /// By name.
    pub sites: Vec<KnownSite>,
    /// By site and name; without those that are retired.
    pub devices: Vec<KnownDevice>,
    /// Runs that are open, and the newest others, newest first.
    pub runs: Vec<RunRecord>,
    /// The newest complete bundles, newest first; some for each device.
    pub bundles: Vec<BundleSummary>,
    /// The reason why it may be out of date, in one sentence.
    pub unread: Option<String>,
}

/// A site: one network, and the scope of tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSite {
    pub id: String,
    /// The number in its tokens.
    pub number: u32,
    /// As a person wrote it.
    pub name: String,
    /// True if addresses that are routed globally get tokens as well.
    pub hides_public: bool,
}

/// The tag of a device that much depends on.
pub const CRITICAL: &str = "critical";
/// The tag of a device whose line is paid by volume.
pub const METERED: &str = "metered";

/// A device.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownDevice {
    /// `dev_` and 26 characters.
    pub id: String,
    pub site: String,
    /// As a person wrote it.
    pub name: String,
    pub standing: DeviceStanding,
    /// True while it has a session.
    pub is_online: bool,
    pub last_seen: Option<Timestamp>,
    /// Fingerprint of its key, in 64 digits.
    pub fingerprint: String,
    pub tags: Vec<String>,
    /// Its own report, covered: `{hostname, model, os, kernel, runner, interfaces, …}`.
    pub facts: Value,
    /// None if its runner does not report it.
    pub program: Option<KnownProgram>,
    /// None if it has not reported them.
    pub abilities: Option<SandboxAbilities>,
    /// Limits that it cannot enforce, each with the remedy, as sentences.
    pub gaps: Vec<String>,
    pub attention: Vec<DeviceAttention>,
    /// Versions of all proposals for it: one more with each proposal, and each version of one.
    pub proposed: u64,
    /// True for one that is made up.
    pub is_simulated: bool,
}

impl KnownDevice {
    /// True if people gave it this tag.
    pub fn is_tagged(&self, tag: &str) -> bool {
        self.tags.iter().any(|it| it.eq_ignore_ascii_case(tag))
    }
}

/// Standing of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeviceStanding {
    /// Enrolled, and not adopted yet: it gets no work.
    Waiting,
    Adopted,
    Suspended,
    Retired,
}

impl DeviceStanding {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Adopted => "adopted",
            Self::Suspended => "suspended",
            Self::Retired => "retired",
        }
    }
}

/// Something about a device that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceAttention {
    pub kind: AttentionKind,
    /// One sentence, covered.
    pub text: String,
    /// The time at which it began.
    pub since: Timestamp,
}

/// Kind of an attention. That a device is silent is not one: it is seen from its last contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttentionKind {
    WrongClock,
    /// A limit that it could enforce before.
    CapabilityLost,
    OldRunner,
    /// An update of its runner was given up.
    UpdateFailed,
    /// Two machines use one key.
    CloneSuspected,
}

impl AttentionKind {
    pub const ALL: [Self; 5] = [
        Self::WrongClock,
        Self::CapabilityLost,
        Self::OldRunner,
        Self::UpdateFailed,
        Self::CloneSuspected,
    ];

    pub const fn word(self) -> &'static str {
        match self {
            Self::WrongClock => "wrong_clock",
            Self::CapabilityLost => "capability_lost",
            Self::OldRunner => "old_runner",
            Self::UpdateFailed => "update_failed",
            Self::CloneSuspected => "clone_suspected",
        }
    }
}

impl FieldSnapshot {
    pub fn site(&self, id: &str) -> Option<&KnownSite> {
        self.sites.iter().find(|site| site.id == id)
    }

    pub fn device(&self, id: &str) -> Option<&KnownDevice> {
        self.devices.iter().find(|device| device.id == id)
    }

    pub fn run(&self, id: &str) -> Option<&RunRecord> {
        self.runs.iter().find(|run| run.id == id)
    }

    /// One of the newest bundles.
    pub fn bundle(&self, id: &str) -> Option<&BundleSummary> {
        self.bundles.iter().find(|bundle| bundle.id == id)
    }

    /// The newest bundles of a device, newest first.
    pub fn bundles_of<'a>(&'a self, device: &'a str) -> impl Iterator<Item = &'a BundleSummary> {
        let bundles = self.bundles.iter();
        bundles.filter(move |bundle| bundle.device.as_deref() == Some(device))
    }
}
