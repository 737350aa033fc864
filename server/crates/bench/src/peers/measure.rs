//! One measurement of either server, as values with names, and both beside each other.

use std::{cell::Cell, net::TcpListener, rc::Rc, time::Duration};

use anyhow::{Result, ensure};
use tokio::{
    task::{JoinSet, LocalSet},
    time::{Instant, sleep},
};

use super::socketio::Peer;
use crate::{
    browser::Browser,
    clock, domains,
    load::{self, Load},
    machine,
    meter::SharedMeter,
    process::Process,
    report::Report,
    samples::Samples,
    tab::BenchTab,
    texts,
};

/// Times, or one value and its unit.
pub(super) enum MeasuredValue {
    Times(Samples),
    One(f64, &'static str),
}

pub(super) type Values = Vec<(String, MeasuredValue)>;

/// The same measurement of both.
pub(super) struct Both {
    pub(super) ours: Values,
    pub(super) theirs: Values,
}

impl Both {
    pub(super) fn report(self, report: &mut Report, group: &str) {
        for ((name, ours), (_, theirs)) in self.ours.into_iter().zip(self.theirs) {
            match (ours, theirs) {
                (MeasuredValue::Times(ours), MeasuredValue::Times(theirs)) => {
                    report.times(group, &format!("{name}, Jarvis"), &ours);
                    report.times(group, &format!("{name}, peer"), &theirs);
                    let quantiles = |samples: &Samples| samples.quantiles([0.5, 0.99]);
                    if let (Some(a), Some(b)) = (quantiles(&ours), quantiles(&theirs)) {
                        report.value(group, "  ratio of the medians", "x", b[0] / a[0]);
                        report.value(group, "  ratio at 99 %", "x", b[1] / a[1]);
                    }
                }
                (MeasuredValue::One(ours, unit), MeasuredValue::One(theirs, _)) => {
                    report.value(group, &format!("{name}, Jarvis"), unit, ours);
                    report.value(group, &format!("{name}, peer"), unit, theirs);
                    report.value(group, "  ratio", "x", theirs / ours);
                }
                _ => report.note(texts::measured_in_two_ways(group, &name)),
            }
        }
    }
}

/// One of the loads.
pub(super) async fn load<T: BenchTab>(browser: &Browser, pid: u32, of: Load) -> Result<Values> {
    let outcome = load::run::<T>(browser, pid, of).await?;
    let tokens = outcome.meter.tokens as f64;
    Ok(vec![
        (
            "latency per token".to_owned(),
            MeasuredValue::Times(outcome.meter.latency),
        ),
        (
            "added time to first token".to_owned(),
            MeasuredValue::Times(outcome.meter.first),
        ),
        (
            "CPU per million tokens".to_owned(),
            MeasuredValue::One(outcome.cpu * 1e6 / tokens, "s"),
        ),
        (
            "tokens per second".to_owned(),
            MeasuredValue::One(tokens / outcome.seconds, "1/s"),
        ),
        (
            "memory, at most".to_owned(),
            MeasuredValue::One(outcome.rss[1] / 1024.0, "MiB"),
        ),
    ])
}

/// Memory with idle connections.
pub(super) async fn idle<T: BenchTab>(browser: &Browser, pid: u32) -> Result<Values> {
    const SETTLE: Duration = Duration::from_secs(3);
    const PATIENCE: Duration = Duration::from_secs(60);
    sleep(SETTLE).await;
    let rss = || anyhow::Ok(machine::usage(pid)?.rss / 1024.0);
    let mut values = vec![("memory, none".to_owned(), MeasuredValue::One(rss()?, "MiB"))];
    LocalSet::new()
        .run_until(async {
            let mut tabs = JoinSet::new();
            let open = Rc::new(Cell::new(0));
            for count in [100, 1_000] {
                while tabs.len() < count {
                    let opened = Rc::clone(&open);
                    let one = T::idle(browser.clone(), move || opened.set(opened.get() + 1));
                    tabs.spawn_local(one);
                    // Not all at once: the queue of connections to accept is bounded.
                    while open.get() + 20 < tabs.len() {
                        if let Some(ended) = tabs.try_join_next() {
                            ended??;
                        }
                        sleep(Duration::from_millis(1)).await;
                    }
                }
                let slow = Instant::now() + PATIENCE;
                while open.get() < count && Instant::now() < slow {
                    sleep(Duration::from_millis(1)).await;
                }
                sleep(SETTLE).await;
                ensure!(open.get() == count, "{} of {count} opened", open.get());
                values.push((
                    format!("memory, {count}"),
                    MeasuredValue::One(rss()?, "MiB"),
                ));
            }
            tabs.abort_all();
            Ok(values)
        })
        .await
}

/// Around tool calls.
pub(super) mod tools {
    use super::*;

    /// Calls of each kind.
    const CALLS: usize = 100;

    fn values(green: Samples, card: Samples, confirmed: Samples) -> Values {
        vec![
            (
                "GREEN: last delta to next request".to_owned(),
                MeasuredValue::Times(green),
            ),
            (
                "RED: last delta to card".to_owned(),
                MeasuredValue::Times(card),
            ),
            (
                "RED: decision to next request, less effect".to_owned(),
                MeasuredValue::Times(confirmed),
            ),
        ]
    }

    pub(in crate::peers) async fn jarvis(browser: &Browser) -> Result<Values> {
        let green = crate::engine::tools::green(browser).await?;
        let red = crate::engine::tools::red(browser).await?;
        Ok(values(green, red.card, red.confirmed))
    }

    pub(in crate::peers) async fn peer(browser: &Browser) -> Result<Values> {
        let mut peer = Peer::open(browser, SharedMeter::default()).await?;
        let [mut green, mut shown, mut confirmed] =
            [Samples::default(), Samples::default(), Samples::default()];
        for _ in 0..CALLS {
            let turn = peer.turn(domains::GREEN).await?;
            green.add(turn.turnaround);
            let (turn, card, decided) = peer.turn_with_card(domains::RED).await?;
            ensure!(decided > 0, "nothing was asked");
            shown.add((card + turn.turnaround).saturating_sub(turn.arrived));
            confirmed.add(turn.arrived - decided);
        }
        Ok(values(green, shown, confirmed))
    }
}

/// From the start of a process to its first answer.
pub(super) mod cold_start {
    use super::*;

    const RUNS: usize = 10;

    /// A free port on loopback.
    pub(in crate::peers) fn place() -> Result<(String, Browser)> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let browser = Browser::new(&format!("http://{address}"))?;
        Ok((address, browser))
    }

    pub(in crate::peers) async fn of(
        browser: &Browser,
        path: &str,
        spawn: impl Fn() -> Result<Process>,
    ) -> Result<Values> {
        let mut samples = Samples::default();
        for _ in 0..RUNS {
            let began = clock::now();
            let mut process = spawn()?;
            while browser.get(path).await.unwrap_or(0) != 200 {
                ensure!(process.runs()?, "the server ended");
                sleep(Duration::from_millis(1)).await;
            }
            samples.add(clock::now() - began);
        }
        Ok(vec![(
            "first 200".to_owned(),
            MeasuredValue::Times(samples),
        )])
    }
}
