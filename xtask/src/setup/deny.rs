//! cargo-deny: licences, bans, sources and known vulnerabilities of dependencies.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::cached;
use crate::fingerprint::Fingerprint;
use crate::process;
use crate::workspace::Workspace;

/// crates.io never changes a version, and the lock file in it has the hashes of all its
/// dependencies.
const VERSION: &str = "=0.20.2";

/// Returns the program. In CI it is built if the cache does not have it; elsewhere it may be
/// missing.
pub(crate) fn program(workspace: &Workspace) -> Result<Option<PathBuf>> {
    if !in_ci(env::var("CI").ok().as_deref()) {
        return Ok(process::find("cargo-deny"));
    }
    let key = Fingerprint::of(VERSION);
    let folder = cached(workspace, "cargo-deny", key, super::COMPLETE, |folder| {
        let build = folder.join("build");
        // Optimising would take twice as long as all the checks that it will ever make.
        process::run(
            Command::new("cargo")
                .args(["install", "--locked", "--debug", "--quiet"])
                .args(["cargo-deny", "--version", VERSION])
                .arg("--root")
                .arg(folder)
                .arg("--target-dir")
                .arg(&build)
                .env("CARGO_PROFILE_DEV_DEBUG", "0"),
        )?;
        Ok(fs::remove_dir_all(build)?)
    })?;
    let file = format!("cargo-deny{}", env::consts::EXE_SUFFIX);
    Ok(Some(folder.join("bin").join(file)))
}

/// Returns whether this is CI: CI services set `CI`, and so does `.ci/run`.
fn in_ci(variable: Option<&str>) -> bool {
    variable.is_some_and(|value| !["", "0", "false"].contains(&value))
}

/// Returns whether the output is from a run without a database of advisories.
pub(crate) fn had_no_advisories(output: &str) -> bool {
    output.contains("failed to fetch advisory database")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ci_says_that_it_is_one() {
        for (value, expect) in [
            (Some("true"), true),
            (Some("1"), true),
            (Some("false"), false),
            (Some(""), false),
            (None, false),
        ] {
            assert_eq!(in_ci(value), expect, "{value:?}");
        }
    }

    #[test]
    fn only_a_missing_database_is_no_failure() {
        for (output, expect) in [
            (
                "[ERROR] failed to fetch advisory database https://example.org/db with cli",
                true,
            ),
            ("advisories FAILED", false),
            ("error[vulnerability]: a weakness", false),
            ("", false),
        ] {
            assert_eq!(had_no_advisories(output), expect, "{output}");
        }
    }
}
