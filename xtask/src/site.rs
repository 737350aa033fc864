//! The site: everything that the browser loads, as one folder that the server embeds.

mod blank;
mod chart;
mod manifest;
mod merge;
mod module;
mod pack;
mod prune;
mod style;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

pub(crate) use self::manifest::Manifest;
use crate::build_profile::BuildProfile;
use crate::report::timed;
use crate::setup;
use crate::workspace::Workspace;

/// The largest size of the module on the wire, in bytes after brotli, with the paths of a checkout, which
/// are in it.
const MODULE_BUDGET: u64 = 420_000;

/// The largest size of a part of the module, which is loaded only with its page.
const PART_BUDGET: u64 = 60_000;

/// The largest size of all files of a chat page, which a browser loads once: with the page itself, at
/// most 490 KiB. `end2end/specs/weight.spec.ts` counts the requests of such a page.
const CHAT_BUDGET: u64 = 489_000;

/// The files of a chat page.
const CHAT: [&str; 4] = [
    module::SCRIPT,
    module::WASM,
    style::STYLE,
    module::FIRST_MODULE,
];

/// The largest size of the chart's module, which is loaded only with its page.
const CHART_BUDGET: u64 = 75_000;

/// The tools from npm that turn sources into files for the browser.
struct SiteTools {
    node_modules: PathBuf,
    profile: BuildProfile,
}

/// Builds changed parts and returns the table of files that the server's binary includes.
pub(crate) fn build(workspace: &Workspace, profile: BuildProfile) -> Result<PathBuf> {
    build_in(workspace, profile, &folder(workspace, profile), None)
}

/// Builds a site in this folder; with a feature of a dependency, one for a measurement.
fn build_in(
    workspace: &Workspace,
    profile: BuildProfile,
    site: &Path,
    feature: Option<&str>,
) -> Result<PathBuf> {
    setup::wasm_target(workspace)?;
    let tools = SiteTools {
        node_modules: setup::npm::tools(workspace)?,
        profile,
    };
    let work = site.with_extension("work");

    let compiled = timed("build the browser's module", || {
        module::compile(workspace, profile, feature)
    })?;
    module::bind(&tools, &compiled, &work.join("module"))?;
    style::bundle(&tools, &workspace.root.join("style"), &work.join("style"))?;
    chart::bundle(workspace, &tools, &work.join("chart"))?;
    pack::pack(&tools, &work, &workspace.root.join("public"), site)?;
    let table = work.join("site.rs");
    Manifest::read(site)?.write_table(site, &table)?;
    Ok(table)
}

/// Builds the release site with a feature and as it is; returns the weight of the base of both, in bytes after
/// brotli: the module that every page loads, without its parts.
pub(crate) fn bases(workspace: &Workspace, feature: &str) -> Result<[u64; 2]> {
    let profile = BuildProfile::Release;
    let usual = folder(workspace, profile);
    let measured = usual.with_file_name("measured");
    build_in(workspace, profile, &measured, Some(feature))?;
    // Last, so that the target folder has the product's module.
    build_in(workspace, profile, &usual, None)?;
    let base = |site: &Path| weight(&Manifest::read(site)?, module::WASM);
    Ok([base(&measured)?, base(&usual)?])
}

/// Returns the chart's module of a release build, as the bundler made it.
pub(crate) fn chart(workspace: &Workspace) -> PathBuf {
    let work = folder(workspace, BuildProfile::Release).with_extension("work");
    work.join("chart").join(chart::CHART)
}

fn folder(workspace: &Workspace, profile: BuildProfile) -> PathBuf {
    let name = match profile {
        BuildProfile::Release | BuildProfile::Quick => "release",
        BuildProfile::Dev => "dev",
    };
    workspace.target.join("jarvis-site").join(name)
}

/// Returns the files of a release build.
pub(crate) fn manifest(workspace: &Workspace) -> Result<Manifest> {
    Manifest::read(&folder(workspace, BuildProfile::Release))
}

/// Fails if the module of a release build, a part of it or a page's files are too large.
pub(crate) fn check_budget(workspace: &Workspace) -> Result<()> {
    let manifest = manifest(workspace)?;
    let weight = |name: &str| weight(&manifest, name);
    let is_part = |name: &str| name.ends_with(".wasm") && name != module::WASM;
    for (name, _) in manifest.files().filter(|(name, _)| is_part(name)) {
        check(name, weight(name)?, PART_BUDGET)?;
    }
    check(chart::CHART, weight(chart::CHART)?, CHART_BUDGET)?;
    check("the module", weight(module::WASM)?, MODULE_BUDGET)?;
    let chat: Result<Vec<_>> = CHAT.into_iter().map(weight).collect();
    let name = format!("the {} files of a chat page", CHAT.len());
    check(&name, chat?.iter().sum(), CHAT_BUDGET)
}

/// The size of a file on the wire, in bytes.
fn weight(manifest: &Manifest, name: &str) -> Result<u64> {
    let file = manifest.get(name);
    let file = file.with_context(|| format!("the site has no {name}"))?;
    Ok(file.br.unwrap_or(file.size))
}

/// Prints a weight after brotli, and fails if it is over its budget.
fn check(name: &str, weight: u64, budget: u64) -> Result<()> {
    if weight > budget {
        let over = weight - budget;
        bail!("{name}: {weight} bytes after brotli, {over} over the budget of {budget}");
    }
    let share = weight * 100 / budget;
    eprintln!("    {name}: {weight} bytes after brotli, {share} % of the budget of {budget}");
    Ok(())
}
