//! The cluster that most measurements ask about, its calls, and the cost of its board.

mod cluster;
mod hud;

use std::{path::Path, process::Command};

use anyhow::{Context, Result};
use clap::Subcommand;
use futures::{FutureExt, future::LocalBoxFuture};

use super::MeasuredCommand;
use crate::{
    machine,
    process::{Process, SimulatedSystem},
};

// A doc comment here would become that of the program.
#[derive(Subcommand)]
pub(super) enum HomelabMeasurement {
    /// Run the fake cluster until standard input ends
    Cluster,
    /// Measure what a live board of a large cluster costs
    Hud(hud::HudOptions),
}

impl MeasuredCommand for HomelabMeasurement {
    fn run(self) -> LocalBoxFuture<'static, Result<()>> {
        match self {
            Self::Cluster => cluster::run().boxed_local(),
            Self::Hud(options) => hud::run(options).boxed_local(),
        }
    }
}

/// A question as people ask it.
pub(crate) const QUESTION: &str =
    "How is the cluster doing today? Please look at every node and tell me what you see.";

/// An answer as models write them.
pub(crate) const ANSWER: &str = "## Cluster report\n\nAll **four** nodes answer; the *storage* pools are within \
their limits.\n\n| node | state | cpu |\n| --- | --- | ---: |\n| Home | online | 12 % |\n| pve | \
online | 37 % |\n\n1. The backup of VM 101 took longer than its mean.\n2. The disk behind \
`local-lvm` is 83 % full.\n\n```bash\nqm listsnapshot 101\n```\n";

/// A message that has a tool called which only reads. Five tokens, without a pause between them.
pub(crate) const GREEN: &str = "Look. [[n:5]] [[delay:0]] [[tool:get_cluster_status {}]]";
/// A message that has a tool called which waits for a person.
pub(crate) const RED: &str =
    r#"Act. [[n:5]] [[delay:0]] [[tool:start_vm {"node":"pve","vmid":101}]]"#;

/// Running containers of the simulated cluster that no manager controls.
const GUESTS: [(&str, u32); 8] = [
    ("Home", 201),
    ("pve", 210),
    ("pve", 211),
    ("pve", 212),
    ("agent1", 222),
    ("agent1", 223),
    ("agent", 230),
    ("agent", 231),
];

/// Messages like [`RED`]: the calls of the first list may run at once, and then those of the second.
pub(crate) fn acting() -> [Vec<String>; 2] {
    ["stop_container", "start_container"].map(|verb| {
        let calls = GUESTS.iter().map(|(node, vmid)| {
            format!(
                "Act. [[n:5]] [[delay:0]] [[tool:{verb} {{\"node\":\"{node}\",\"vmid\":{vmid}}}]]"
            )
        });
        calls.collect()
    })
}

/// Starts the simulated cluster; `folder` takes its log.
pub(crate) fn system(binary: &Path, folder: &Path) -> Result<SimulatedSystem> {
    let mut command = Command::new(binary);
    let mut process = Process::start(machine::OTHERS, folder, command.arg("simlab"))?;
    let base = process.told("Simulated cluster at ")?;
    let fingerprint = process.told("Certificate SHA-256: ")?;
    let token = process.told("API token: ")?;
    let (id, secret) = token.split_once('=').context("no token")?;
    let environment = vec![
        ("PROXMOX_URL", base),
        ("PROXMOX_FINGERPRINT", fingerprint),
        ("PROXMOX_TOKEN_ID", id.to_owned()),
        ("PROXMOX_TOKEN_SECRET", secret.to_owned()),
    ];
    Ok(SimulatedSystem {
        process,
        environment,
    })
}
