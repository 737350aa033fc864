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

pub(crate) const NO_ARCHITECTURE: &str =
    "This is not the name of an architecture, such as aarch64.";

pub(crate) const ROOT_EXPIRED: &str =
    "The root document has expired already. Make another one with jarvis field rotate.";

pub(crate) fn no_roots(folder: &Path) -> String {
    format!(
        "There is no root document in {}. Start the server once with field devices.",
        folder.display()
    )
}

pub(crate) fn other_digest(found: &str) -> String {
    format!(
        "The document has another digest than the one that you named: {found}. Ask whoever made it."
    )
}
