//! The chart's module: klinecharts and our glue in one file, loaded only by the page of the chart,
//! and the licences of its contents.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::SiteTools;
use crate::build_profile::BuildProfile;
use crate::fingerprint::{Fingerprint, once};
use crate::process;
use crate::report::timed;
use crate::setup;
use crate::workspace::Workspace;

pub(super) const CHART: &str = "chart.js";
pub(super) const LICENSES: &str = "chart-licenses.txt";
const LIBRARY: &str = "klinecharts";

/// Files that the library's licence requires us to pass on.
const TEXTS: [&str; 3] = ["NOTICE", "LICENSE", "licenses/LICENSE-lightweight-charts"];

/// Makes [`CHART`] and [`LICENSES`] in `out`.
pub(super) fn bundle(workspace: &Workspace, tools: &SiteTools, out: &Path) -> Result<()> {
    let node_modules = setup::npm::chart(workspace)?;
    let sources = workspace.root.join("frontend/chart/src");
    // The folders of npm's packages are named after their contents.
    let key = Fingerprint::of(include_str!("chart.rs"))
        .with(tools.node_modules.to_string_lossy().as_bytes())
        .with(node_modules.to_string_lossy().as_bytes())
        .with_folder(&sources)?;
    once(&out.with_extension("stamp"), key, || {
        timed("bundle the chart", || {
            if out.exists() {
                fs::remove_dir_all(out)?;
            }
            fs::create_dir_all(out)?;
            let library = node_modules.join(LIBRARY);
            let licenses = licenses(&library)?;
            fs::write(out.join(LICENSES), licenses)?;
            let entry = library.join("dist/index.esm.js");
            let mut esbuild = tools.esbuild();
            esbuild
                .arg(sources.join("index.ts"))
                .args(["--bundle", "--format=esm", "--legal-comments=none"])
                .arg(format!("--alias:{LIBRARY}={}", entry.display()))
                .arg(format!(
                    "--banner:js=/*! {LIBRARY}, Apache-2.0: /{LICENSES} */"
                ));
            if tools.profile != BuildProfile::Dev {
                esbuild.arg("--minify");
            }
            process::run(esbuild.arg(format!("--outfile={}", out.join(CHART).display())))
        })
    })?;
    Ok(())
}

/// Returns the library's licence texts.
fn licenses(library: &Path) -> Result<String> {
    let read = |name: &str| {
        let path = library.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let package: Value = serde_json::from_str(&read("package.json")?)?;
    let version = package["version"].as_str().unwrap_or("unknown");
    let mut text = format!("{CHART} holds {LIBRARY} {version}, which comes with these texts.\n");
    for name in TEXTS {
        text += &format!("\n==== {name} ====\n\n{}\n", read(name)?.trim());
    }
    Ok(text)
}
