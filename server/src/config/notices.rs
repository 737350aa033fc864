//! `[notices]`: which conditions raise a notice, and when.

use super::{reader::Reader, section::Section, value::Whole};

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
    let enabled = r.with_default("notices.enabled", Some("JARVIS_NOTICES"), true);
    let off = r.optional::<Vec<String>>("notices.off", None);
    let known = || sections.iter().flat_map(|section| section.notices);
    if let Some(off) = &off
        && off.iter().any(|word| known().all(|it| it != word))
    {
        let known: Vec<_> = known().copied().collect();
        let known = known.join(", ");
        r.refuse(
            &off.source,
            format!("notices.off: expected a list of kinds of notices, which are {known}"),
        );
    }
    let hold = r.with_default(
        "notices.hold_seconds",
        Some("JARVIS_NOTICES_HOLD_SECONDS"),
        Whole::<0, 86_400>(60),
    );
    let clear = r.with_default(
        "notices.clear_seconds",
        Some("JARVIS_NOTICES_CLEAR_SECONDS"),
        Whole::<0, 86_400>(300),
    );
    NoticeSettings {
        enabled: *enabled,
        off: off.map_or_else(Vec::new, |off| off.value),
        hold_seconds: hold.0,
        clear_seconds: clear.0,
    }
}
