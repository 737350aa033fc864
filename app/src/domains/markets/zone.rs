//! The time zones to choose from.

use markets_wire::Symbol;

use super::{texts, time::ChartClock};

/// The time zone of the axis and of every time on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ChartZone {
    #[default]
    Utc,
    Browser,
    /// That of the symbol's sessions; UTC if it has none.
    Sessions,
}

impl ChartZone {
    pub(super) const ALL: [Self; 3] = [Self::Utc, Self::Browser, Self::Sessions];

    /// Returns the word that the device keeps.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Utc => "utc",
            Self::Browser => "device",
            Self::Sessions => "sessions",
        }
    }

    pub(super) fn clock(self, symbol: Symbol) -> ChartClock {
        match (self, symbol.zone()) {
            (Self::Browser, _) => ChartClock::BROWSER,
            (Self::Sessions, Some(zone)) => ChartClock(zone),
            _ => ChartClock::UTC,
        }
    }

    pub(super) fn name(self, symbol: Symbol) -> String {
        match self {
            Self::Utc => texts::axes::UTC.to_owned(),
            Self::Browser => texts::axes::THIS_DEVICE.to_owned(),
            Self::Sessions => {
                let zone = symbol.zone().unwrap_or_default();
                let city = zone.rsplit('/').next().unwrap_or_default();
                texts::axes::sessions(&city.replace('_', " "))
            }
        }
    }
}
