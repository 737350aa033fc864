//! Bundles `style/main.css` and its imports into one style sheet.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use super::SiteTools;
use crate::build::BuildProfile;
use crate::fingerprint::{Fingerprint, once};
use crate::process;
use crate::report::timed;

pub(super) const STYLE: &str = "main.css";

/// Makes `main.css` in `out`, and beside it the fonts and pictures that it names by relative paths,
/// with a hash in their names. SVG drawings become part of the sheet.
pub(super) fn bundle(tools: &SiteTools, folder: &Path, out: &Path) -> Result<()> {
    let entry = folder.join(STYLE);
    if !entry.is_file() {
        bail!("{} is missing", entry.display());
    }
    let key = Fingerprint::of(include_str!("style.rs"))
        .with(tools.node_modules.to_string_lossy().as_bytes())
        .with_folder(folder)?;
    once(&out.with_extension("stamp"), key, || {
        timed("bundle the style sheet", || {
            if out.exists() {
                fs::remove_dir_all(out)?;
            }
            let mut esbuild = tools.esbuild();
            esbuild.arg(entry).args([
                "--bundle",
                "--asset-names=[name].[hash]",
                "--loader:.svg=dataurl",
                "--loader:.png=file",
                "--loader:.webp=file",
                "--loader:.woff2=file",
            ]);
            if tools.profile != BuildProfile::Dev {
                esbuild.arg("--minify");
            }
            process::run(esbuild.arg(format!("--outfile={}", out.join(STYLE).display())))
        })
    })?;
    Ok(())
}
