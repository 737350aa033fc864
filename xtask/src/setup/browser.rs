//! A Chromium for the browser tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::process;
use crate::report::timed;

/// The variable `CHROMIUM`, a browser on `PATH`, Playwright's own, or Debian's package, in this
/// order.
pub(crate) fn chromium(end2end: &Path) -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("CHROMIUM").map(PathBuf::from) {
        if !path.is_file() {
            bail!("CHROMIUM names {}, which is no file", path.display());
        }
        return Ok(path);
    }
    if let Some(path) = on_path() {
        return Ok(path);
    }
    if let Some(path) = playwrights_own(end2end) {
        return Ok(path);
    }
    if is_root()? && process::find("apt-get").is_some() {
        timed("install Debian's chromium", install)?;
        return on_path().context("Debian's chromium is installed but not on PATH");
    }
    bail!(
        "the browser tests need Chromium: install your system's package, or run `npx playwright \
         install chromium` in end2end, or name one in the variable CHROMIUM"
    );
}

fn on_path() -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find_map(process::find)
}

fn playwrights_own(end2end: &Path) -> Option<PathBuf> {
    const PRINT: &str = "console.log(require('@playwright/test').chromium.executablePath())";
    let path = process::output(
        Command::new("node")
            .current_dir(end2end)
            .args(["-e", PRINT]),
    );
    path.ok().map(PathBuf::from).filter(|path| path.is_file())
}

fn install() -> Result<()> {
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
        "chromium",
    ])
}

fn is_root() -> Result<bool> {
    if !cfg!(unix) {
        return Ok(false);
    }
    Ok(process::output(Command::new("id").arg("-u"))? == "0")
}
