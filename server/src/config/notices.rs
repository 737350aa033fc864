//! `[notices]`: what of the systems a person is told, and when.

use homelab::NoticeKind;
use toml::de::DeValue;

use super::{
    reader::Reader,
    value::{Value, Whole},
};

/// What of the systems a person is told, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeSettings {
    /// Without it the systems are watched only while somebody looks.
    pub enabled: bool,
    /// Kinds that are not told.
    pub off: Vec<NoticeKind>,
    /// A condition must have held for so long before it is told.
    pub hold_seconds: u32,
    /// It must be gone for so long before it ends.
    pub clear_seconds: u32,
    /// A storage that is so full is told, in percent.
    pub storage_percent: u8,
    /// And is grave when it is so full.
    pub full_percent: u8,
    /// A processor that is so hot is told, in °C.
    pub temperature_celsius: u8,
    /// A guest whose newest backup is older is told, in hours.
    pub backup_hours: u32,
    /// How long a failed task is told.
    pub task_hours: u32,
}

pub(super) fn read(r: &mut Reader<'_>) -> NoticeSettings {
    let enabled = r.with_default("notices.enabled", Some("JARVIS_NOTICES"), true);
    let off = r.optional::<Kinds>("notices.off", None);
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
    let storage = r.with_default("notices.storage_percent", None, Whole::<1, 100>(85));
    let full = r.with_default("notices.full_percent", None, Whole::<1, 100>(95));
    let celsius = r.with_default("notices.temperature_celsius", None, Whole::<1, 150>(85));
    let backup_hours = r.with_default("notices.backup_hours", None, Whole::<1, 87_600>(48));
    let task_hours = r.with_default("notices.task_hours", None, Whole::<1, 8_760>(24));
    if full.0 < storage.0 {
        r.refuse(
            &full.source,
            format!(
                "notices.full_percent: expected at least notices.storage_percent, which is {}",
                storage.0
            ),
        );
    }
    // Both are within 255 by their types.
    let small = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
    NoticeSettings {
        enabled: *enabled,
        off: off.map_or_else(Vec::new, |off| off.value.0),
        hold_seconds: hold.0,
        clear_seconds: clear.0,
        storage_percent: small(storage.0),
        full_percent: small(full.0),
        temperature_celsius: small(celsius.0),
        backup_hours: backup_hours.0,
        task_hours: task_hours.0,
    }
}

/// Kinds of notices, by their words.
struct Kinds(Vec<NoticeKind>);

impl Kinds {
    fn of<'t>(words: impl Iterator<Item = Option<&'t str>>) -> Option<Self> {
        let kinds = words.map(|word| {
            let word = word?;
            NoticeKind::ALL.into_iter().find(|kind| kind.word() == word)
        });
        kinds.collect::<Option<_>>().map(Self)
    }
}

impl Value for Kinds {
    fn expected() -> String {
        format!(
            "a list of kinds of notices, which are {}",
            words(&NoticeKind::ALL)
        )
    }

    fn from_text(text: &str) -> Option<Self> {
        let words = text.split(',').map(str::trim);
        Self::of(words.filter(|word| !word.is_empty()).map(Some))
    }

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        Self::of(value.as_array()?.iter().map(|word| word.get_ref().as_str()))
    }

    fn show(&self) -> String {
        words(&self.0)
    }
}

fn words(kinds: &[NoticeKind]) -> String {
    let words: Vec<_> = kinds.iter().map(|kind| kind.word()).collect();
    words.join(", ")
}
