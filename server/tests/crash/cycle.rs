//! One cycle: a folder and fresh stand-ins, a life and a death, another life, and the checks of
//! what is left.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use protocol::{ConversationId, EventBody, Timestamp, ToolOutcome};
use tempfile::TempDir;

use crate::{
    browser::{Browser, Lost},
    check::{self, Seen, Told},
    ground::{self, Ground},
    ledger::{self, Ledger},
    prices::CrossingPrices,
    process::{self, At, NotReached, Server, Start},
    scenario::{self, Scenario},
    second::Second,
    standins::StandIns,
    tab::{self, Tab, Visit},
};

/// Timeout of a whole cycle.
const PATIENCE: Duration = Duration::from_secs(90);
/// The most attempts at another point when one was passed by.
const MOVES: usize = 4;
/// The number of writes that find no room before there is some again.
const FULL_FOR: &str = "3";

/// The result of a kill.
pub(crate) struct Survived {
    pub(crate) kills: usize,
    /// Time from the start of the last process until the tab had everything that it missed.
    pub(crate) recovery: Duration,
    pub(crate) told: Told,
}

/// One cycle to run.
#[derive(Clone)]
pub(crate) struct Cycle {
    pub(crate) binary: Arc<PathBuf>,
    pub(crate) ground: Arc<Ground>,
    pub(crate) scenario: Arc<Scenario>,
}

/// The parts of a cycle.
struct Stage {
    folder: TempDir,
    stand_ins: StandIns,
    ledger: Ledger,
    browser: Browser,
    second: Option<Second>,
    prices: Option<CrossingPrices>,
    /// The conversation, and the one after it once the first is at rest.
    tabs: Vec<Tab>,
}

impl Cycle {
    /// Runs the scenario without a fault. Returns the points that were passed.
    pub(crate) async fn count(self) -> anyhow::Result<Vec<String>> {
        let mut stage = self.stage().await?;
        let work = async {
            let Start::Up(server) = self.start(&mut stage, 0, &At::Never).await? else {
                bail!("the server did not start");
            };
            let Visit::Done(_) = self.visit(&mut stage).await? else {
                bail!("the server was lost");
            };
            let points = process::points(stage.folder.path())?;
            if let Some(full) = self.scenario.full {
                let full_there = points.iter().any(|name| name.contains("no room"));
                ensure!(full_there, "there was room after {full:?}");
            }
            let told = self.check(&mut stage, *server, 0).await?;
            ensure!(
                told.unknown + told.not_done == 0,
                "not everything was done: {told:?}"
            );
            Ok(points)
        };
        let result = within(work).await;
        result.with_context(|| process::errors(stage.folder.path()))
    }

    /// Runs the scenario, with a death at this point.
    pub(crate) async fn kill_at(self, at: At) -> anyhow::Result<Survived> {
        let mut deaths = vec![at];
        if self.scenario.again {
            // In the first steps of the next life, each time at another one. The less there was
            // left to do, the fewer points it has; a start always has this many.
            let number = match &deaths[..] {
                [At::Number { number, left, .. }] => 10 + number * 7 % (6 + left / 2).min(23),
                _ => 17,
            };
            deaths.push(At::number(number));
        }
        for _ in 0..MOVES {
            let mut stage = self.stage().await?;
            let mut life = 0;
            let lived = within(self.die_and_live(&mut stage, &deaths, &mut life)).await;
            let missed = lived.as_ref().err().and_then(|error| error.downcast_ref());
            match missed.and_then(NotReached::instead) {
                Some(instead) => deaths[life] = instead,
                None => return lived.with_context(|| process::errors(stage.folder.path())),
            }
        }
        bail!("{MOVES} points in a row were not reached")
    }

