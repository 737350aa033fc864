//! The simulated company over real HTTP on loopback.
#![expect(clippy::expect_used, reason = "a test that cannot go on must stop")]

mod books;
mod faults;
mod harness;
mod ledgers;
mod money;
mod reading;
mod sdk;
mod seed;
mod tills;
mod writing;
