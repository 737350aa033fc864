//! Sentences about what was not done, and why.

use std::path::Path;

pub(crate) const NO_PEERS: &str =
    "Skipped: there are no peers. Name their folder with --peers or JARVIS_PEERS.";

pub(crate) fn peers_not_installed(folder: &Path) -> String {
    format!(
        "Skipped: run `npm install` in {}/peer-node first.",
        folder.display()
    )
}

pub(crate) const NO_CARGO_DENY: &str = "cargo-deny is not installed";
pub(crate) const NO_ADVISORIES: &str =
    "the advisory database cannot be fetched from here: NOT checked";

/// `lack`: one of the next two.
pub(crate) fn real_api_skipped(lack: &str) -> String {
    format!("*** SKIPPED: the real API was not called: {lack} ***")
}

pub(crate) const NO_KEY: &str = "ANTHROPIC_API_KEY is not set";
pub(crate) const COSTS_MONEY: &str = "it costs a few cents; allow that with --pay";
