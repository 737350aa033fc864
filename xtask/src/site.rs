//! The site: everything that the browser loads, as one folder that the server embeds.

mod chart;
mod manifest;
mod module;
mod pack;
mod style;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

pub(crate) use self::manifest::Manifest;
use crate::build::Profile;
use crate::report::timed;
use crate::setup;
use crate::workspace::Workspace;

/// The largest size of the module on the wire, in bytes after brotli.
const MODULE_BUDGET: u64 = 470_000;

/// The largest size of a part of the module, which is loaded only with its page.
const PART_BUDGET: u64 = 120_000;

/// The largest size of the chart's module, which is loaded only with its page.
const CHART_BUDGET: u64 = 75_000;

/// The tools from npm that turn sources into files for the browser.
struct Tools {
    node_modules: PathBuf,
    profile: Profile,
}

/// Builds changed parts and returns the table of files that the server's binary includes.
pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    setup::wasm_target(workspace)?;
    let tools = Tools {
        node_modules: setup::npm::tools(workspace)?,
        profile,
    };
    let site = folder(workspace, profile);
    let work = site.with_extension("work");

    let compiled = timed("build the browser's module", || {
        module::compile(workspace, profile)
    })?;
    module::bind(&tools, &compiled, &work.join("module"))?;
    style::bundle(&tools, &workspace.root.join("style"), &work.join("style"))?;
    chart::bundle(workspace, &tools, &work.join("chart"))?;
    pack::pack(&tools, &work, &workspace.root.join("public"), &site)?;
    let table = work.join("site.rs");
    Manifest::read(&site)?.write_table(&site, &table)?;
    Ok(table)
}

/// Returns the chart's module of a release build, as the bundler made it.
pub(crate) fn chart(workspace: &Workspace) -> PathBuf {
    let work = folder(workspace, Profile::Release).with_extension("work");
    work.join("chart").join(chart::CHART)
}

fn folder(workspace: &Workspace, profile: Profile) -> PathBuf {
    let name = match profile {
        Profile::Release | Profile::Quick => "release",
        Profile::Dev => "dev",
    };
    workspace.target.join("jarvis-site").join(name)
}

/// Fails if the module of a release build is too large.
pub(crate) fn check_budget(workspace: &Workspace) -> Result<()> {
    let site = folder(workspace, Profile::Release);
    let manifest = Manifest::read(&site)?;
    let module = manifest
        .get(module::WASM)
        .context("the site has no module")?;
    let weight = module.br.unwrap_or(module.size);
    if weight > MODULE_BUDGET {
        bail!(
            "the module weighs {weight} bytes after brotli ({} before), {} over its budget of \
             {MODULE_BUDGET}",
            module.size,
            weight - MODULE_BUDGET
        );
    }
    for (name, file) in manifest.files() {
        if name.ends_with(".wasm") && name != module::WASM {
            let weight = file.br.unwrap_or(file.size);
            if weight > PART_BUDGET {
                bail!("{name} weighs {weight} bytes after brotli, more than {PART_BUDGET}");
            }
            eprintln!("    {name}: {weight} bytes after brotli");
        }
    }
    let file = manifest
        .get(chart::CHART)
        .context("the site has no chart")?;
    let chart = file.br.unwrap_or(file.size);
    if chart > CHART_BUDGET {
        bail!("the chart's module weighs {chart} bytes after brotli, more than {CHART_BUDGET}");
    }
    eprintln!("    {}: {chart} bytes after brotli", chart::CHART);
    eprintln!(
        "    module: {weight} bytes after brotli, {} % of its budget of {MODULE_BUDGET}",
        weight * 100 / MODULE_BUDGET
    );
    Ok(())
}
