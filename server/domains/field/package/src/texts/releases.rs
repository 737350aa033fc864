//! Refusals of versions of the runner.

use std::fmt::Display;

pub(crate) const NO_VERSION: &str = "a version has three numbers, such as 1.2.3";
pub(crate) const IMPOSSIBLE: &str =
    "the release names a minimum above its own version, no bytes, or too many";
pub(crate) const OTHER_BYTES: &str = "the program is not the one that was signed";
pub(crate) const RELEASE_EXPIRED: &str = "the release has expired";
pub(crate) const RELEASE_ROOT_EXPIRED: &str = "the root document has expired";

pub(crate) fn other_architecture(release: &str, device: &str) -> String {
    let release = release.escape_debug();
    format!("the release is for {release}, and this device is {device}")
}

pub(crate) fn not_newer(release: &impl Display, installed: &impl Display) -> String {
    format!("the release is version {release}, and version {installed} is installed")
}

pub(crate) fn below_minimum(release: &impl Display, minimum: &impl Display) -> String {
    format!("the release is version {release}, below {minimum}, the oldest that may be installed")
}
