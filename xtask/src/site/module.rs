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

use super::SiteTools;
use super::blank::blank;
use super::merge::merge;
use super::prune::prune;
use crate::build_profile::BuildProfile;
use crate::fingerprint::{Fingerprint, once};
use crate::process;
use crate::report::timed;
use crate::workspace::Workspace;

pub(super) const WASM: &str = "jarvis_bg.wasm";
pub(super) const SCRIPT: &str = "jarvis.js";
/// The script that loads the parts; bundled into [`SCRIPT`].
const LOADER: &str = "__wasm_split.js";
/// The part that a chat page loads on its own: help with writing, highlighting.
const FIRST: &str = "chat";
/// The module of that part, with the chunks that it shares with others: one request instead of a dozen.
pub(super) const FIRST_MODULE: &str = "split_chat.wasm";
/// The module of all other small chunks.
const SMALL_MODULE: &str = "chunk_shared.wasm";
/// The largest of them, in bytes with all names. Each larger one is worth a request of its own for a page
/// that does without it.
const SMALL: u64 = 16 * 1024;
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

/// Compiles the `frontend` crate; cargo decides whether it is up to date. `feature` is one of a dependency, such
/// as `app/x`, for a measurement.
pub(super) fn compile(
    workspace: &Workspace,
    profile: BuildProfile,
    feature: Option<&str>,
) -> Result<PathBuf> {
    let (cargo_profile, folder) = profile.wasm();
    let mut build = workspace.cargo_build("build");
    build.args([
        "--package",
        "frontend",
        "--lib",
        "--target",
        "wasm32-unknown-unknown",
        "--profile",
        cargo_profile,
    ]);
    if let Some(feature) = feature {
        build.args(["--features", feature]);
    }
    process::run(&mut build)?;
    let path = workspace.target.join("wasm32-unknown-unknown").join(folder);
    Ok(path.join("frontend.wasm"))
}

