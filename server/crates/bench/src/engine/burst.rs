//! Answers that come as fast as they are taken.

use anyhow::Result;

use super::steady;
use crate::{
    load::{self, Load},
    process::World,
    report::Report,
    session::Session,
};

const LOAD: Load = Load {
    sessions: 50,
    turns: 1,
    tokens: 1_000,
    delay: 0,
    ramp: 0,
};

pub(super) async fn run(world: &World, report: &mut Report) -> Result<()> {
    let server = world.server().await?;
    let outcome = load::run::<Session>(&server.browser, server.process.pid(), LOAD).await?;
    steady::add(report, "unpaced, 50 sessions", LOAD, &outcome);
    Ok(())
}
