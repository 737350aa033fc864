//! `[notices]`: what of the systems a person is told, and when.

use super::{reader::Reader, section::Section, value::Whole};

/// What of the systems a person is told, and when. What counts as full, hot or old is a domain's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeSettings {
    /// Without it the systems are watched only while somebody looks.
    pub enabled: bool,
    /// The words of kinds that are not told.
    pub off: Vec<String>,
    /// A condition must have held for so long before it is told.
    pub hold_seconds: u32,
    /// It must be gone for so long before it ends.
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
