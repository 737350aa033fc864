//! The build: first the site, then the binary that embeds it.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use crate::report::{seconds, timed};
use crate::workspace::Workspace;
use crate::{process, site};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Release,
    Dev,
}

impl Profile {
    pub(crate) fn of(dev: bool) -> Self {
        if dev { Self::Dev } else { Self::Release }
    }

    /// Cargo's profile for the module that the browser loads, and the folder that cargo gives it.
    pub(crate) fn wasm(self) -> (&'static str, &'static str) {
        match self {
            Self::Release => ("wasm-release", "wasm-release"),
            Self::Dev => ("dev", "debug"),
        }
    }

    /// The same for the server.
    pub(crate) fn server(self) -> (&'static str, &'static str) {
        match self {
            Self::Release => ("release", "release"),
            Self::Dev => ("dev", "debug"),
        }
    }
}

/// Builds all and gives the path of the `jarvis` binary.
pub(crate) fn all(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    let started = Instant::now();
    let site = site::build(workspace, profile)?;
    let (cargo_profile, folder) = profile.server();
    timed("build the server", || {
        process::run(
            workspace
                .cargo_build()
                .args([
                    "--package",
                    "server",
                    "--bin",
                    "jarvis",
                    "--profile",
                    cargo_profile,
                ])
                .env("JARVIS_SITE", &site),
        )
    })?;
    eprintln!("built in {}", seconds(started.elapsed()));
    let file = format!("jarvis{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target.join(folder).join(file))
}
