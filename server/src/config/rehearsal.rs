//! `[rehearsal]`: the pace of the built-in model.

use super::{reader::Reader, value::Whole};

/// The built-in model that answers without a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RehearsalSettings {
    /// Zero is at once.
    pub tokens_per_second: u32,
    /// Delay before the first word, in milliseconds.
    pub first_token_ms: u32,
}

pub(super) fn read(r: &mut Reader<'_>) -> RehearsalSettings {
    r.section(
        "rehearsal",
        "The built-in model that answers without a key.",
    );
    let tokens_per_second = r
        .key("rehearsal.tokens_per_second", "0 answers at once")
        .env("JARVIS_REHEARSAL_RATE")
        .or(Whole::<0, 1_000_000>(60));
    let first_token_ms = r
        .key("rehearsal.first_token_ms", "delay before the first word")
        .env("JARVIS_REHEARSAL_FIRST_TOKEN_MS")
        .or(Whole::<0, 600_000>(250));
    RehearsalSettings {
        tokens_per_second: tokens_per_second.0,
        first_token_ms: first_token_ms.0,
    }
}
