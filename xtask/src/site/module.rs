//! The WebAssembly module and its JavaScript: compile, bind, shrink.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use wasm_bindgen_cli_support::Bindgen;

use super::Tools;
use crate::build::Profile;
use crate::fingerprint::{Fingerprint, once};
use crate::process;
use crate::report::timed;
use crate::workspace::Workspace;

pub(super) const WASM: &str = "jarvis_bg.wasm";
pub(super) const SCRIPT: &str = "jarvis.js";

/// What rustc turns on for wasm32 by itself; every browser has had it since 2022.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Compiles the `frontend` crate; cargo knows what is fresh.
pub(super) fn compile(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    let (cargo_profile, folder) = profile.wasm();
    process::run(workspace.cargo_build().args([
        "--package",
        "frontend",
        "--lib",
        "--target",
        "wasm32-unknown-unknown",
        "--profile",
        cargo_profile,
    ]))?;
    let path = workspace.target.join("wasm32-unknown-unknown").join(folder);
    Ok(path.join("frontend.wasm"))
}

/// Makes `jarvis.js` and `jarvis_bg.wasm` in `out`.
pub(super) fn bind(tools: &Tools, compiled: &Path, out: &Path) -> Result<()> {
    let key = Fingerprint::of(include_str!("module.rs"))
        .with(tools.node_modules.to_string_lossy().as_bytes())
        .with_file(compiled)?;
    let stamp = out.with_extension("stamp");
    once(&stamp, key, || {
        let bound = out.with_extension("bound");
        for folder in [out, &bound] {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
        }
        fs::create_dir_all(out)?;
        timed("wasm-bindgen", || generate(tools.profile, compiled, &bound))?;
        timed("shrink the module", || {
            shrink(tools, &bound.join(WASM), &out.join(WASM))
        })?;
        timed("bundle the script", || {
            script(tools, &bound.join(SCRIPT), &out.join(SCRIPT))
        })
    })?;
    Ok(())
}

fn generate(profile: Profile, compiled: &Path, out: &Path) -> Result<()> {
    let dev = profile == Profile::Dev;
    Bindgen::new()
        .input_path(compiled)
        .out_name("jarvis")
        .web(true)?
        .typescript(false)
        .omit_default_module_path(false)
        .debug(dev)
        .keep_debug(dev)
        .remove_producers_section(!dev)
        .generate(out)
        .context("wasm-bindgen")
}

/// Chosen by what the network carries. `-Oz` makes fewer bytes, but 9 % more after brotli, and takes
/// long; the compiler has optimised for size already. By name, the copies of one generic function
/// stand together, which is worth 2 %. Names themselves are left out at the end.
fn shrink(tools: &Tools, from: &Path, to: &Path) -> Result<()> {
    if tools.profile == Profile::Dev {
        fs::copy(from, to)?;
        return Ok(());
    }
    process::run(
        Command::new("node")
            .arg(tools.node_modules.join("binaryen/bin/wasm-opt"))
            .args(["-O1", "--dae-optimizing", "--reorder-functions-by-name"])
            .args(FEATURES)
            .arg(from)
            .arg("--output")
            .arg(to),
    )
}

/// One file, whatever snippets the crates brought along.
fn script(tools: &Tools, from: &Path, to: &Path) -> Result<()> {
    let mut esbuild = tools.esbuild();
    esbuild.arg(from).args(["--bundle", "--format=esm"]);
    if tools.profile == Profile::Release {
        esbuild.arg("--minify");
    }
    process::run(esbuild.arg(format!("--outfile={}", to.display())))
}

impl Tools {
    pub(super) fn esbuild(&self) -> Command {
        let mut command = Command::new("node");
        command
            .arg(self.node_modules.join("esbuild/bin/esbuild"))
            .args([
                "--log-level=warning",
                "--target=chrome120,firefox121,safari17",
            ]);
        command
    }
}
