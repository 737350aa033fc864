//! The examples of docs/agui.md, whose types are checked against the packages that they name.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::process;
use crate::setup;
use crate::workspace::Workspace;

const COPIED: [&str; 4] = [
    "assistant-ui.tsx",
    "imports.d.ts",
    "tsconfig.json",
    "tsconfig.page.json",
];

/// Checks copies: the compiler reads no script inside a page, so that is a file of its own beside them.
pub(super) fn check(workspace: &Workspace) -> Result<()> {
    let from = workspace.root.join("docs/examples/agui");
    let folder = workspace.target.join("docs-examples/agui");
    fs::create_dir_all(&folder)?;
    setup::npm::examples(workspace, &folder)?;
    for file in COPIED {
        fs::copy(from.join(file), folder.join(file))
            .with_context(|| format!("cannot copy {file}"))?;
    }
    let page = fs::read_to_string(from.join("page.html"))?;
    let script = script(&page).context("page.html has no script")?;
    fs::write(folder.join("page.js"), script)?;
    let tsc = folder.join("node_modules/typescript/bin/tsc");
    for project in ["tsconfig.json", "tsconfig.page.json"] {
        process::run(Command::new("node").current_dir(&folder).arg(&tsc).args([
            "--noEmit",
            "--project",
            project,
        ]))?;
    }
    Ok(())
}

/// Returns the script of a page.
fn script(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<script type=\"module\">\n")?;
    let (script, _) = rest.split_once("</script>")?;
    Some(script)
}
