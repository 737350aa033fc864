//! Measurements.

use std::process::Command;

use anyhow::Result;

use crate::build::{self, Profile};
use crate::workspace::Workspace;
use crate::{process, setup, site};

/// Prints the size of every file of the release site.
pub(crate) fn size(workspace: &Workspace) -> Result<()> {
    let folder = site::build(workspace, Profile::Release)?;
    let manifest = site::Manifest::read(&folder)?;
    println!(
        "\n{:28} {:>10} {:>10} {:>10}",
        "file", "bytes", "gzip", "brotli"
    );
    for (name, file) in manifest.files() {
        let packed =
            |size: Option<u64>| size.map_or_else(|| "-".to_owned(), |size| size.to_string());
        println!(
            "{name:28} {:>10} {:>10} {:>10}",
            file.size,
            packed(file.gz),
            packed(file.br)
        );
    }
    Ok(())
}

/// Prints what the browser does while a long answer streams, with the release build.
pub(crate) fn browser(workspace: &Workspace) -> Result<()> {
    let end2end = setup::npm::end2end(workspace)?;
    let chromium = setup::browser::chromium(&end2end)?;
    let binary = build::all(workspace, Profile::Release)?;
    process::run(
        Command::new("node")
            .current_dir(&end2end)
            .args(["node_modules/@playwright/test/cli.js", "test"])
            .args(["--config", "bench/bench.config.ts"])
            .env("JARVIS_BIN", binary)
            .env("CHROMIUM", chromium),
    )
}

/// Prints what the gate and the journal add to a tool call, on a real database.
pub(crate) fn gate(workspace: &Workspace) -> Result<()> {
    process::run(workspace.cargo("run").args([
        "--package",
        "server",
        "--release",
        "--example",
        "gate",
    ]))
}