/// Makes `jarvis.js`, `jarvis_bg.wasm` and the parts in `out`.
pub(super) fn bind(tools: &SiteTools, compiled: &Path, out: &Path) -> Result<()> {
    let key = Fingerprint::of(include_str!("module.rs"))
        .with(include_bytes!("blank.rs"))
        .with(include_bytes!("merge.rs"))
        .with(include_bytes!("prune.rs"))
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
        let split = timed("split the module", || {
            split(tools.profile, compiled, &parts)
        })?;
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
fn split(profile: BuildProfile, compiled: &Path, parts: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(parts)?;
    let input =
        fs::read(compiled).with_context(|| format!("cannot read {}", compiled.display()))?;
    let input = match profile {
        BuildProfile::Dev => input,
        BuildProfile::Quick | BuildProfile::Release => {
            let mut pruned = prune(&input)?;
            blank(&mut pruned);
            pruned
        }
    };
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
    let first = split.prefetch_map.get(FIRST);
    let first = first.with_context(|| format!("no part is named {FIRST}"))?;
    gather(parts, split.split_modules, first)
}

/// Merges the chunks among the modules into two, and tells the script that loads them: those in `first`
/// with the part that needs them, and the other small ones.
fn gather(parts: &Path, modules: Vec<PathBuf>, first: &[String]) -> Result<Vec<PathBuf>> {
    let path = parts.join(LOADER);
    let mut loader = fs::read_to_string(&path)?;
    let (mut early, mut small, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for module in modules {
        let name = module.file_stem().and_then(|name| name.to_str());
        let name = name.context("a module without a name")?.to_owned();
        if first.contains(&name) {
            early.push((name, module));
        } else if name.starts_with("chunk_") && fs::metadata(&module)?.len() <= SMALL {
            small.push((name, module));
        } else {
            rest.push(module);
        }
    }
    for (file, merged) in [(FIRST_MODULE, early), (SMALL_MODULE, small)] {
        if merged.is_empty() {
            continue;
        }
        let bytes = merged.iter().map(|(_, it)| fs::read(it));
        let bytes: Vec<_> = bytes.collect::<std::io::Result<_>>()?;
        let module = parts.join(file);
        fs::write(&module, merge(&bytes)?)?;
        rest.push(module);
        let names = merged.iter().map(|(name, _)| name.as_str());
        loader = load_together(&loader, file, names)?;
    }
    fs::write(&path, loader)?;
    Ok(rest)
}

/// Makes the loads of several modules in the script the load of one file, which is only done once.
fn load_together<'a>(
    loader: &str,
    file: &str,
    modules: impl Iterator<Item = &'a str>,
) -> Result<String> {
    let together = file.trim_end_matches(".wasm");
    let mut out = loader.to_owned();
    let mut own = None;
    for name in modules {
        let (start, load, end) = match name.strip_prefix("split_") {
            Some(part) => {
                let start = format!("export const __wasm_split_load_{part} = ");
                (start, format!("wrapAsyncCb(__{together});"), "]));")
            }
            None => {
                let start = format!("const __{name} = ");
                (start, format!("__{together};"), ", []);")
            }
        };
        let from = out
            .find(&start)
            .with_context(|| format!("{LOADER} does not load {name}"))?;
        let to = out[from..]
            .find(end)
            .with_context(|| format!("{LOADER} does not load {name} as expected"))?;
        let to = from + to + end.len();
        if name.starts_with("chunk_") {
            let of_chunk = out.get(from..to).unwrap_or_default();
            own.get_or_insert_with(|| of_chunk.replace(name, together));
        }
        out.replace_range(from..to, &format!("{start}{load}"));
    }
    // Before everything that refers to it.
    let own = own.with_context(|| format!("{together} has no chunk"))?;
    let place = out
        .find("/* ")
        .with_context(|| format!("{LOADER} loads no chunk"))?;
    out.insert_str(place, &format!("{own}\n"));
    Ok(out)
}

fn generate(profile: BuildProfile, compiled: &Path, out: &Path) -> Result<()> {
    let dev = profile == BuildProfile::Dev;
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
/// puts the copies of one generic function together, which saves 2 %. Once more for functions that are
/// the same only now. Names themselves are removed at the end.
///
/// A browser compiles a function when it is called for the first time, and each costs it some 50 µs
/// beside its code: small ones with a single caller go into that. With 28 a sixth of them is gone at the
/// same size on the wire; with 40 a quarter, for 2 kB more; with 60 a third, for 7 kB more. Branches and the
/// numbers of locals are put in order last, when everything is in its place: 350 bytes.
fn shrink(tools: &SiteTools, from: &Path, to: &Path) -> Result<()> {
    if tools.profile == BuildProfile::Dev {
        fs::copy(from, to)?;
        return Ok(());
    }
    process::run(
        Command::new("node")
            .arg(tools.node_modules.join("binaryen/bin/wasm-opt"))
            .args(["-O1", "--dae-optimizing", "--inlining-optimizing"])
            .args(["--one-caller-inline-max-function-size", "28"])
            .args(["--flexible-inline-max-function-size", "0"])
            .args([
                "--duplicate-function-elimination",
                "--remove-unused-brs",
                "--vacuum",
                "--reorder-locals",
                "--reorder-functions-by-name",
            ])
            .args(FEATURES)
            .arg(from)
            .arg("--output")
            .arg(to),
    )
}

/// Bundles the script into one file, whichever snippets the crates brought along.
fn script(tools: &SiteTools, from: &Path, to: &Path) -> Result<()> {
    let mut esbuild = tools.esbuild();
    esbuild.arg(from).args(["--bundle", "--format=esm"]);
    if tools.profile != BuildProfile::Dev {
        esbuild.arg("--minify");
    }
    process::run(esbuild.arg(format!("--outfile={}", to.display())))
}

impl SiteTools {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_that_became_one_are_loaded_once() {
        let loader = "runtime();\n\
            /* chat, feed */\nconst __chunk_3 = makeLoad(() => f(\"./chunk_3.wasm\"), []);\n\
            /* feed, hud */\nconst __chunk_4 = makeLoad(() => f(\"./chunk_4.wasm\"), []);\n\
            export const __wasm_split_load_chat = \
            wrapAsyncCb(makeLoad(() => f(\"./split_chat.wasm\"), [__chunk_3]));\n";
        let names = ["chunk_3", "split_chat"].into_iter();
        assert_eq!(
            load_together(loader, FIRST_MODULE, names).unwrap(),
            "runtime();\n\
            const __split_chat = makeLoad(() => f(\"./split_chat.wasm\"), []);\n\
            /* chat, feed */\nconst __chunk_3 = __split_chat;\n\
            /* feed, hud */\nconst __chunk_4 = makeLoad(() => f(\"./chunk_4.wasm\"), []);\n\
            export const __wasm_split_load_chat = wrapAsyncCb(__split_chat);\n"
        );
        let names = ["chunk_5"].into_iter();
        assert!(load_together(loader, SMALL_MODULE, names).is_err());
    }
}
