//! A Chromium for the browser tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::apt;
use crate::process;
use crate::report::timed;

/// Finds a Chromium: the variable `CHROMIUM`, then `chromium` on `PATH`, Playwright's, Google's,
/// Debian's package.
pub(crate) fn chromium(end2end: &Path) -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("CHROMIUM").map(PathBuf::from) {
        if !path.is_file() {
            bail!("CHROMIUM names {}, which is no file", path.display());
        }
        return Ok(path);
    }
    let installed = process::find("chromium")
        .or_else(|| playwrights_own(end2end))
        .or_else(|| process::find("google-chrome"));
    if let Some(path) = installed {
        return Ok(path);
    }
    if apt::is_possible()? {
        timed("install Debian's chromium", || apt::install("chromium"))?;
        return process::find("chromium").context("Debian's chromium is installed but not on PATH");
    }
    bail!(
        "the browser tests need Chromium: install your system's package, or run `npx playwright \
         install chromium` in end2end, or name one in the variable CHROMIUM"
    );
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
