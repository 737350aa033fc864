//! Many sessions at once against a running server.

use std::{cell::RefCell, rc::Rc, time::Duration};

use anyhow::{Context, Result};
use futures::{StreamExt, TryStreamExt, stream};
use tokio::{
    task::{JoinSet, LocalSet},
    time::{Instant, interval, sleep},
};

use crate::{
    browser::Browser,
    domains::QUESTION,
    machine::{self, ProcessUsage},
    meter::{Meter, SharedMeter},
    session::whole,
    tab::BenchTab,
};

/// Sessions that open at the same time.
const OPENING: usize = 20;
/// Pause between two readings of the server's memory.
const LOOK: Duration = Duration::from_millis(250);

/// The work of the sessions.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) sessions: usize,
    /// Turns of each session.
    pub(crate) turns: usize,
    /// Tokens of a turn.
    pub(crate) tokens: u64,
    /// Milliseconds between tokens; zero is as fast as they are taken.
    pub(crate) delay: u64,
    /// Milliseconds over which the sessions begin.
    pub(crate) ramp: u64,
}

/// Steady streams of 50 tokens a second: one turn after the other in few sessions, one long turn in
/// many.
pub(crate) const STEADY: [Load; 3] = [
    Load {
        sessions: 20,
        turns: 8,
        tokens: 200,
        delay: 20,
        ramp: 200,
    },
    Load {
        sessions: 100,
        turns: 1,
        tokens: 400,
        delay: 20,
        ramp: 2_000,
    },
    Load {
        sessions: 400,
        turns: 1,
        tokens: 400,
        delay: 20,
        ramp: 2_000,
    },
];

/// Answers that come as fast as they are taken.
pub(crate) const BURST: Load = Load {
    sessions: 50,
    turns: 1,
    tokens: 1_000,
    delay: 0,
    ramp: 0,
};

/// The result of a load.
pub(crate) struct LoadOutcome {
    pub(crate) meter: Meter,
    pub(crate) seconds: f64,
    /// Processor time of the server.
    pub(crate) cpu: f64,
    /// Processor time of this process.
    pub(crate) own_cpu: f64,
    /// Memory before the sessions were opened, and at most.
    pub(crate) rss: [f64; 2],
}

/// Opens tabs and begins a conversation in each.
pub(crate) async fn open<T: BenchTab>(
    browser: &Browser,
    count: usize,
    meter: &SharedMeter,
) -> Result<Vec<T>> {
    stream::iter(0..count)
        .map(|_| T::open(browser, Rc::clone(meter)))
        .buffer_unordered(OPENING)
        .try_collect()
        .await
}

/// Runs a load against a server with this process id.
pub(crate) async fn run<T: BenchTab>(
    browser: &Browser,
    pid: u32,
    load: Load,
) -> Result<LoadOutcome> {
    let before = machine::usage(pid)?;
    let warm_up = SharedMeter::default();
    let mut sessions = open::<T>(browser, load.sessions, &warm_up).await?;
    let meter: SharedMeter = Rc::new(RefCell::new(Meter::default()));
    for session in &mut sessions {
        session.count_in(Rc::clone(&meter));
    }
    sleep(Duration::from_millis(300)).await;

    let text = format!("{QUESTION} [[n:{}]] [[delay:{}]]", load.tokens, load.delay);
    let [cpu, own] = [
        machine::usage(pid)?.cpu,
        machine::usage(std::process::id())?.cpu,
    ];
    let began = Instant::now();
    let peak = LocalSet::new()
        .run_until(async {
            let mut tasks = JoinSet::new();
            for (index, session) in sessions.drain(..).enumerate() {
                let begin = load.ramp * index as u64 / load.sessions as u64;
                let text = text.clone();
                tasks.spawn_local(one(session, begin, text, load));
            }
            all(tasks, pid).await
        })
        .await?;
    let seconds = began.elapsed().as_secs_f64();
    let outcome = LoadOutcome {
        seconds,
        cpu: machine::usage(pid)?.cpu - cpu,
        own_cpu: machine::usage(std::process::id())?.cpu - own,
        rss: [before.rss, peak.rss],
        meter: Rc::into_inner(meter)
            .context("a session is still running")?
            .into_inner(),
    };
    Ok(outcome)
}

async fn one(mut session: impl BenchTab, begin: u64, text: String, load: Load) -> Result<()> {
    sleep(Duration::from_millis(begin)).await;
    for _ in 0..load.turns {
        let turn = session.turn(&text).await?;
        whole(turn, load.tokens)?;
    }
    Ok(())
}

/// Waits for all, and returns the server's peak usage meanwhile.
async fn all(mut tasks: JoinSet<Result<()>>, pid: u32) -> Result<ProcessUsage> {
    let mut peak = ProcessUsage::default();
    let mut look = interval(LOOK);
    loop {
        tokio::select! {
            ended = tasks.join_next() => match ended {
                Some(ended) => ended??,
                None => return Ok(peak),
            },
            _ = look.tick() => {
                let now = machine::usage(pid)?;
                peak.rss = peak.rss.max(now.rss);
            }
        }
    }
}
