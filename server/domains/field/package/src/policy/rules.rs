//! The rules of risk: the id, the weight and the sentence of each.

use serde::{Deserialize, Serialize};

use crate::texts;

/// Weight of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleWeight {
    Points(u8),
    /// High whatever else there is.
    High,
}

/// A rule of risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RiskRule {
    FreeText,
    UnaskedDestination,
    UnaskedName,
    PublicDestination,
    RawSockets,
    SweepSmall,
    SweepMedium,
    SweepLarge,
    LineTest,
    LineTestMetered,
    OverMinute,
    OverThreeMinutes,
    ManySteps,
    CriticalDevice,
    FirstRun,
    Remedy,
}

impl RiskRule {
    pub const ALL: [Self; 16] = [
        Self::FreeText,
        Self::UnaskedDestination,
        Self::UnaskedName,
        Self::PublicDestination,
        Self::RawSockets,
        Self::SweepSmall,
        Self::SweepMedium,
        Self::SweepLarge,
        Self::LineTest,
        Self::LineTestMetered,
        Self::OverMinute,
        Self::OverThreeMinutes,
        Self::ManySteps,
        Self::CriticalDevice,
        Self::FirstRun,
        Self::Remedy,
    ];

    /// Stable name, for the manifest and for settings.
    pub fn id(self) -> &'static str {
        match self {
            Self::FreeText => "free_text",
            Self::UnaskedDestination => "unasked_destination",
            Self::UnaskedName => "unasked_name",
            Self::PublicDestination => "public_destination",
            Self::RawSockets => "raw_sockets",
            Self::SweepSmall => "sweep_32",
            Self::SweepMedium => "sweep_254",
            Self::SweepLarge => "sweep_1022",
            Self::LineTest => "line_test",
            Self::LineTestMetered => "line_test_metered",
            Self::OverMinute => "over_60_s",
            Self::OverThreeMinutes => "over_180_s",
            Self::ManySteps => "over_10_steps",
            Self::CriticalDevice => "critical_device",
            Self::FirstRun => "first_run",
            Self::Remedy => "remedy",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.id() == id)
    }

    /// The weight without settings.
    pub fn weight(self) -> RuleWeight {
        RuleWeight::Points(match self {
            Self::FreeText => return RuleWeight::High,
            Self::UnaskedDestination
            | Self::UnaskedName
            | Self::RawSockets
            | Self::SweepLarge
            | Self::LineTestMetered
            | Self::Remedy => 3,
            Self::PublicDestination
            | Self::SweepMedium
            | Self::LineTest
            | Self::OverThreeMinutes
            | Self::CriticalDevice => 2,
            Self::SweepSmall | Self::OverMinute | Self::ManySteps | Self::FirstRun => 1,
        })
    }

    /// The reason in one sentence.
    pub fn sentence(self) -> &'static str {
        texts::policy::reason(self.id())
    }
}
