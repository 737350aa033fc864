//! `[feed]`: how long the feed is kept.

use super::{reader::Reader, value::Whole};

/// Days.
pub(super) fn read(r: &mut Reader<'_>) -> u32 {
    r.section("feed", "");
    let days = r
        .key(
            "feed.days",
            "retention period of the feed, 1 to 3650; the audit chain is kept forever",
        )
        .env("JARVIS_FEED_DAYS")
        .or(Whole::<1, 3650>(90));
    days.0
}
