//! Placeholders: the few places of a command that take a value, and their permitted values.

use std::fmt;

use crate::texts;

/// Kind of a value. No kind accepts a word that begins with a hyphen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceholderKind {
    /// A systemd service by its full name, such as `pveproxy.service`; not `user@0.service`.
    Unit,
    /// An integer from the first to the second, both included.
    Range(u32, u32),
    /// One of these words.
    Enum(&'static [&'static str]),
    /// A whole disk by its kernel name, such as `/dev/sda` or `/dev/nvme0n1`.
    Disk,
}

impl PlaceholderKind {
    pub(super) fn accepts(self, word: &str) -> bool {
        match self {
            Self::Unit => is_unit(word),
            Self::Range(least, most) => {
                let digits = word.bytes().all(|byte| byte.is_ascii_digit());
                digits
                    && !word.starts_with('0')
                    && word
                        .parse()
                        .is_ok_and(|number| (least..=most).contains(&number))
            }
            Self::Enum(words) => words.contains(&word),
            Self::Disk => is_disk(word),
        }
    }

    /// The placeholder's name in a form, such as `UNIT`.
    pub(super) fn placeholder(self) -> String {
        match self {
            Self::Unit => "UNIT".to_owned(),
            Self::Range(..) => "N".to_owned(),
            Self::Enum(words) => words.join("|"),
            Self::Disk => "DISK".to_owned(),
        }
    }

    pub(super) fn expected(self) -> String {
        match self {
            Self::Unit => texts::ssh::EXPECTED_SERVICE_NAME.to_owned(),
            Self::Range(least, most) => texts::ssh::whole_number_from_to(least, most),
            Self::Enum(words) => texts::ssh::one_of(&words.join(", ")),
            Self::Disk => texts::ssh::EXPECTED_DISK.to_owned(),
        }
    }
}

impl fmt::Display for PlaceholderKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unit => "unit",
            Self::Range(..) => texts::ssh::NUMBER_IN_RANGE,
            Self::Enum(_) => texts::ssh::EXPECTED_WORD,
            Self::Disk => "disk",
        })
    }
}

/// Matches `^[A-Za-z0-9][A-Za-z0-9@_.:-]{0,127}\.service$`: no glob, no path, no other kind of
/// unit, and no user sessions.
fn is_unit(word: &str) -> bool {
    let Some(stem) = word.strip_suffix(".service") else {
        return false;
    };
    stem.len() <= 128
        && !holds_sessions(stem)
        && stem.starts_with(|c: char| c.is_ascii_alphanumeric())
        && stem
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"@_.:-".contains(&byte))
}

/// Matches `user@0` and the like: one unit around everything that a person runs, their own services
/// and logs included.
fn holds_sessions(stem: &str) -> bool {
    stem.split_once('@')
        .is_some_and(|(template, _)| template.eq_ignore_ascii_case("user"))
}

/// Matches `^/dev/(sd[a-z]{1,2}|nvme[0-9]{1,2}n[0-9]{1,2})$`.
fn is_disk(word: &str) -> bool {
    let few = |text: &str, is: fn(&u8) -> bool| {
        (1..=2).contains(&text.len()) && text.bytes().all(|byte| is(&byte))
    };
    let Some(name) = word.strip_prefix("/dev/") else {
        return false;
    };
    if let Some(letters) = name.strip_prefix("sd") {
        return few(letters, u8::is_ascii_lowercase);
    }
    let numbers = name
        .strip_prefix("nvme")
        .and_then(|rest| rest.split_once('n'));
    numbers.is_some_and(|(controller, space)| {
        few(controller, u8::is_ascii_digit) && few(space, u8::is_ascii_digit)
    })
}
