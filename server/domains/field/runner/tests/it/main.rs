//! The program on a device: its protocol against a small server, one effect for each job whatever is killed, probes,
//! each kind of step, packages that were tampered with, clocks that are wrong, updates, attempts to leave both
//! sandboxes, and the Debian package.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "tests")]

mod clocks;
mod device;
mod escapes;
mod figures;
mod kills;
mod package;
mod probes;
mod server;
mod steps;
mod story;
mod tampered;
mod units;
mod updates;
