//! Answers that come as fast as they are taken.

use anyhow::Result;

use super::steady;
use crate::{
    load::{self, BURST},
    process::World,
    report::Report,
    session::Session,
};

pub(super) async fn run(world: &World, report: &mut Report) -> Result<()> {
    let server = world.server().await?;
    let outcome = load::run::<Session>(&server.browser, server.process.pid(), BURST).await?;
    steady::add(report, "unpaced, 50 sessions", BURST, &outcome);
    Ok(())
}
