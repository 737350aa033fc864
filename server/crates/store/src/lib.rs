#![doc = include_str!("../README.md")]

mod audit;
mod batch;
mod checkpoints;
mod confirmations;
mod conversations;
mod database;
mod error;
mod journal;
mod migrations;
mod people;
mod projection;
mod system;

pub use audit::{AuditHash, AuditReader, AuditRow, Broken, NoHash, Verified};
pub use database::Store;
pub use error::Error;
pub use people::{Secret, Session, User};
pub use system::SystemEvent;

#[cfg(test)]
mod tests;
