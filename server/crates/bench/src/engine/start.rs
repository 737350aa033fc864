//! The time from the start of the process to its first healthy answer.

use std::{net::TcpListener, time::Duration};

use anyhow::{Result, ensure};
use tokio::time::sleep;

use crate::{browser::Browser, clock, process::MeasuredWorld, report::Report, samples::Samples};

const RUNS: usize = 15;
/// Pause between two tries.
const AGAIN: Duration = Duration::from_millis(1);

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report) -> Result<()> {
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
    let browser = Browser::new(&format!("http://{address}"))?;
    for (name, fresh) in [("on an empty folder", true), ("on its data", false)] {
        let mut answered = Samples::default();
        let mut ready = Samples::default();
        for _ in 0..RUNS {
            if fresh && world.data().exists() {
                std::fs::remove_dir_all(world.data())?;
            }
            let began = clock::now();
            let mut server = world.spawn(&address)?;
            for (path, samples) in [("/healthz", &mut answered), ("/readyz", &mut ready)] {
                while browser.get(path).await.unwrap_or(0) != 200 {
                    ensure!(server.runs()?, "the server ended");
                    sleep(AGAIN).await;
                }
                samples.add(clock::now() - began);
            }
            server.stop()?;
        }
        report.times("cold start", &format!("first 200, {name}"), &answered);
        report.times("cold start", &format!("ready, {name}"), &ready);
    }
    Ok(())
}
