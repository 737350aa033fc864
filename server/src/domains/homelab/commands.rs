//! `jarvis simlab` and `jarvis node-guard`.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use clap::{Args, Subcommand};
use homelab::ssh::guard;

use super::texts;
use crate::{
    config::{LogFormat, Section},
    logging,
    subcommand::{Run, StandaloneArgs, print, runtime},
};

#[derive(Subcommand)]
pub(super) enum Command {
    /// Run the simulated cluster alone: a stand-in that speaks the Proxmox VE API
    Simlab(StandaloneArgs),
    /// Run on a node as the forced command of Jarvis's key: reads SSH_ORIGINAL_COMMAND, runs it if
    /// it only looks or restarts a listed service
    NodeGuard(GuardArgs),
}

#[derive(Args)]
pub(super) struct GuardArgs {
    /// List of units that may be restarted, one a line; only its owner may be able to write it
    #[arg(long, value_name = "FILE", default_value = guard::UNITS_FILE)]
    units: PathBuf,
    /// Seconds after which a command is killed
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    timeout: u64,
    /// Socket of the system log, for a line about each command
    #[arg(long, value_name = "SOCKET", default_value = guard::LOG_SOCKET)]
    log: PathBuf,
    /// Who must own the list
    #[arg(long, hide = true, default_value_t = 0)]
    units_owner: u32,
    /// Where stand-ins for the programs are
    #[arg(long, hide = true)]
    root: Option<PathBuf>,
}

impl Run for Command {
    fn run(self, _: &[Section]) -> anyhow::Result<ExitCode> {
        match self {
            Self::Simlab(args) => {
                logging::start("info", LogFormat::Text)?;
                runtime()?.block_on(simlab(args.port))?;
                Ok(ExitCode::SUCCESS)
            }
            Self::NodeGuard(args) => Ok(guard::main(&guard::GuardOptions {
                units: args.units,
                units_owner: args.units_owner,
                log: args.log,
                root: args.root,
                timeout: Duration::from_secs(args.timeout),
                ..guard::GuardOptions::default()
            })),
        }
    }
}

/// Runs the simulated cluster until a signal.
async fn simlab(port: u16) -> anyhow::Result<()> {
    let stop = crate::stop_signal()?;
    let options = simlab::SimlabOptions {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        ..simlab::SimlabOptions::default()
    };
    let running = simlab::start(options).await?;
    print(&texts::simulated_cluster_at(&running.base_url()))?;
    print(&texts::certificate_sha_256(&running.fingerprint()))?;
    print(&texts::api_token(&running.admin_token()))?;
    print(&texts::magic_packets_udp(&running.wake_addr()))?;
    for node in running.nodes() {
        if let (Some(address), Some(key)) = (running.ssh_addr(node), running.ssh_host_key(node)) {
            print(&texts::ssh_of(node, &address, key))?;
        }
    }
    stop.await;
    running.shutdown().await;
    Ok(())
}
