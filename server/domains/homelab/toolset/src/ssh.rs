//! Commands on nodes over SSH: the commands allowed, their transmission, and the node's side.
//!
//! SSH carries a single string, and the account's shell reads it. So no text is passed through: a
//! command is a value of a small [grammar], rendered again from that value, and the node's [guard]
//! parses it with the same grammar before it starts a program without a shell.

mod client;
mod config;
mod error;
pub mod grammar;
pub mod guard;
pub(crate) mod services;
mod trust;

pub(crate) use client::SshClient;
pub use config::{SshConfig, SshNode};
pub(crate) use error::SshError;
pub use grammar::{CommandRefusal, GrammarCommand, parse};
