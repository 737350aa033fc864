//! Answers that come as fast as they are taken.

use anyhow::Result;

use super::steady;
use crate::{
    load::{self, BURST},
    process::MeasuredWorld,
    report::Report,
    session::BenchSession,
};

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report) -> Result<()> {
    let server = world.server().await?;
    let outcome = load::run::<BenchSession>(&server.browser, server.process.pid(), BURST).await?;
    steady::add(report, "unpaced, 50 sessions", BURST, &outcome);
    Ok(())
}
