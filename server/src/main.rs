//! The `jarvis` command with its site.

use std::process::ExitCode;

/// The files that the browser loads. `cargo xtask build` sets the variable; otherwise the site is
/// empty.
static SITE: &[server::SiteFile] = include!(env!("JARVIS_SITE"));

fn main() -> ExitCode {
    server::cli::main(SITE)
}
