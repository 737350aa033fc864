//! The build: first the site, then the binary that embeds it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow};

use crate::build_profile::BuildProfile;
use crate::report::{seconds, timed};
use crate::workspace::Workspace;
use crate::{process, site};

/// The wanted size of the released binary, with its site: 40 MiB.
const BINARY_BUDGET: u64 = 40 * 1024 * 1024;

/// Builds everything and returns the path of the `jarvis` binary.
pub(crate) fn all(workspace: &Workspace, profile: BuildProfile) -> Result<PathBuf> {
    let started = Instant::now();
    // The server's library does not need the site. Building it beside the module costs little:
    // linking and shrinking the module uses only one core.
    let site = thread::scope(|scope| {
        let library =
            scope.spawn(|| process::run(server(workspace, profile).args(["--lib", "--quiet"])));
        let site = site::build(workspace, profile)?;
        library.join().map_err(|_| anyhow!("a build stopped"))??;
        anyhow::Ok(site)
    })?;
    timed("build the server", || {
        process::run(binary(workspace, profile).env("JARVIS_SITE", &site))
    })?;
    eprintln!("built in {}", seconds(started.elapsed()));
    let (_, folder) = profile.server();
    let file = format!("jarvis{}", std::env::consts::EXE_SUFFIX);
    let binary = workspace.target.join(folder).join(file);
    if profile == BuildProfile::Release {
        let size = fs::metadata(&binary)?.len();
        let percent = size * 100 / BINARY_BUDGET;
        eprintln!("    the binary: {size} bytes, {percent} % of {BINARY_BUDGET}");
    }
    Ok(binary)
}

fn server(workspace: &Workspace, profile: BuildProfile) -> Command {
    let mut build = workspace.cargo_build("build");
    build.args(["--package", "server", "--profile", profile.server().0]);
    build
}

/// Returns the command that links the binary. What is shipped is linked for size, where Rust brings
/// the linker itself, because not every other one can.
fn binary(workspace: &Workspace, profile: BuildProfile) -> Command {
    let can_shrink = cfg!(all(
        target_os = "linux",
        target_arch = "x86_64",
        target_env = "gnu"
    ));
    if profile != BuildProfile::Release || !can_shrink {
        let mut build = server(workspace, profile);
        build.args(["--bin", "jarvis"]);
        return build;
    }
    let mut build = workspace.cargo_build("rustc");
    build.args(["--package", "server", "--profile", profile.server().0]);
    build.args(["--bin", "jarvis", "--"]);
    // One of several functions with the same machine code, of which generic code makes many: 1.5 MB.
    build.args(["-C", "link-arg=-Wl,--icf=all"]);
    if knows_packed_relocations() {
        // 1.4 MB of addresses as a map of bits.
        build.args(["-C", "link-arg=-Wl,-z,pack-relative-relocs"]);
    }
    build
}

/// Returns whether this machine's C library starts binaries with packed relocations, as glibc does since 2.36.
/// One that is built here may need as much of the machine that runs it.
fn knows_packed_relocations() -> bool {
    let mut asked = Command::new("getconf");
    let answer = process::output(asked.arg("GNU_LIBC_VERSION")).unwrap_or_default();
    is_since_2_36(&answer)
}

/// Reads an answer such as `glibc 2.36`.
fn is_since_2_36(answer: &str) -> bool {
    let version = answer.trim().strip_prefix("glibc 2.");
    let minor = version.and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    minor.is_some_and(|minor| minor >= 36)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_c_library_gets_plain_relocations() {
        for (answer, packed) in [
            ("glibc 2.36\n", true),
            ("glibc 2.41", true),
            ("glibc 2.36.1", true),
            ("glibc 2.35\n", false),
            ("glibc 2.4\n", false),
            ("musl", false),
            ("", false),
        ] {
            assert_eq!(is_since_2_36(answer), packed, "{answer}");
        }
    }
}
