#![doc = include_str!("../README.md")]

pub mod journal;
pub mod log;
pub mod message;
pub mod report;
pub mod runner;
pub mod secret;
pub mod server;
