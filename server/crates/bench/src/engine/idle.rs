//! Open tabs that do nothing.

use std::time::{Duration, Instant};

use anyhow::Result;
use futures::{StreamExt, TryStreamExt, stream};
use tokio::{
    task::{JoinSet, LocalSet},
    time::sleep,
};

use crate::{idle_tab, process::MeasuredWorld, report::Report, socket::Socket, texts};

const STEPS: [usize; 3] = [100, 1_000, 10_000];
/// Connections that open at the same time.
const OPENING: usize = 50;
/// Pause without events after which memory is read.
const SETTLE: Duration = Duration::from_secs(3);
/// Files that a process has open beside its connections.
const SPARE: u64 = 200;

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report, files: u64) -> Result<()> {
    let server = world.server().await?;
    let group = "idle connections";
    sleep(SETTLE).await;
    let before = server.usage()?;
    report.value(group, "memory, none", "MiB", before.rss / 1024.0);
    LocalSet::new()
        .run_until(async {
            let mut tabs = JoinSet::new();
            for count in STEPS {
                if files < count as u64 + SPARE {
                    report.note(texts::too_few_files(count, files));
                    break;
                }
                let cpu = server.usage()?.cpu;
                let clock = Instant::now();
                let opened: Vec<_> = stream::iter(tabs.len()..count)
                    .map(|_| idle_tab::open(&server.browser))
                    .buffer_unordered(OPENING)
                    .try_collect()
                    .await?;
                let cost = (server.usage()?.cpu - cpu) * 1e6 / opened.len() as f64;
                let took = clock.elapsed().as_secs_f64();
                for socket in opened {
                    tabs.spawn_local(stay(socket));
                }
                sleep(SETTLE).await;
                let settled = server.usage()?;
                sleep(SETTLE).await;
                let later = server.usage()?;
                let kib = (later.rss - before.rss) / count as f64;
                let share = (later.cpu - settled.cpu) * 100.0 / SETTLE.as_secs_f64();
                let mut value = |name: &str, unit, value| {
                    report.value(group, &format!("{name}, {count}"), unit, value);
                };
                value("memory", "MiB", later.rss / 1024.0);
                value("memory per connection", "KiB", kib);
                value("CPU to connect", "µs", cost);
                value("time to connect all", "s", took);
                value("server's core meanwhile", "%", share);
            }
            tabs.abort_all();
            anyhow::Ok(())
        })
        .await
}

/// Answers pings.
async fn stay(mut socket: Socket) -> Result<()> {
    loop {
        socket.read(|_, _| {}).await?;
    }
}
