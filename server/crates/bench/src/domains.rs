//! What is measured of each domain, and the systems that the measured server talks to.

mod homelab;
mod markets;

pub(crate) use homelab::{ANSWER, GREEN, QUESTION, RED, acting, system};

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run the fake cluster until standard input ends
    Cluster,
    /// Measure what a live board of a large cluster costs
    Hud(homelab::hud::Options),
    /// Measure the store of candles
    Candles(markets::candles::Options),
}

pub(crate) async fn run(command: Command) -> Result<()> {
    match command {
        Command::Cluster => homelab::cluster::run().await,
        Command::Hud(options) => homelab::hud::run(options).await,
        Command::Candles(options) => markets::candles::run(options).await,
    }
}
