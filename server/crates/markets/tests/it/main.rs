//! The toolset from outside, on databases in memory.

#![expect(clippy::unwrap_used, reason = "tests")]

mod context;
mod contracts;
mod intake;
mod live;
mod tools;