    async fn die_and_live(
        &self,
        stage: &mut Stage,
        deaths: &[At],
        now: &mut usize,
    ) -> anyhow::Result<Survived> {
        let mut pids = Vec::new();
        for (life, at) in deaths.iter().enumerate() {
            *now = life;
            let (pid, status) = match self.start(stage, life, at).await? {
                Start::Ended(pid, status) => (pid, status),
                Start::Up(mut server) => {
                    let status = match self.visit(stage).await? {
                        Visit::Lost => server.end().await?,
                        Visit::Done(_) => server.die(stage.folder.path(), at).await?,
                    };
                    (server.pid, status)
                }
            };
            process::killed(status, stage.folder.path(), at)?;
            pids.push(pid);
        }
        let started = Instant::now();
        let Start::Up(server) = self.start(stage, deaths.len(), &At::Never).await? else {
            bail!("the server does not live");
        };
        ensure!(!pids.contains(&server.pid), "it is the same process");
        let Visit::Done(caught_up) = self.visit(stage).await? else {
            bail!("the server was lost");
        };
        let told = self.check(stage, *server, pids.len()).await?;
        Ok(Survived {
            kills: pids.len(),
            recovery: caught_up.saturating_duration_since(started),
            told,
        })
    }

    async fn stage(&self) -> anyhow::Result<Stage> {
        let scenario = &*self.scenario;
        let folder = tempfile::tempdir()?;
        let field = scenario.field.as_deref();
        match field {
            Some(field) => field.ground().copy(folder.path())?,
            None if scenario.fresh => {}
            None => self.ground.copy(folder.path())?,
        }
        let second = if scenario.second {
            let links = ground::add_second(folder.path()).await?;
            Some(Second::new(Browser::new(links)?))
        } else {
            None
        };
        let prices = if scenario.crosses {
            Some(CrossingPrices::begin(folder.path())?)
        } else {
            None
        };
        let (script, company) = (&scenario.script, scenario.company);
        let stand_ins = StandIns::start(script, scenario.asleep, company, field).await?;
        stand_ins.configure(folder.path())?;
        Box::pin(ground::add_own_key(folder.path(), stand_ins.own_key())).await?;
        let conversation = new_conversation();
        let commands = scenario.commands(conversation);
        Ok(Stage {
            ledger: stand_ins.ledger(),
            browser: Browser::new([])?,
            second,
            prices,
            tabs: vec![Tab::new(conversation, commands, scenario.file)],
            stand_ins,
            folder,
        })
    }

    /// Starts the server, for the first life or a later one.
    async fn start(&self, stage: &mut Stage, life: usize, at: &At) -> anyhow::Result<Start> {
        let mut environment = stage.stand_ins.environment()?;
        let patience = self.scenario.patience.to_string();
        environment.push(("JARVIS_CONFIRMATION_SECONDS", patience));
        let prices = stage.prices.as_ref();
        environment.extend(prices.into_iter().flat_map(CrossingPrices::environment));
        if let (0, Some(full)) = (life, self.scenario.full) {
            environment.push(("CRASH_FULL", full.to_owned()));
            environment.push(("CRASH_FULL_FOR", FULL_FOR.to_owned()));
        }
        stage.stand_ins.reach(None);
        let start = Server::start(&self.binary, stage.folder.path(), &environment, at).await?;
        if let Start::Up(server) = &start {
            let url = stage.browser.go_with(&server.link)?;
            stage.stand_ins.reach(Some(&url));
            if let Some(second) = &mut stage.second {
                second.browser.go(&url);
            }
        }
        Ok(start)
    }

    /// Runs as much of the scenario as the server allows.
    async fn visit(&self, stage: &mut Stage) -> anyhow::Result<Visit> {
        let Stage {
            browser,
            second,
            prices,
            tabs,
            ..
        } = stage;
        let beside = async {
            if let Some(second) = second {
                // When the server is lost, this tab sees that as well.
                second.follow().await?.unwrap_or(());
            }
            std::future::pending::<anyhow::Result<Visit>>().await
        };
        tokio::select! {
            visit = self.visit_tabs(browser, tabs, prices.as_ref()) => visit,
            failed = beside => failed,
        }
    }

