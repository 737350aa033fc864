//! One life: a fresh folder and fresh stand-ins, a death, a life after it, and what is left.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use protocol::{ConversationId, Timestamp};
use tempfile::TempDir;

use crate::{
    check::{self, Told},
    ledger::Ledger,
    process::{self, Server, Start},
    scenario::{self, Scenario},
    standins::StandIns,
    tab::{self, Tab, Visit},
};

/// A whole cycle takes less.
const PATIENCE: Duration = Duration::from_secs(90);

/// What came of a kill.
pub(crate) struct Survived {
    pub(crate) kills: usize,
    /// From the start of the last process until the tab had all it missed.
    pub(crate) recovery: Duration,
    pub(crate) told: Told,
}

/// One life to be lived.
pub(crate) struct Cycle {
    binary: Arc<PathBuf>,
    scenario: Arc<Scenario>,
}

/// What a cycle has.
struct Stage {
    folder: TempDir,
    stand_ins: StandIns,
    ledger: Ledger,
    tab: Tab,
}

impl Cycle {
    pub(crate) fn new(binary: &Arc<PathBuf>, scenario: &Arc<Scenario>) -> Self {
        Self {
            binary: Arc::clone(binary),
            scenario: Arc::clone(scenario),
        }
    }

    /// Lives through the scenario without a fault. Gives the points that were passed.
    pub(crate) async fn count(self) -> anyhow::Result<Vec<String>> {
        let mut stage = self.stage().await?;
        let work = async {
            let Start::Up(server) = self.start(&stage, 0).await? else {
                bail!("the server did not start");
            };
            let Visit::Done(_) = self.visit(&mut stage.tab, &server).await? else {
                bail!("the server was lost");
            };
            let points = process::points(stage.folder.path(), 0)?;
            let told = self.check(&stage, *server, 0).await?;
            ensure!(
                told.unknown + told.not_done == 0,
                "not everything was done: {told:?}"
            );
            Ok(points)
        };
        let result = within(work).await;
        result.with_context(|| errors(stage.folder.path()))
    }

    /// Lives through the scenario, with a death at this point.
    pub(crate) async fn kill_at(self, at: u64) -> anyhow::Result<Survived> {
        let mut stage = self.stage().await?;
        let work = self.die_and_live(&mut stage, at);
        let result = within(work).await;
        result.with_context(|| errors(stage.folder.path()))
    }

    async fn die_and_live(&self, stage: &mut Stage, at: u64) -> anyhow::Result<Survived> {
        let mut deaths = vec![at];
        if self.scenario.again {
            // In the first steps of the next life, each time at another one.
            deaths.push(10 + at * 7 % 23);
        }
        deaths.push(0);
        let mut pids = Vec::new();
        for at in deaths {
            let started = Instant::now();
            let (pid, status) = match self.start(stage, at).await? {
                Start::Ended(pid, status) => (pid, status),
                Start::Up(mut server) => match self.visit(&mut stage.tab, &server).await? {
                    Visit::Lost => (server.pid, server.end().await?),
                    Visit::Done(caught_up) => {
                        ensure!(!pids.is_empty(), "point {at} was not reached");
                        ensure!(!pids.contains(&server.pid), "it is the same process");
                        let told = self.check(stage, *server, pids.len()).await?;
                        return Ok(Survived {
                            kills: pids.len(),
                            recovery: caught_up.saturating_duration_since(started),
                            told,
                        });
                    }
                },
            };
            process::killed(status, stage.folder.path(), at)?;
            pids.push(pid);
        }
        bail!("the server does not live")
    }

    async fn stage(&self) -> anyhow::Result<Stage> {
        let folder = tempfile::tempdir()?;
        let stand_ins = StandIns::start(&self.scenario.script).await?;
        stand_ins.configure(folder.path())?;
        let conversation = ConversationId::new(Timestamp(1_700_000_000_000), rand::random());
        Ok(Stage {
            ledger: stand_ins.ledger(),
            tab: Tab::new(conversation, self.scenario.commands(conversation)),
            stand_ins,
            folder,
        })
    }

    async fn start(&self, stage: &Stage, at: u64) -> anyhow::Result<Start> {
        let mut environment = stage.stand_ins.environment()?;
        let patience = self.scenario.patience.to_string();
        environment.push(("JARVIS_CONFIRMATION_SECONDS", patience));
        Server::start(&self.binary, stage.folder.path(), &environment, at).await
    }

    async fn visit(&self, tab: &mut Tab, server: &Server) -> anyhow::Result<Visit> {
        let turns = self.scenario.says.len();
        tab.visit(&server.link, turns, self.scenario.person).await
    }

    /// Everything that must be true, with the server that is there now; then it is stopped.
    async fn check(&self, stage: &Stage, server: Server, deaths: usize) -> anyhow::Result<Told> {
        let scenario = &*self.scenario;
        let events = &stage.tab.events;
        check::journal(scenario, events)?;
        let told = check::effects(scenario, events, &stage.ledger.effects(), deaths)?;
        // Whoever comes later reads the same.
        let mut reader = stage.tab.reader();
        let visit = reader.visit(&server.link, 0, scenario::nobody).await?;
        ensure!(
            matches!(visit, Visit::Done(_)),
            "the reader lost the server"
        );
        tab::same(&stage.tab, &reader)?;
        // While the server runs, and after it.
        let data = process::data_of(stage.folder.path());
        check::audit(&data, scenario, events).await?;
        server.stop().await?;
        check::audit(&data, scenario, events).await?;
        Ok(told)
    }
}

async fn within<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let result = tokio::time::timeout(PATIENCE, work).await;
    result.context("the cycle does not end")?
}

/// What the processes said, for whoever looks into a failure.
fn errors(folder: &Path) -> String {
    let said = std::fs::read_to_string(folder.join("errors.log")).unwrap_or_default();
    let lines: Vec<&str> = said.lines().collect();
    let last = lines.len().saturating_sub(12);
    format!("the processes said: {}", lines[last..].join("\n"))
}
