//! Debian's service manager, and what the package of a field device's runner needs beside it.

use std::path::Path;

use anyhow::Result;

use super::apt;
use crate::report::timed;

/// Files that tests use, each with its package.
const NEEDED: [(&str, &str); 5] = [
    ("/lib/systemd/systemd", "systemd"),
    ("/lib/systemd/system/dbus.service", "dbus"),
    ("/usr/sbin/adduser", "adduser"),
    ("/usr/bin/bwrap", "bubblewrap"),
    ("/usr/sbin/ip", "iproute2"),
];

/// Installs them where that is possible. Elsewhere the tests that need them report that they are skipped.
pub(crate) fn device() -> Result<()> {
    let missing = NEEDED.iter().filter(|(file, _)| !Path::new(file).exists());
    for (_, package) in missing {
        if !apt::is_possible()? {
            break;
        }
        timed(&format!("install Debian's {package}"), || {
            apt::install(package)
        })?;
    }
    Ok(())
}
