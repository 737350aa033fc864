//! `jarvis config check`: every setting with its source, and the files with secrets that the server would refuse.

use std::process::ExitCode;

use crate::{
    config::Config,
    mcp_servers,
    subcommand::{REFUSED, print, report, runtime},
    webhook_tasks,
};

/// Prints the settings, and reports what a start would refuse.
///
/// # Errors
/// Standard output or threads failed.
pub(crate) fn check(config: &Config) -> anyhow::Result<ExitCode> {
    let shown = config.shown.iter();
    let width = shown.map(|(key, ..)| key.len()).max().unwrap_or(0);
    for (key, value, source) in &config.shown {
        print(&format!("{key:width$}  {value}  ({source})"))?;
    }
    let runtime = runtime()?;
    // Clients are made as at a start, and connect to nothing.
    let _inside = runtime.enter();
    let webhooks = config.webhooks.iter();
    let webhooks = webhooks.map(|endpoint| webhook_tasks::sender(endpoint).map(drop));
    let servers = config.mcp.iter();
    let servers = servers.map(|server| mcp_servers::connection_of(server).map(drop));
    let faults: Vec<_> = webhooks.chain(servers).filter_map(Result::err).collect();
    for fault in &faults {
        report(&format!("jarvis: {fault:#}"));
    }
    Ok(if faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(REFUSED)
    })
}
