//! The WebAssembly module and its JavaScript: compile, split, bind, shrink.
//!
//! Code that only one page needs is split off the module and loaded with that page. The split
//! follows the relocations that the linker leaves (see `frontend/build.rs`); the script loads the
//! parts.

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
/// The script that loads the parts; bundled into [`SCRIPT`].
const LOADER: &str = "__wasm_split.js";
/// The rest of the module after the parts are split off.
const MAIN: &str = "main.wasm";

/// Features that rustc enables for wasm32 by default; every browser has had them since 2022.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Compiles the `frontend` crate; cargo decides whether it is up to date.
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

/// Makes `jarvis.js`, `jarvis_bg.wasm` and the parts in `out`.
pub(super) fn bind(tools: &Tools, compiled: &Path, out: &Path) -> Result<()> {
    let key = Fingerprint::of(include_str!("module.rs"))
        .with(tools.node_modules.to_string_lossy().as_bytes())
        .with_file(compiled)?;
    let stamp = out.with_extension("stamp");
    once(&stamp, key, || {
        let bound = out.with_extension("bound");
        let parts = out.with_extension("parts");
        for folder in [out, &bound, &parts] {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
        }
        fs::create_dir_all(out)?;
        let split = timed("split the module", || split(compiled, &parts))?;
        let main = parts.join(MAIN);
        timed("wasm-bindgen", || generate(tools.profile, &main, &bound))?;
        fs::copy(parts.join(LOADER), bound.join(LOADER))?;
        timed("shrink the module", || {
            shrink(tools, &bound.join(WASM), &out.join(WASM))?;
            for part in &split {
                let name = part.file_name().context("a part without a name")?;
                shrink(tools, part, &out.join(name))?;
            }
            Ok(())
        })?;
        timed("bundle the script", || {
            script(tools, &bound.join(SCRIPT), &out.join(SCRIPT))
        })
    })?;
    Ok(())
}

/// Splits the module into [`MAIN`] and its parts; returns the files of the parts.
fn split(compiled: &Path, parts: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(parts)?;
    let input =
        fs::read(compiled).with_context(|| format!("cannot read {}", compiled.display()))?;
    let main = parts.join(MAIN);
    let loader = format!("./{LOADER}");
    let script = format!("./{SCRIPT}");
    let mut options = wasm_split_cli_support::Options::new(&input);
    options.output_dir = parts;
    options.main_out_path = &main;
    options.link_name = &loader;
    options.main_module = &script;
    let split = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow::anyhow!("{error:#}"))
        .context("the module cannot be split")?;
    Ok(split.split_modules)
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
        // The parts are linked against the linker's exports.
        .keep_lld_exports(true)
        .demangle(false)
        .generate(out)
        .context("wasm-bindgen")
}

/// Shrinks a module; the options minimise its size on the wire. `-Oz` makes fewer bytes, but 9 %
/// more after brotli, and takes long; the compiler has optimised for size already. Sorting by name
/// puts the copies of one generic function together, which saves 2 %. Names themselves are removed
/// at the end.
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

/// Bundles the script into one file, whichever snippets the crates brought along.
fn script(tools: &Tools, from: &Path, to: &Path) -> Result<()> {
    let mut esbuild = tools.esbuild();
    esbuild.arg(from).args(["--bundle", "--format=esm"]);
    if tools.profile != Profile::Dev {
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
