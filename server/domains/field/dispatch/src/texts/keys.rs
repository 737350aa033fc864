//! Sentences about key files.

use std::path::Path;

pub(crate) fn open_to_others(path: &Path) -> String {
    format!(
        "Other users of this machine can read {0}. Run `chmod go= {0}`.",
        path.display()
    )
}

pub(crate) fn damaged(path: &Path) -> String {
    format!(
        "{} is not a key file. Restore it from a backup.",
        path.display()
    )
}

pub(crate) fn missing(path: &Path) -> String {
    format!(
        "{} is missing, and a new one would not do. Restore it from a backup.",
        path.display()
    )
}

pub(crate) fn root_not_trusted(path: &Path, reason: &str) -> String {
    format!(
        "{} is not a root document of this server: {reason}",
        path.display()
    )
}

pub(crate) fn root_key_away(path: &Path) -> String {
    format!(
        "The root key is not on this server. Copy it back to {} to change the job key.",
        path.display()
    )
}

pub(crate) const KEY_NOT_TRUSTED: &str = "The newest root document does not name the job key.";
