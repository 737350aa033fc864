//! Settings of the notices.

use serde::Deserialize;

/// Kind of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldNoticeKind {
    /// An adopted device has not been heard of for a while.
    Silent,
    /// A device's clock is wrong.
    WrongClock,
    /// A device cannot enforce a limit that it could enforce before.
    CapabilityLost,
    /// A device's runner is too old.
    OldRunner,
    /// An update of a device's runner was given up.
    UpdateFailed,
    /// Two machines use one key.
    CloneSuspected,
    /// Nobody knows whether a run took effect.
    RunUnknown,
}

impl FieldNoticeKind {
    pub const ALL: [Self; 7] = [
        Self::Silent,
        Self::WrongClock,
        Self::CapabilityLost,
        Self::OldRunner,
        Self::UpdateFailed,
        Self::CloneSuspected,
        Self::RunUnknown,
    ];

    /// The kind's word in the configuration.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::WrongClock => "wrong_clock",
            Self::CapabilityLost => "capability_lost",
            Self::OldRunner => "old_runner",
            Self::UpdateFailed => "update_failed",
            Self::CloneSuspected => "clone_suspected",
            Self::RunUnknown => "run_unknown",
        }
    }
}

/// Conditions that are raised, and their limits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FieldNotices {
    /// If false, devices are watched only while a page is open.
    pub enabled: bool,
    /// Disabled kinds.
    pub off: Vec<FieldNoticeKind>,
    /// Minutes without contact after which a device is silent.
    pub silent_minutes: u32,
}

impl Default for FieldNotices {
    fn default() -> Self {
        Self {
            enabled: true,
            off: Vec::new(),
            silent_minutes: 30,
        }
    }
}