    async fn visit_tabs(
        &self,
        browser: &mut Browser,
        tabs: &mut Vec<Tab>,
        prices: Option<&CrossingPrices>,
    ) -> anyhow::Result<Visit> {
        let scenario = &*self.scenario;
        let mut caught_up = None;
        for number in 0..1 + usize::from(scenario.then.is_some()) {
            if let (Some(then), [first]) = (scenario.then, &tabs[..])
                && number > 0
            {
                let new = new_conversation();
                let command = then.command(new, first.conversation, &first.events)?;
                tabs.push(Tab::new(new, vec![command], None));
            }
            let tab = tabs.get_mut(number).context("no tab")?;
            let messages = scenario.says(number).len();
            match tab.visit(browser, messages, scenario.person).await? {
                Visit::Lost => return Ok(Visit::Lost),
                Visit::Done(at) => caught_up = caught_up.or(Some(at)),
            }
        }
        // Without an alert there is nothing to wait for.
        if let Some(prices) = prices
            && tabs.iter().any(has_acted)
            && let Err(Lost) = prices.cross(browser).await?
        {
            return Ok(Visit::Lost);
        }
        caught_up.map(Visit::Done).context("nothing was visited")
    }

    /// Checks all invariants with the server that is there now; then it is stopped.
    async fn check(
        &self,
        stage: &mut Stage,
        server: Server,
        deaths: usize,
    ) -> anyhow::Result<Told> {
        let scenario = &*self.scenario;
        let seen = stage.tabs.iter().map(|tab| Seen {
            conversation: tab.conversation,
            events: &tab.events,
            own: tab.own(),
        });
        let seen: Vec<_> = seen.collect();
        check::journals(scenario, &seen)?;
        // A later reader sees the same.
        for tab in &stage.tabs {
            let mut reader = tab.reader();
            let visit = reader
                .visit(&mut stage.browser, 0, scenario::nobody)
                .await?;
            ensure!(
                matches!(visit, Visit::Done(_)),
                "the reader lost the server"
            );
            tab::same(tab, &reader)?;
            file(tab, &mut stage.browser).await?;
        }
        // While the server runs, and after it.
        let data = process::data_of(stage.folder.path());
        check::audit(&data, scenario, &seen).await?;
        server.stop().await?;
        check::audit(&data, scenario, &seen).await?;
        let mut effects = stage.ledger.effects();
        ledger::charted(&data, &mut effects).await?;
        let broken = stage.ledger.broken();
        ensure!(broken.is_empty(), "the company's books: {broken:?}");
        check::effects(scenario, &seen, &effects, deaths)
    }
}

/// True if a call of the tab's conversation has succeeded.
fn has_acted(tab: &Tab) -> bool {
    tab.events.iter().any(|event| {
        matches!(
            event.body,
            EventBody::ToolFinished {
                outcome: ToolOutcome::Succeeded { .. },
                ..
            }
        )
    })
}

/// A file that came with a message is there unchanged.
async fn file(tab: &Tab, browser: &mut Browser) -> anyhow::Result<()> {
    let Some((file, reference)) = tab.attached() else {
        return Ok(());
    };
    let named = tab.events.iter().filter(|event| match &event.body {
        EventBody::TurnStarted { references, .. } => {
            references.iter().any(|it| it.id == reference.id)
        }
        _ => false,
    });
    let named = named.count();
    ensure!(named == 1, "{named} messages name the file");
    let Ok(content) = browser.file(&reference.id).await? else {
        bail!("the server was lost");
    };
    ensure!(content == file.content, "the file is not what went up");
    Ok(())
}

fn new_conversation() -> ConversationId {
    ConversationId::new(Timestamp(1_700_000_000_000), rand::random())
}

async fn within<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let result = tokio::time::timeout(PATIENCE, work).await;
    result.context("the cycle does not end")?
}
