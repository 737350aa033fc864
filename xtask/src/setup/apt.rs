//! Debian packages, where they can be installed.

use std::process::Command;

use anyhow::Result;

use crate::process;

/// Returns whether packages can be installed: by root, on a system that has apt.
pub(super) fn is_possible() -> Result<bool> {
    if !cfg!(unix) || process::find("apt-get").is_none() {
        return Ok(false);
    }
    Ok(process::output(Command::new("id").arg("-u"))? == "0")
}

/// Installs a package without its recommended ones.
pub(super) fn install(package: &str) -> Result<()> {
    let apt = |arguments: &[&str]| {
        process::run(
            Command::new("apt-get")
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive"),
        )
    };
    apt(&["update", "--quiet"])?;
    apt(&[
        "install",
        "--yes",
        "--quiet",
        "--no-install-recommends",
        package,
    ])
}
