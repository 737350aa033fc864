//! Builds and starts the server in the foreground.

use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};

use crate::build;
use crate::build_profile::BuildProfile;
use crate::workspace::Workspace;

/// On Unix the server replaces this process: signals and the exit code are then its own.
pub(crate) fn run(
    workspace: &Workspace,
    profile: BuildProfile,
    args: &[String],
) -> Result<ExitCode> {
    let binary = build::all(workspace, profile)?;
    let mut server = Command::new(&binary);
    server.arg("serve").args(args);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        let error = server.exec();
        Err(error).with_context(|| format!("cannot start {}", binary.display()))
    }
    #[cfg(not(unix))]
    {
        let status = server
            .status()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
    }
}
