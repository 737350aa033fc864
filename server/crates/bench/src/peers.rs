//! Jarvis and a reference server under the same loads in the same run, one after the other.

mod measure;
mod socketio;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use clap::Args;

use self::{
    measure::{Both, cold_start, idle, load, tools},
    socketio::Peer,
};
use crate::{
    browser::Browser,
    domains,
    load::{BURST, STEADY},
    machine,
    process::{Measured, MeasuredWorld, Process, start_upstream},
    report::Report,
    session::BenchSession,
    texts,
};

#[derive(Args)]
pub(crate) struct PeersOptions {
    #[command(flatten)]
    measured: Measured,
    /// The folder with the reference server in `peer-node`, its packages installed
    #[arg(long, value_name = "FOLDER")]
    peers: PathBuf,
    #[command(flatten)]
    output: crate::report::ReportOutput,
}

pub(crate) async fn run(options: PeersOptions) -> Result<()> {
    machine::keep_on(machine::OTHERS)?;
    machine::open_many_files()?;
    let mut report = Report::start("peers");
    let peer = NodePeer::new(&options)?;
    let world = MeasuredWorld::start(&options.measured, domains::system)?;

    for both in STEADY.into_iter().chain([BURST]) {
        let name = match both.delay {
            0 => format!("unpaced, {} sessions", both.sessions),
            _ => format!("{} sessions", both.sessions),
        };
        eprintln!("{name} …");
        let server = world.server().await?;
        let ours = load::<BenchSession>(&server.browser, server.process.pid(), both).await?;
        drop(server);
        let process = peer.start().await?;
        let theirs = load::<Peer>(&peer.browser, process.pid(), both).await?;
        Both { ours, theirs }.report(&mut report, &name);
    }
    eprintln!("idle …");
    let server = world.server().await?;
    let ours = idle::<BenchSession>(&server.browser, server.process.pid()).await;
    drop(server);
    let process = peer.start().await?;
    let theirs = idle::<Peer>(&peer.browser, process.pid()).await;
    drop(process);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => Both { ours, theirs }.report(&mut report, "idle connections"),
        (Err(error), _) => report.note(format!("Jarvis, idle connections: {error}")),
        (_, Err(error)) => report.note(format!("The peer, idle connections: {error}")),
    }

    eprintln!("tools …");
    let server = world.server().await?;
    let ours = tools::jarvis(&server.browser).await?;
    drop(server);
    let process = peer.start().await?;
    let theirs = tools::peer(&peer.browser).await?;
    drop(process);
    Both { ours, theirs }.report(&mut report, "tools");

    eprintln!("start …");
    let (address, browser) = cold_start::place()?;
    let ours = cold_start::of(&browser, "/healthz", || world.spawn(&address)).await?;
    let theirs = cold_start::of(&peer.browser, "/api/health", || peer.spawn()).await?;
    Both { ours, theirs }.report(&mut report, "cold start");

    report.note(texts::OF_PEERS.to_owned());
    report.finish(&options.output)?;
    published(&options.peers)
}

/// Prints published figures of other products, if they are beside the peers.
fn published(folder: &Path) -> Result<()> {
    let Ok(text) = std::fs::read_to_string(folder.join("RESULTS.md")) else {
        return Ok(());
    };
    let begin = text.find("\n## 2").context("RESULTS.md has no part 2")?;
    let end = text.find("\n## 3").unwrap_or(text.len());
    println!("{}", texts::before_on_own_machine(&text[begin..end]));
    Ok(())
}

/// The reference server: Express, Socket.IO, the vendor's SDK, better-sqlite3.
struct NodePeer {
    folder: PathBuf,
    data: tempfile::TempDir,
    port: u16,
    upstream: String,
    browser: Browser,
    _upstream: Process,
}

impl NodePeer {
    fn new(options: &PeersOptions) -> Result<Self> {
        let data = tempfile::tempdir_in(&options.measured.folder)?;
        let (process, upstream) = start_upstream(data.path())?;
        let (address, browser) = cold_start::place()?;
        let port = address.rsplit(':').next().context("no port")?.parse()?;
        Ok(Self {
            folder: options.peers.join("peer-node"),
            data,
            port,
            upstream,
            browser,
            _upstream: process,
        })
    }

    fn spawn(&self) -> Result<Process> {
        let mut command = Command::new("node");
        command
            .arg(self.folder.join("server.mjs"))
            .env("PORT", self.port.to_string())
            .env("DB", self.data.path().join("peer.db"))
            .env("ANTHROPIC_BASE_URL", &self.upstream)
            .env("ANTHROPIC_API_KEY", "bench");
        Process::start(machine::SERVER, self.data.path(), &mut command)
    }

    /// Starts it and waits until it is ready.
    async fn start(&self) -> Result<Process> {
        let mut process = self.spawn()?;
        process.told("peer-node on ")?;
        Ok(process)
    }
}
