//! `[markets]`: charts and their prices.

use std::path::PathBuf;

use super::{reader::Reader, value::Whole};

/// Charts and their prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarketSettings {
    pub enabled: bool,
    /// Seconds of the simulated market in a second; 0 and it stands still.
    pub price_speed: u32,
    /// A file with prices that something else keeps up to date; nothing is simulated then.
    pub price_file: Option<PathBuf>,
}

pub(super) fn read(r: &mut Reader<'_>) -> MarketSettings {
    let enabled = r.with_default("markets.enabled", Some("JARVIS_MARKETS"), true);
    let speed = r.with_default(
        "markets.price_speed",
        Some("JARVIS_MARKETS_PRICE_SPEED"),
        Whole::<0, 3_600>(60),
    );
    let file = r.optional::<PathBuf>("markets.price_file", Some("JARVIS_MARKETS_PRICE_FILE"));
    MarketSettings {
        enabled: *enabled,
        price_speed: speed.0,
        price_file: file.map(|setting| setting.value),
    }
}
