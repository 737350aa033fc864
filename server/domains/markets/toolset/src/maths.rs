//! Computations on candles, trades and reports. Pure: the same input gives the same output.

pub mod cot;
pub mod fibonacci;
pub mod indicators;
pub mod levels;
pub mod life;
pub mod numbers;
pub mod outcome;
pub mod position;
pub mod reaction;
pub mod trades;
