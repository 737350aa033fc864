//! Debian's Prometheus, which a test has read the metrics and check the alert rules.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::apt;
use crate::process;
use crate::report::timed;

const PROMETHEUS: &str = "/usr/bin/prometheus";
/// Exists while systemd runs the machine.
const SYSTEMD_RUNS: &str = "/run/systemd/system";

/// Installs it where that is possible. Elsewhere the test that needs it reports that it is skipped.
pub(crate) fn server() -> Result<()> {
    if Path::new(PROMETHEUS).exists() || !apt::is_possible()? {
        return Ok(());
    }
    timed("install Debian's prometheus", || {
        // The package starts a service, now and with the machine; nobody asked for one here.
        if Path::new(SYSTEMD_RUNS).exists() {
            process::run(Command::new("systemctl").args(["mask", "prometheus.service"]))?;
        }
        apt::install("prometheus")
    })
}
