//! The toolset against the simulated cluster, over real HTTPS on loopback.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod connection;
mod lab;
mod power;
mod preview;
mod reconcile;
mod sign_in;
mod summary;
mod tools;
mod wake;
