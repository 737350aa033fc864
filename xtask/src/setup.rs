//! Prerequisites of the machine, fetched once and kept in the cache.

mod apt;
pub(crate) mod browser;
pub(crate) mod deny;
pub(crate) mod npm;
pub(crate) mod prometheus;
pub(crate) mod python;
pub(crate) mod sshd;
pub(crate) mod systemd;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::fingerprint::Fingerprint;
use crate::process;
use crate::report::timed;
use crate::workspace::Workspace;

/// Ensures the standard library for the browser; rustup adds it if it is missing.
pub(crate) fn wasm_target(workspace: &Workspace) -> Result<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let folder = process::output(Command::new("rustc").current_dir(&workspace.root).args([
        "--print",
        "target-libdir",
        "--target",
        TARGET,
    ]))?;
    if Path::new(&folder).is_dir() {
        return Ok(());
    }
    if process::find("rustup").is_none() {
        bail!("the Rust toolchain has no {TARGET}: install it, or use rustup");
    }
    timed("add the wasm32 target", || {
        process::run(
            Command::new("rustup")
                .current_dir(&workspace.root)
                .args(["target", "add", TARGET]),
        )
    })
}

/// The file that says a folder of the cache is complete.
const COMPLETE: &str = ".complete";

/// Returns a folder of the cache, which `make` fills once for each key. A half-made one is made
/// again; of two runs at the same time, the second waits. `mark` is the path inside it of the file
/// that says it is complete: it lies beside whatever somebody else could delete.
fn cached(
    workspace: &Workspace,
    name: &str,
    key: Fingerprint,
    mark: &str,
    make: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let folder = workspace.cache.join(format!("{name}-{}", key.short()));
    let done = folder.join(mark);
    if done.exists() {
        return Ok(folder);
    }
    fs::create_dir_all(&workspace.cache)?;
    let lock = File::create(workspace.cache.join(format!("{name}.lock")))?;
    lock.lock().context("cannot lock the cache")?;
    if done.exists() {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    timed(&format!("fetch {name}"), || make(&folder))?;
    File::create(&done).with_context(|| format!("cannot write {}", done.display()))?;
    Ok(folder)
}
