//! What is measured of each domain, and the systems that the measured server talks to.

mod erp;
mod homelab;
mod markets;

pub(crate) use homelab::{ANSWER, GREEN, QUESTION, RED, acting, system};

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum DomainCommand {
    /// Run the fake cluster until standard input ends
    Cluster,
    /// Measure what a live board of a large cluster costs
    Hud(homelab::hud::HudOptions),
    /// Measure the ERP's tools, the simulated company, and the first token beside them
    Erp(erp::ErpBenchOptions),
    /// Measure the store of candles
    Candles(markets::candles::CandlesOptions),
}

pub(crate) async fn run(command: DomainCommand) -> Result<()> {
    match command {
        DomainCommand::Cluster => homelab::cluster::run().await,
        DomainCommand::Hud(options) => homelab::hud::run(options).await,
        DomainCommand::Erp(options) => erp::run(options).await,
        DomainCommand::Candles(options) => markets::candles::run(options).await,
    }
}
