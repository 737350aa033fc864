//! Bundles `style/main.css` and `style/pages.css`, each with its imports, into two style sheets.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use super::SiteTools;
use crate::build_profile::BuildProfile;
use crate::fingerprint::{Fingerprint, once};
use crate::process;
use crate::report::timed;

/// The sheet of all pages.
pub(super) const STYLE: &str = "main.css";
/// The further sheet of the pages without the module.
const PAGES: &str = "pages.css";
pub(super) const STYLES: [&str; 2] = [STYLE, PAGES];

/// Makes the sheets in `out`, and beside them the fonts and pictures that it names by relative paths,
/// with a hash in their names. SVG drawings become part of the sheet.
pub(super) fn bundle(tools: &SiteTools, folder: &Path, out: &Path) -> Result<()> {
    let entries = STYLES.map(|name| folder.join(name));
    if let Some(entry) = entries.iter().find(|entry| !entry.is_file()) {
        bail!("{} is missing", entry.display());
    }
    let key = Fingerprint::of(include_str!("style.rs"))
        .with(tools.node_modules.to_string_lossy().as_bytes())
        .with_folder(folder)?;
    once(&out.with_extension("stamp"), key, || {
        timed("bundle the style sheets", || {
            if out.exists() {
                fs::remove_dir_all(out)?;
            }
            let mut esbuild = tools.esbuild();
            esbuild.args(entries).args([
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
            process::run(esbuild.arg(format!("--outdir={}", out.display())))
        })
    })?;
    Ok(())
}
