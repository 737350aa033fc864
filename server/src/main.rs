//! The `jarvis` command with its site.

use std::process::ExitCode;

/// What the browser loads. `cargo xtask build` names the file; else it is one without a site.
static SITE: &[server::SiteFile] = include!(env!("JARVIS_SITE"));

fn main() -> ExitCode {
    server::cli::main(SITE)
}
