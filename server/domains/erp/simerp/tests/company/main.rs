//! The simulated company over real HTTP on loopback.
#![expect(clippy::expect_used, reason = "a test that cannot go on must stop")]

mod faults;
mod harness;
mod ledgers;
mod money;
mod reading;
mod sdk;
mod tills;
mod writing;
