//! The cost of the store of candles.

mod candles;

use anyhow::Result;
use clap::Subcommand;
use futures::{FutureExt, future::LocalBoxFuture};

use super::MeasuredCommand;

#[derive(Subcommand)]
pub(super) enum MarketsMeasurement {
    /// Measure the store of candles
    Candles(candles::CandlesOptions),
}

impl MeasuredCommand for MarketsMeasurement {
    fn run(self) -> LocalBoxFuture<'static, Result<()>> {
        let Self::Candles(options) = self;
        candles::run(options).boxed_local()
    }
}
