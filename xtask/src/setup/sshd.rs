//! OpenSSH's server, as on a node.

use std::path::Path;

use anyhow::Result;

use super::apt;
use crate::report::timed;

const SSHD: &str = "/usr/sbin/sshd";

/// Installs it where that is possible. Elsewhere the tests that need it report that they are
/// skipped.
pub(crate) fn server() -> Result<()> {
    if Path::new(SSHD).exists() || !apt::is_possible()? {
        return Ok(());
    }
    timed("install Debian's openssh-server", || {
        apt::install("openssh-server")
    })
}
