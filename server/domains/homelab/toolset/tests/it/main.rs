//! The toolset against the simulated cluster, over real HTTPS on loopback.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod board;
mod clocks;
mod connection;
mod guard;
mod lab;
mod measurements;
mod pages;
mod power;
mod preview;
mod reconcile;
mod refer;
mod service;
mod sign_in;
mod ssh;
mod ssh_gate;
mod sshd;
mod states;
mod summary;
mod tools;
mod wake;
mod word;
