//! The tables of field devices, on a database of their own for each test.

#![expect(clippy::unwrap_used, reason = "tests")]

mod bundles;
mod claims;
mod collections;
mod devices;
mod events;
mod home;
mod interruptions;
mod logs;
mod migrations;
mod proposals;
mod requests;
mod sessions;
mod sites;
mod transitions;
mod vault;
mod walk;
