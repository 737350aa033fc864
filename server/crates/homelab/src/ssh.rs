//! Commands on nodes over SSH: which there are, how they are sent, what a node does with them.
//!
//! SSH carries one string, and the account's shell reads it. So there is no text that is passed
//! through: a command is a value of a small [grammar], written out from the value again, and the
//! node's [guard] reads it with the same grammar before it starts a program without a shell.

mod client;
mod config;
mod error;
pub mod grammar;
pub mod guard;
pub(crate) mod services;
mod trust;

pub(crate) use client::Ssh;
pub use config::{SshConfig, SshNode};
pub(crate) use error::SshError;
pub use grammar::{Command, Refusal, parse};
