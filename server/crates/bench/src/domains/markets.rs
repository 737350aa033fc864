//! The cost of the store of candles, and of prices that change.

mod candles;
mod prices;

use anyhow::Result;
use clap::Subcommand;
use futures::{FutureExt, future::LocalBoxFuture};

use super::MeasuredCommand;

#[derive(Subcommand)]
pub(super) enum MarketsMeasurement {
    /// Measure the store of candles
    Candles(candles::CandlesOptions),
    /// Measure what prices cost that change all the time
    Prices(prices::PricesOptions),
}

impl MeasuredCommand for MarketsMeasurement {
    fn run(self) -> LocalBoxFuture<'static, Result<()>> {
        match self {
            Self::Candles(options) => candles::run(options).boxed_local(),
            Self::Prices(options) => prices::run(options).boxed_local(),
        }
    }
}
