//! Rounding of money, by the method that System Settings name.

use rust_decimal::RoundingStrategy;

use crate::cell::{Decimal, SimDoc};

/// Treatment of a half, such as 0.005 at two places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SimRounding {
    /// Up, towards positive infinity; to even where there are no places. Sites without a setting use it.
    #[default]
    Legacy,
    /// To even.
    Bankers,
    /// Away from zero.
    Commercial,
}

impl SimRounding {
    /// The method of System Settings.
    pub(crate) fn of(settings: Option<&SimDoc>) -> Self {
        match settings.map_or("", |it| it.text("rounding_method")) {
            "Banker's Rounding" => Self::Bankers,
            "Commercial Rounding" => Self::Commercial,
            _ => Self::Legacy,
        }
    }

    /// Rounds to a number of places. A quotient that lies beside a half only because its digits end counts
    /// as the half.
    pub(crate) fn round(self, value: Decimal, places: u32) -> Decimal {
        let (guard, half) = match self {
            Self::Legacy if places == 0 => (8, RoundingStrategy::MidpointNearestEven),
            Self::Legacy if value.is_sign_negative() => (8, RoundingStrategy::MidpointTowardZero),
            Self::Legacy => (8, RoundingStrategy::MidpointAwayFromZero),
            Self::Bankers => (12, RoundingStrategy::MidpointNearestEven),
            Self::Commercial => (12, RoundingStrategy::MidpointAwayFromZero),
        };
        let value = value.round_dp(places + guard);
        value.round_dp_with_strategy(places, half)
    }
}
