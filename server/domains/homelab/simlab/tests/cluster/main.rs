//! The simulated cluster over real HTTPS on loopback.
#![expect(clippy::expect_used, reason = "a test that cannot go on must stop")]

mod access;
mod faults;
mod harness;
mod life;
mod power;
mod python;
mod shapes;
mod ssh;
