//! `[notices]`: which conditions raise a notice, and when.

use super::{reader::Reader, section::Section, value::Whole};
use crate::texts;

/// Which conditions raise a notice, and when. Thresholds such as full, hot or old are a domain's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeSettings {
    /// If false, systems are polled only while somebody looks at them.
    pub enabled: bool,
    /// Kinds of notices that are not raised.
    pub off: Vec<String>,
    /// Seconds that a condition must persist before its notice is raised.
    pub hold_seconds: u32,
    /// Seconds that a condition must be clear before its notice is resolved.
    pub clear_seconds: u32,
}

pub(super) fn read(r: &mut Reader<'_>, sections: &[Section]) -> NoticeSettings {
    r.section(
        "notices",
        "Conditions of the systems that raise notices, which every page shows.",
    );
    let enabled = r
        .key(
            "notices.enabled",
            "with false, the systems are only watched while a page is open",
        )
        .env("JARVIS_NOTICES")
        .or(true);
    let kinds = sections.iter().flat_map(|section| section.notices);
    let kinds: Vec<_> = kinds.copied().chain([mcp_client::AWAY_NOTICE]).collect();
    let known = kinds.join(", ");
    let off = r
        .key::<Vec<String>>(
            "notices.off",
            format!("kinds that are not raised, out of {known}"),
        )
        .optional(format!("{:?}", &kinds[..kinds.len().min(1)]));
    if let Some(off) = &off
        && off.iter().any(|word| kinds.iter().all(|it| it != word))
    {
        r.refuse(&off.source, texts::config::no_kinds_of_notices(&known));
    }
    let hold = r
        .key(
            "notices.hold_seconds",
            "seconds a condition must persist before it is raised",
        )
        .env("JARVIS_NOTICES_HOLD_SECONDS")
        .or(Whole::<0, 86_400>(60));
    let clear = r
        .key(
            "notices.clear_seconds",
            "seconds it must be clear before it is resolved",
        )
        .env("JARVIS_NOTICES_CLEAR_SECONDS")
        .or(Whole::<0, 86_400>(300));
    NoticeSettings {
        enabled: *enabled,
        off: off.map_or_else(Vec::new, |off| off.value),
        hold_seconds: hold.0,
        clear_seconds: clear.0,
    }
}
