//! Packages from npm, installed exactly from their lock file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::cached;
use crate::fingerprint::Fingerprint;
use crate::process;
use crate::workspace::Workspace;

/// `npm ci`, run by hand in a folder whose `node_modules` is a link to the cache, empties what the
/// link points to before it replaces the link. The mark goes with the packages, so the next run
/// installs them again.
const COMPLETE: &str = "node_modules/.complete";

const FILES: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];

/// Returns the `node_modules` of the build's own tools.
pub(crate) fn tools(workspace: &Workspace) -> Result<PathBuf> {
    let from = workspace.root.join("xtask");
    install(workspace, "tools", &from, Packages::All)
}

/// Returns the `node_modules` that the chart's module is bundled from, and nothing else.
pub(crate) fn chart(workspace: &Workspace) -> Result<PathBuf> {
    let from = workspace.root.join("frontend/chart");
    install(workspace, "chart", &from, Packages::Shipped)
}

/// Installs the packages that check the chart's module too, and returns its folder.
pub(crate) fn chart_sources(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.root.join("frontend/chart");
    let installed = install(workspace, "chart-tools", &folder, Packages::All)?;
    link(&installed, &folder.join("node_modules"))?;
    Ok(folder)
}

/// Installs the packages of the browser tests and the SDK tests, and returns `end2end`.
pub(crate) fn end2end(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.root.join("end2end");
    let installed = install(workspace, "end2end", &folder, Packages::All)?;
    link(&installed, &folder.join("node_modules"))?;
    Ok(folder)
}

/// Returns the `node_modules` with the conformance suite of MCP, its official client and servers of others.
pub(crate) fn mcp(workspace: &Workspace) -> Result<PathBuf> {
    let from = workspace.root.join("server/tests/mcp");
    install(workspace, "mcp", &from, Packages::All)
}

/// Returns the `node_modules` with what a program in TypeScript makes its client of the API with.
pub(crate) fn clients(workspace: &Workspace) -> Result<PathBuf> {
    let from = workspace.root.join("server/tests/clients");
    install(workspace, "clients", &from, Packages::All)
}

/// Installs the packages that the examples of the documents are for, into a folder with copies of these.
pub(crate) fn examples(workspace: &Workspace, copies: &Path) -> Result<()> {
    let from = workspace.root.join("docs/examples/agui");
    let installed = install(workspace, "examples", &from, Packages::All)?;
    link(&installed, &copies.join("node_modules"))
}

/// Returns the `node_modules` with Lighthouse, which only a benchmark needs.
pub(crate) fn lighthouse(workspace: &Workspace) -> Result<PathBuf> {
    let from = workspace.root.join("end2end/bench/lighthouse");
    install(workspace, "lighthouse", &from, Packages::Shipped)
}

/// A selection of the packages in a lock file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packages {
    All,
    /// Without development dependencies.
    Shipped,
}

fn install(workspace: &Workspace, name: &str, from: &Path, packages: Packages) -> Result<PathBuf> {
    let node = node_version()?;
    let key = FILES.iter().try_fold(
        Fingerprint::of(include_str!("npm.rs")).with(node.as_bytes()),
        |key, file| key.with_file(&from.join(file)),
    )?;
    let folder = cached(workspace, name, key, COMPLETE, |folder| {
        for file in FILES {
            fs::copy(from.join(file), folder.join(file))?;
        }
        let mut npm = process::npm();
        npm.current_dir(folder)
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        if packages == Packages::Shipped {
            npm.arg("--omit=dev");
        }
        process::run(&mut npm)
    })?;
    Ok(folder.join("node_modules"))
}

/// Links an installed folder: imports are looked up from the importing file, so its folder needs a
/// `node_modules`.
fn link(installed: &Path, link: &Path) -> Result<()> {
    if fs::read_link(link).is_ok_and(|old| old == installed) {
        return Ok(());
    }
    match fs::symlink_metadata(link) {
        Ok(there) if there.is_symlink() => fs::remove_file(link)?,
        // Someone ran `npm ci` by hand, or the file system has no links.
        Ok(_) => fs::remove_dir_all(link)?,
        Err(_) => {}
    }
    #[cfg(unix)]
    let linked = std::os::unix::fs::symlink(installed, link);
    #[cfg(windows)]
    let linked = std::os::windows::fs::symlink_dir(installed, link);
    linked.with_context(|| format!("cannot link {}", link.display()))
}

fn node_version() -> Result<String> {
    const OLDEST: u32 = 20;
    let version = process::output(Command::new("node").arg("--version"))
        .with_context(|| format!("Node.js {OLDEST} or newer is needed"))?;
    let major = version.trim_start_matches('v').split('.').next();
    match major.and_then(|major| major.parse::<u32>().ok()) {
        Some(major) if major >= OLDEST => Ok(version),
        _ => bail!("Node.js {OLDEST} or newer is needed; this is {version}"),
    }
}
