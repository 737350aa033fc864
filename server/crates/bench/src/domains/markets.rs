//! The cost of the store of candles.

pub(super) mod candles;
