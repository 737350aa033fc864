//! The toolset from outside, on databases in memory.

#![expect(clippy::unwrap_used, reason = "tests")]

mod charts;
mod context;
mod contracts;
mod desk;
mod draw;
mod intake;
mod live;
mod tools;
