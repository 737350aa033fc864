//! The folders of the workspace: the checkout, the target folder and the cache.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};
use cargo_metadata::MetadataCommand;

pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// Cargo's target folder; the sites are built in it too.
    pub(crate) target: PathBuf,
    /// Files that are slow to fetch and the same for every checkout.
    pub(crate) cache: PathBuf,
}

/// Returns the folder of this program's sources: of the checkout in which Cargo runs it, because a
/// target folder that two checkouts share holds one program for both.
pub(crate) fn own_folder() -> PathBuf {
    let now = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    now.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into())
}

impl Workspace {
    pub(crate) fn find() -> Result<Self> {
        let manifest = own_folder().join("Cargo.toml");
        let metadata = MetadataCommand::new()
            .manifest_path(manifest)
            .no_deps()
            .exec()
            .context("cargo metadata")?;
        Ok(Self {
            root: metadata.workspace_root.into(),
            target: metadata.target_directory.into(),
            cache: cache_folder()?,
        })
    }

    /// Returns the command that builds one half of the product: `build`, or `rustc` where one crate
    /// needs an argument more. Both halves must have view types
    /// erased, or the page that the server renders is not the one that the module expects; it makes
    /// the module a sixth smaller.
    pub(crate) fn cargo_build(&self, subcommand: &str) -> Command {
        let mut command = self.cargo(subcommand);
        command.args([
            "--config",
            r#"build.rustflags=["--cfg", "erase_components"]"#,
        ]);
        command
    }

    /// Returns a cargo command in the workspace, without the variables that `cargo run` set for
    /// this process: build scripts watch some of them and would run again at every change between
    /// the two.
    pub(crate) fn cargo(&self, subcommand: &str) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.current_dir(&self.root).arg(subcommand);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let inherited = [
                "CARGO_PKG_",
                "CARGO_MANIFEST_",
                "CARGO_BIN_",
                "CARGO_CRATE_",
            ];
            if inherited.iter().any(|prefix| text.starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        command
    }
}

fn cache_folder() -> Result<PathBuf> {
    let from = |name| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = from("XDG_CACHE_HOME")
        .or_else(|| from("HOME").map(|home| home.join(".cache")))
        .or_else(|| from("LOCALAPPDATA"))
        .context("no place for caches: neither XDG_CACHE_HOME nor HOME is set")?;
    Ok(base.join("jarvis"))
}
