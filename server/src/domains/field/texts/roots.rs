//! Sentences about root documents and releases, for the command line.

use std::fmt::Display;

pub(crate) const CONFIGURATION_IS_WRONG: &str = "the configuration is wrong";
pub(crate) const ROOT: &str = "root keys, for root documents";
pub(crate) const JOB: &str = "job keys, for packages";
pub(crate) const UPDATE: &str = "update keys, for versions of the runner";
pub(crate) const SIGNED_BY_NOBODY: &str = "Nobody has signed it yet.";
pub(crate) const NOTHING_WAS_SIGNED: &str = "Nothing was signed. If this is what you agreed on, repeat the command with --digest and the digest \
     that you were given on another way.";
pub(crate) const PUBLISHED: &str = "Published. Start the server again: devices follow with their next hello. Enrolment tokens that were \
     made before may name a root key that does not count now: make new ones.";

pub(crate) const RUNNER_IS_NOT_INSTALLED: &str = "jarvis-runner is not installed: it is neither beside this program nor in PATH. docs/field-devices.md says \
     how to install it";
pub(crate) const RUNNER_DID_NOT_START: &str = "jarvis-runner cannot be started";

/// `days`: none if it has expired.
pub(crate) fn document(version: u64, days: Option<u64>) -> String {
    match days {
        Some(days) => format!("Root document {version}, valid for {days} days"),
        None => format!("Root document {version}, expired"),
    }
}

pub(crate) fn role(role: &str, threshold: usize, keys: usize) -> String {
    format!("  {role}: {threshold} of {keys} must sign")
}

pub(crate) fn key(fingerprint: &impl Display) -> String {
    format!("    {fingerprint}")
}

pub(crate) fn revoked_key(fingerprint: &impl Display) -> String {
    format!("    {fingerprint} (revoked)")
}

pub(crate) fn no_key(text: &impl Display) -> String {
    format!("    {text} (not a key)")
}

pub(crate) fn revoked(fingerprint: &impl Display) -> String {
    format!("  revoked: {fingerprint}")
}

/// The signature was verified by nobody yet.
pub(crate) fn signed_by(fingerprint: &impl Display) -> String {
    format!("Signature in the name of {fingerprint}")
}

pub(crate) fn digest(digest: &impl Display) -> String {
    format!("Digest of the document: {digest}")
}

pub(crate) fn public_key(key: &str) -> String {
    format!("Public key: {key}")
}

pub(crate) fn fingerprint(fingerprint: &impl Display) -> String {
    format!("Fingerprint: {fingerprint}")
}

pub(crate) fn new_job_key(fingerprint: &impl Display, version: u64) -> String {
    format!("Root document {version} names the new job key {fingerprint}.")
}

pub(crate) fn released(
    version: &impl Display,
    architecture: &str,
    minimum: &impl Display,
) -> String {
    format!("Released version {version} for {architecture}; none below {minimum} may be installed.")
}

pub(crate) fn digest_of_program(digest: &impl Display) -> String {
    format!("Digest of the program: {digest}")
}
